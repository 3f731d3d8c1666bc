"""Dogpile: a silent cooperative placing game, its judge, its decks and its bots."""

from cardhouse.games.dogpile.rules import Dogpile

__all__ = ["Dogpile"]
