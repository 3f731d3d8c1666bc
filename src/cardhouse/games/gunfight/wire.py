"""The types that the server sends to the page for a gunfight."""

from cardhouse.games.gunfight.state import GunfightOdds, GunfightView, TargetOdds

TOLD = (GunfightView, TargetOdds, GunfightOdds)
