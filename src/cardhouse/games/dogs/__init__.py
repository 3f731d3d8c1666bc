"""Dogs Play Cards, Too: a conflict system for role-playing, played with cards."""

from cardhouse.games.dogs.rules import Dogs

__all__ = ["Dogs"]
