"""Bots that play Dogpile without a word, each on what its seat may see."""

from cardhouse.engine import Bot

BOTS: dict[str, Bot] = {}
