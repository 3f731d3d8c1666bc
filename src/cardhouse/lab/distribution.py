"""How often each value came up, as bars that can be seen: none without width, none of nothing far out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

MOST_BARS: Final = 40
TAIL: Final = 0.001
"""Values further out than all but this share of the trials go into the last bar."""


class Bar(NamedTuple):
    """The values `first` to `last`, or `more`, and the share of the trials of each variant in which they came up."""

    first: int
    last: int
    more: bool
    shares: tuple[float, ...]


def bars(counts: Sequence[int], others: Sequence[int] | None = None) -> list[Bar]:
    """Bars of equal width, from the least value that came up; none, if nothing did.

    The last value of a measure stands for more as well, and so may the last bar.
    """
    columns = [counts] if others is None else [counts, others]
    totals = [sum(column) for column in columns]
    if not all(totals):
        return []
    first = min(next(value for value, count in enumerate(column) if count) for column in columns)
    last = max(_end(column, total) for column, total in zip(columns, totals, strict=True))
    wide = -(-(last - first + 1) // MOST_BARS)
    size = max(map(len, columns))
    found = []
    for left in range(first, last + 1, wide):
        right = left + wide
        end = size if right > last else right
        shares = tuple(sum(column[left:end]) / total for column, total in zip(columns, totals, strict=True))
        beyond = any(any(column[right:]) or (right >= len(column) > 2 and column[-1]) for column in columns)
        found.append(Bar(left, right - 1, right > last and beyond, shares))
    return found


def _end(counts: Sequence[int], total: int) -> int:
    """The last value to have a bar of its own."""
    seen = 0
    for value, count in enumerate(counts):
        seen += count
        if seen >= (1 - TAIL) * total and (seen == total or value > 0):
            return value
    return len(counts) - 1
