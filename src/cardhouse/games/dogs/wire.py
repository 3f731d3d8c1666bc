"""What the page is told of Dogs Play Cards, Too."""

from cardhouse.games.dogs.bots.odds import ConflictOdds
from cardhouse.games.dogs.choices import AnswerChances, ConflictChoices
from cardhouse.games.dogs.view import DogsView

TOLD = (DogsView, ConflictOdds, ConflictChoices, AnswerChances)
