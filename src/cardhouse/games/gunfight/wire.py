"""What the page is told of a gunfight."""

from cardhouse.games.gunfight.state import GunfightOdds, GunfightView

TOLD = (GunfightView, GunfightOdds)
