"""Dogpile on the command line: decks as files and on paper, and the judge."""
