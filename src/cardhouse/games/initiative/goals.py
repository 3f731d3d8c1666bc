"""Goals of a character in a round of card initiative, and a rule of thumb for each; kernels compile these too.

A goal's status depends on the turns so far: it is open, marked by the last turn, or settled.
"""

from __future__ import annotations

from typing import Literal, get_args

Goal = Literal["first", "last", "after", "before"]
GOALS: tuple[Goal, ...] = get_args(Goal)
FIRST, LAST, AFTER, BEFORE = range(4)
"""First of all; last turn of the round; right after a foe; before any foe."""

ABOUT_FOES: tuple[Goal, ...] = ("after", "before")

OPEN, MARKED, REACHED, MISSED = range(4)
"""The status of a goal. MARKED: the last turn was the hero's (LAST), or a foe's (AFTER)."""


def after_turn(goal: int, status: int, hero: bool, foe: bool) -> int:
    """Return the status of an unsettled goal after a turn: the hero's, a relevant foe's, or another's."""
    if goal == LAST:
        return MARKED if hero else OPEN
    if goal == AFTER:
        return MARKED if foe else REACHED if hero and status == MARKED else OPEN
    if hero:
        return REACHED
    return MISSED if foe or goal == FIRST else OPEN


def is_reached(goal: int, status: int) -> bool:
    """Return whether a goal with this status is reached when the round is over."""
    return status == REACHED or (goal == LAST and status == MARKED)


def thumb_acts(goal: int, status: int, others: bool) -> bool:
    """Return whether the rule of thumb acts; `others` says whether any other character is still to act.

    First, or before a foe: act. Right after a foe: act if the last turn was the foe's, otherwise wait. Last of all:
    wait as long as any other is still to act.
    """
    if goal == AFTER:
        return status == MARKED
    return goal != LAST or not others


def goal_in_words(goal: Goal, foe: str) -> str:
    """Return the goal in words, with the hero as subject, such as `acts right after the K of the others`."""
    target = f"the {foe} of the others" if foe else "one of the others"
    return {
        "first": "acts first of all",
        "last": "takes the last turn of the round",
        "after": f"acts right after {target}",
        "before": f"acts before {target if foe else 'all of the others'}",
    }[goal]
