"""An answer told to players: one sentence, what it is true of, and a picture that can be counted or compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor, log10
from typing import Literal

from msgspec import Struct

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_COLUMNS = 12
"""So many columns have room in a picture."""

Shape = Literal["stone", "person", "card"]
"""What stands for a trial: a gravestone, somebody who is well, or a card where nobody is hurt."""


class Column(Struct, frozen=True):
    """The number of a hundred trials that ended alike; `bright` marks the column that the sentence is about."""

    label: str
    count: int
    bright: bool = False
    shape: Shape = "stone"


class Bar(Struct, frozen=True):
    """A number to compare with others; `low` and `high` are the ends of its interval, where it was played.

    `key` is the finding it is.
    """

    label: str
    value: float
    shown: str
    bright: bool = False
    key: str = ""
    low: float | None = None
    high: float | None = None


class Picture(Struct, frozen=True):
    """A hundred trials in columns, or numbers as bars."""

    title: str
    caption: str = ""
    columns: list[Column] = []
    bars: list[Bar] = []


class Tale(Struct, frozen=True):
    """The answer to a question as a sentence; `line` names its conditions. The picture is optional."""

    sentence: str
    line: str
    picture: Picture | None = None


Values = Mapping[str, float]
"""What is known, by the key of its finding."""


def ordinal(number: int) -> str:
    """The word for a place in a row, from 1: `fifth`; from 11 on in digits: `21st`."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(number: int, what: str, several: str = "") -> str:
    """So many of something, a small number as a word: `one opponent`, `two heroes`."""
    word = COUNTED[number] if number < len(COUNTED) else f"{number:,}"
    return f"{word} {what if number == 1 else several or f'{what}s'}"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: `aces, kings and queens`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def percent(share: float) -> str:
    """A share as players read it: `58%`; what is nearly never or always so is not told as never or always."""
    if 0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def two_digits(number: float) -> str:
    """A number as players read it: with two digits that count, `8.7` or `0.34`, but whole from 10 on."""
    if round(abs(number), 3) == 0:
        return "0"
    digits = max(0, 1 - floor(log10(abs(number))))
    return f"{number:,.{digits}f}".removesuffix(".0")


def hundred(shares: Sequence[float]) -> list[int]:
    """Shares that add up to 1 as whole numbers that add up to 100: the largest remainders are rounded up."""
    counts = [int(100 * share) for share in shares]
    missing = 100 - sum(counts)
    by_remainder = sorted(range(len(shares)), key=lambda place: counts[place] - 100 * shares[place])
    for place in by_remainder[: max(0, missing)]:
        counts[place] += 1
    return counts


def columns_of(*columns: tuple[str, float, Shape], bright: str = "") -> list[Column]:
    """A hundred trials by how they ended: what that is called, its share, and what stands for it."""
    counts = hundred([share for _, share, _ in columns])
    return [
        Column(label, count, label == bright, shape) for (label, _, shape), count in zip(columns, counts, strict=True)
    ]


def in_a_row(
    shares: Sequence[float], first: int, bright: int, *others: tuple[str, float, Shape], and_more: bool = False
) -> list[Column]:
    """A hundred trials by a number, from `first` on, then others; many numbers share columns, `4-5`.

    The last number stands for more, too, if `and_more` says so.
    """
    wide = -(-len(shares) // MOST_COLUMNS)
    told: list[tuple[str, float, Shape]] = []
    brightest = ""
    for place in range(0, len(shares), wide):
        some = shares[place : place + wide]
        least, most = first + place, first + place + len(some) - 1
        last = and_more and place + wide >= len(shares)
        label = f"{least}+" if last else str(least) if least == most else f"{least}\N{EN DASH}{most}"
        told.append((label, sum(some), "card"))
        brightest = label if least <= bright else brightest
    found = columns_of(*told, *others, bright=brightest)
    return [*found[: len(told)], *(one for one in found[len(told) :] if one.count)]


def or_else(
    title: str, happens: str, otherwise: str, share: float, shapes: tuple[Shape, Shape] = ("card", "card")
) -> Picture:
    """A hundred trials of two kinds: those in which something happens, and the others."""
    columns = columns_of((happens, share, shapes[0]), (otherwise, 1 - share, shapes[1]), bright=happens)
    return Picture(title, columns=columns)


def steps(values: Values, key: str, numbers: Sequence[int], start: float) -> list[float] | None:
    """By how much each of a line of findings differs from the one before it; None if one of them isn't known."""
    line = [values.get(f"{key}_{number}") for number in numbers]
    known = [start, *(value for value in line if value is not None)]
    return [now - before for before, now in pairwise(known)] if len(known) == len(line) + 1 else None


def knows(values: Values, *keys: str) -> bool:
    """Whether all of these findings are known."""
    return all(key in values for key in keys)
