"""Bots that play Dogpile without a word, each on what its seat may see."""

from cardhouse.engine import Bot
from cardhouse.games.dogpile.bots.best import best
from cardhouse.games.dogpile.bots.blind import lays_at_random
from cardhouse.games.dogpile.bots.bold import bold
from cardhouse.games.dogpile.bots.cautious import sure
from cardhouse.games.dogpile.bots.reader import reader

BOTS: dict[str, Bot] = {"sure": sure, "bold": bold, "reader": reader, "best": best}
"""Those that a table offers."""

RANDOM = "random"
BASELINE: dict[str, Bot] = {RANDOM: lays_at_random}
"""What they are measured against; nobody would want it at a table."""
