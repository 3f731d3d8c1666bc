"""Bots that play Dogpile in silence, each with only its seat's view."""

from cardhouse.engine import Bot
from cardhouse.games.dogpile.bots.best import best
from cardhouse.games.dogpile.bots.blind import lay_randomly
from cardhouse.games.dogpile.bots.bold import bold
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.reader import reader

BOTS: dict[str, Bot] = {"sure": sure, "bold": bold, "reader": reader, "best": best}
"""The bots that a table offers."""

RANDOM = "random"
BASELINE: dict[str, Bot] = {RANDOM: lay_randomly}
"""The baseline for measurements, not offered at tables."""
