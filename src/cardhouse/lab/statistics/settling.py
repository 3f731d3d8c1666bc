"""How many trials it takes to tell two numbers apart."""

from __future__ import annotations

from math import ceil, floor, inf, log10
from typing import Final, NamedTuple

MOST_TO_SETTLE: Final = 1_000_000
"""Numbers that it would take more trials to tell apart are about even."""


class Gap(NamedTuple):
    """The distance between a number and a bound, and how far the number's interval reaches towards the bound.

    For two numbers, both intervals together.
    """

    distance: float
    half_width: float


def gap_to(bound: float, value: float, low: float, high: float) -> Gap:
    """Return the gap between a number with this interval and a bound."""
    return Gap(abs(value - bound), value - low if value > bound else high - value)


def trials_to_settle(trials: int, *gaps: Gap) -> int | None:
    """Return about how many trials close every gap, rounded up to one significant digit; None above MOST_TO_SETTLE.

    So many `trials` gave the intervals, which narrow with the square root of the trials.
    """
    needed = max(trials * (gap.half_width / gap.distance) ** 2 if gap.distance else inf for gap in gaps)
    if needed > MOST_TO_SETTLE:
        return None
    digit = int(10 ** floor(log10(max(1.0, needed))))
    return ceil(round(needed / digit, 6)) * digit
