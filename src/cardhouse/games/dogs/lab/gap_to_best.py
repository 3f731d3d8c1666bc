"""The gap between a policy and the best known play."""

from __future__ import annotations

from functools import partial
from typing import Final

from cardhouse.lab.questions.optimality import BestPlay, strategy_with
from cardhouse.lab.questions.question import Question, finding_of

ABOUT: Final = (
    "Best play draws all it can at once and solves the hands, in several worlds where cards may yet come. It counts "
    "only the stakes, not the fallout."
)
BY_HEART: Final = "draw all you can at once, Raise with your second-best card, give when you must"


def compare_with_best(question: Question) -> BestPlay:
    """Return the comparison of the hero's wins with those of the policy `best`.

    The opponent's policy stays the same.
    """
    wins = finding_of(question, "wins")

    way = partial(strategy_with, question, wins)
    thumbs = [way(BY_HEART, policy="thumb")]
    more, less = "win {} points more often", "win {} points less often"
    return BestPlay(wins, more, less, ABOUT, way("as asked"), way("best", policy="best"), thumbs)
