"""The gunfight: card initiative and Hackjack on one roster."""

from cardhouse.games.gunfight.rules import Gunfight

__all__ = ["Gunfight"]
