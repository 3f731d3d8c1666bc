"""An answer told to players: one sentence, what it is true of, and a hundred trials that can be counted."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Column(Struct, frozen=True):
    """The number of a hundred trials that ended here; `bright` marks the column that the sentence is about."""

    label: str
    count: int
    bright: bool = False


class Picture(Struct, frozen=True):
    """A hundred trials, a stone for each that was lost, in columns; `spared` are the others."""

    title: str
    caption: str
    columns: list[Column]
    spared: Column


class Tale(Struct, frozen=True):
    """The answer to a question as a sentence; `line` names its conditions. The picture is optional."""

    sentence: str
    line: str
    picture: Picture | None = None


def ordinal(number: int) -> str:
    """The word for a place in a row, from 1: `fifth`; from 11 on in digits: `21st`."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def hundred(shares: Sequence[float]) -> list[int]:
    """Shares that add up to 1 as whole numbers that add up to 100: the largest remainders are rounded up."""
    counts = [int(100 * share) for share in shares]
    missing = 100 - sum(counts)
    by_remainder = sorted(range(len(shares)), key=lambda place: counts[place] - 100 * shares[place])
    for place in by_remainder[: max(0, missing)]:
        counts[place] += 1
    return counts
