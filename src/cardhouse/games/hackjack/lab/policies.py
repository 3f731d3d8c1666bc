"""Policies for preventing blood loss (HJ-10) that a study can name."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.expressions import LONGEST, Expression, read_expression

HOLD_IF = "hold if "
LONGEST_PREVENT = LONGEST + len(HOLD_IF)
KNOWN = {"score": "the death-score", "pool": "the Blood in the pool"}
"""The variables of an expression."""
PREVENT = re.compile(r"never|always|by heart|best|(at|unless) (\d{1,4})")

Prevent = Annotated[
    str,
    msgspec.Meta(
        max_length=LONGEST_PREVENT,
        description="when to prevent blood loss (HJ-10): never; always; at 15 (death-score and pool make 15 or more); "
        "unless 11 (they make exactly 11); by heart (best without counting cards); best (counting cards); or your own "
        "rule, such as hold if score + pool >= 11",
    ),
]

AT, UNLESS, WRITTEN, BY_HEART, BEST = range(5)
"""KIND: at or above a number, unless it is the number, as written, best by score and pool, best by counting cards."""

NEVER = 1 << 30
"""The threshold of a character that never prevents blood loss."""


class Policy(NamedTuple):
    """When a bleeding character prevents blood loss. `number` is the threshold of AT and UNLESS."""

    kind: int
    number: int


def read_prevent(text: str) -> Policy:
    """Parse a policy.

    Raises CardhouseError if it is not one of the policies.
    """
    if text.startswith(HOLD_IF):
        written_rule(text)
        return Policy(WRITTEN, 0)
    match = PREVENT.fullmatch(text)
    if match is None:
        raise CardhouseError(
            f"prevent is never, always, at 15, unless 11 (or another number), hold if score + pool >= 11, "
            f'by heart, or best, not "{text[:40]}".'
        )
    if match[1] is not None:
        return Policy(AT if match[1] == "at" else UNLESS, int(match[2]))
    if text in ("never", "always"):
        return Policy(AT, 0 if text == "always" else NEVER)
    return Policy(BY_HEART if text == "by heart" else BEST, 0)


def written_rule(text: str) -> Expression:
    """Return the expression of a written policy.

    Raises CardhouseError unless it is one of death-score and pool.
    """
    return read_expression(text.removeprefix(HOLD_IF), KNOWN)


def never_holds(kind: int, number: int) -> bool:
    """Return whether such a policy never prevents blood loss."""
    return kind == AT and number >= NEVER


def looks_ahead(kind: int) -> bool:
    """Return whether such a policy weighs the effects of the next hit."""
    return kind >= BY_HEART


def holds(score: int, blood: int, kind: int, number: int) -> bool:
    """Return whether a bleeding character prevents blood loss, by the sum of death-score and pool (HJ-10)."""
    together = score + blood
    return together != number if kind == UNLESS else together >= number
