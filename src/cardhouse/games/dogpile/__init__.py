"""Dogpile: a silent cooperative placing game, its judge, its decks and its bots."""
