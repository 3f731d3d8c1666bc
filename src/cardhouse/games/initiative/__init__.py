"""Card initiative: who acts when in an Old West shoot-out is drawn from a deck."""

from cardhouse.games.initiative.rules import Initiative

__all__ = ["Initiative"]
