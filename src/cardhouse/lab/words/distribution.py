"""Distributions as visible bars: each has a width, and far tails are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

MOST_BARS: Final = 40
TAIL: Final = 0.001
"""Values beyond all but this share of the trials go into the last bar."""


class HistogramBar(NamedTuple):
    """A bar from `left` to `right`, the last possibly for `more`, with the share of each variant's trials.

    A value with its own bar is in its middle.
    """

    left: float
    right: float
    more: bool
    shares: tuple[float, ...]


def bars(
    least: int, most: int | None, scale: float, counts: Sequence[int], others: Sequence[int] | None, zero: int = 0
) -> list[HistogramBar]:
    """Return bars of equal width for the counted values from `least` to `most`; none if there are none.

    Without `most`, all values, the last of which includes greater ones. A value above `zero` counts as `scale`.
    """
    columns = [column[: None if most is None else most + 1] for column in (counts, others) if column is not None]
    columns = [[0 if value < least else count for value, count in enumerate(column)] for column in columns]
    totals = [sum(column) for column in columns]
    if not all(totals):
        return []
    first = min(next(value for value, count in enumerate(column) if count) for column in columns)
    last = max(_end(column, total) for column, total in zip(columns, totals, strict=True))
    wide = -(-(last - first + 1) // MOST_BARS)
    found = []
    for left in range(first, last + 1, wide):
        right = left + wide
        is_last = right > last
        shares = tuple(
            sum(column[left : None if is_last else right]) / total
            for column, total in zip(columns, totals, strict=True)
        )
        beyond = is_last and any(any(column[right:]) or (most is None and column[-1]) for column in columns)
        found.append(HistogramBar((left - zero - 0.5) * scale, (right - zero - 0.5) * scale, beyond, shares))
    return found


def _end(counts: Sequence[int], total: int) -> int:
    """Return the last value with its own bar."""
    seen = 0
    for value, count in enumerate(counts):
        seen += count
        if seen >= (1 - TAIL) * total:
            return value
    return len(counts) - 1
