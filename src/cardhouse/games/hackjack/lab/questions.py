"""The lab questions of Hackjack."""

from cardhouse.games.hackjack.lab.best import Best
from cardhouse.games.hackjack.lab.career import Career
from cardhouse.games.hackjack.lab.deadly import Deadly
from cardhouse.lab.questions.question import Question

__all__ = ["QUESTIONS", "Best", "Career", "Deadly"]

QUESTIONS: tuple[type[Question], ...] = (Deadly, Career, Best)
