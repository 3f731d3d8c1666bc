"""What somebody in a round of card initiative may want, and the rule of thumb for each; kernels compile these, too.

A goal stands where the turns taken so far have left it: it is open, or marked by the last turn, or settled.
"""

from __future__ import annotations

from typing import Literal, get_args

Goal = Literal["first", "last", "after", "before"]
GOALS: tuple[Goal, ...] = get_args(Goal)
FIRST, LAST, AFTER, BEFORE = range(4)
"""To act first of all; to take the last turn of the round; to act right after a foe; to act before any foe does."""

ABOUT_FOES: tuple[Goal, ...] = ("after", "before")

OPEN, MARKED, REACHED, MISSED = range(4)
"""Where a goal stands. The last turn has marked it: of LAST it was the hero's, of AFTER a foe's."""


def after_turn(goal: int, stands: int, hero: bool, foe: bool) -> int:
    """Where a goal that isn't settled stands after a turn, of the hero's, of a foe's that it is about, or another's."""
    if goal == LAST:
        return MARKED if hero else OPEN
    if goal == AFTER:
        return MARKED if foe else REACHED if hero and stands == MARKED else OPEN
    if hero:
        return REACHED
    return MISSED if foe or goal == FIRST else OPEN


def is_reached(goal: int, stands: int) -> bool:
    """Whether a goal is reached that stands so when the round is over."""
    return stands == REACHED or (goal == LAST and stands == MARKED)


def thumb_acts(goal: int, stands: int, others: bool) -> bool:
    """Whether one who may choose acts, by the rule of thumb; `others` says whether any other is still to act.

    First, or before a foe: act. Right after a foe: act if the last turn was the foe's, else wait. Last of all: wait as
    long as any other is still to act.
    """
    if goal == AFTER:
        return stands == MARKED
    return goal != LAST or not others


def wanted(goal: Goal, foe: str) -> str:
    """The goal in words, said of the hero: `acts right after the K of the others`."""
    whom = f"the {foe} of the others" if foe else "one of the others"
    return {
        "first": "acts first of all",
        "last": "takes the last turn of the round",
        "after": f"acts right after {whom}",
        "before": f"acts before {whom if foe else 'all of the others'}",
    }[goal]
