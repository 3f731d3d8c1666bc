"""The comparison of a hero's play with best play for its goal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cardhouse.engine import CardhouseError
from cardhouse.games.initiative.goals import Goal, goal_in_words
from cardhouse.games.initiative.lab.best import KEYS, Best
from cardhouse.games.initiative.lab.rounds import RoundQuestion
from cardhouse.lab.questions.optimality import BestPlay, Strategy
from cardhouse.lab.questions.question import finding_of

if TYPE_CHECKING:
    from cardhouse.games.initiative.lab.questions import Order

BY_HEART: Final[Mapping[Goal, str]] = {
    "first": "act at once",
    "before": "act at once",
    "after": "act if the last turn was the opponent's; otherwise wait",
    "last": "wait as long as anyone else is still to act",
}
"""The rule of thumb for each goal, in words."""


def compare_with_best(question: Order) -> BestPlay | None:
    """Return the same rounds with the hero's goal; None if that is impossible, or too large to solve."""
    shared = {name: getattr(question, name) for name in RoundQuestion.__struct_fields__}
    solved = Best(**shared, wait=question.wait, their_wait=question.their_wait)
    try:
        solved.check_settings()
    except CardhouseError:
        return None
    reached = finding_of(solved, KEYS["helps"])
    asked = KEYS["helps"] if question.wait == "best" else KEYS[question.wait]
    goal = goal_in_words(question.goal, question.foe.upper())
    return BestPlay(
        reached,
        "reach the hero's goal {} points more often",
        "reach the hero's goal {} points less often",
        f"Its goal is that it {goal}; best play is worked out for every state of the round.",
        asked=Strategy("as asked", solved, asked),
        best=Strategy("best", solved, KEYS["helps"]),
        thumbs=(Strategy(BY_HEART[question.goal], solved, KEYS["thumb"]),),
        proven=True,
    )
