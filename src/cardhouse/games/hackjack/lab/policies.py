"""How those who bleed decide whether to hold their blood (HJ-10): the policies that a study can name."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.expressions import LONGEST, Expression, read_expression

HOLD_IF = "hold if "
KNOWN = {"score": "the death-score", "pool": "the Blood in the pool"}
"""What an expression can be about."""
PREVENT = re.compile(r"never|always|by heart|best|(at|unless) (\d{1,4})")

Prevent = Annotated[
    str,
    msgspec.Meta(
        max_length=LONGEST + len(HOLD_IF),
        description="when to prevent blood loss (HJ-10): never; always; at 15 (death-score and pool make 15 or more); "
        "unless 11 (they make exactly 11); by heart (best without counting cards); best (counting cards); or your own "
        "rule, such as hold if score + pool >= 11",
    ),
]

AT, UNLESS, WRITTEN, BY_HEART, BEST = range(5)
"""KIND: from so much on, unless it is so much, as written, best by score and pool, best by the cards left as well."""

NEVER = 1 << 30
"""The score from which one prevents blood loss who never does."""


class Policy(NamedTuple):
    """When somebody who bleeds holds the blood back; `number` is what AT and UNLESS are about."""

    kind: int
    number: int


def read_prevent(text: str) -> Policy:
    """When somebody prevents blood loss.

    Raises CardhouseError if it is not one of the policies.
    """
    if text.startswith(HOLD_IF):
        written(text)
        return Policy(WRITTEN, 0)
    said = PREVENT.fullmatch(text)
    if said is None:
        raise CardhouseError(
            f"prevent is never, always, at 15, unless 11 (or another number), hold if score + pool >= 11, "
            f'by heart, or best, not "{text[:40]}".'
        )
    if said[1] is not None:
        return Policy(AT if said[1] == "at" else UNLESS, int(said[2]))
    if text in ("never", "always"):
        return Policy(AT, 0 if text == "always" else NEVER)
    return Policy(BY_HEART if text == "by heart" else BEST, 0)


def written(text: str) -> Expression:
    """The expression of a policy that says for itself when to hold.

    Raises CardhouseError if it is none of death-score and pool.
    """
    return read_expression(text.removeprefix(HOLD_IF), KNOWN)


def never_holds(kind: int, number: int) -> bool:
    """Whether whoever has such a policy never prevents blood loss."""
    return kind == AT and number >= NEVER


def looks_ahead(kind: int) -> bool:
    """Whether such a policy weighs what the next hit may bring."""
    return kind >= BY_HEART


def holds(score: int, blood: int, kind: int, number: int) -> bool:
    """Whether somebody who bleeds holds the blood back, by how much both make together (HJ-10)."""
    together = score + blood
    return together != number if kind == UNLESS else together >= number
