"""The types that the server sends to the page for Dogs Play Cards, Too."""

from cardhouse.games.dogs.bots.odds import ConflictOdds
from cardhouse.games.dogs.choices import AnswerChances, ConflictChoices
from cardhouse.games.dogs.view import DogsView

TOLD = (DogsView, ConflictOdds, ConflictChoices, AnswerChances)
