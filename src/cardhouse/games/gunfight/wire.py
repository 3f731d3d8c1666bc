"""What the page is told of a gunfight."""

from cardhouse.games.gunfight.state import GunfightOdds, GunfightView, TargetOdds

TOLD = (GunfightView, TargetOdds, GunfightOdds)
