"""Answers for players: one sentence, its conditions, and a picture to count or compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor, inf, log10
from typing import Literal

from msgspec import Struct

from cardhouse.lab.statistics.settling import MOST_TO_SETTLE, Gap, gap_to, trials_to_settle

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NEAR = 0.05
"""An interval within this distance of an even share is about even."""
MOST_COLUMNS = 12
"""The most columns in a picture."""

Shape = Literal["stone", "person", "card"]
"""The symbol of a trial: a gravestone, a person who is well, or a card if nobody is hurt."""


class Column(Struct, frozen=True):
    """The number of a hundred trials that ended alike; `bright` marks the column that the sentence is about."""

    label: str
    count: int
    bright: bool = False
    shape: Shape = "stone"


class Bar(Struct, frozen=True):
    """A number to compare with others; `low` and `high` are the ends of its interval, if it was simulated.

    `key` names its finding.
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


class Values(dict[str, float]):
    """The known numbers, by the keys of their findings, and how far each is known."""

    def __init__(
        self,
        known: Mapping[str, float],
        intervals: Mapping[str, tuple[float | None, float | None]] | None = None,
        trials: int = 0,
    ) -> None:
        """Take numbers with the ends of their intervals; those without any are exact."""
        super().__init__(known)
        self.trials = trials
        self._intervals = intervals or {}

    def ends(self, key: str) -> tuple[float, float]:
        """Return both ends of a known number's interval; without bounds if it was seen only once."""
        low, high = self._intervals.get(key, (self[key], self[key]))
        return (-inf if low is None else low), (inf if high is None else high)

    def gap_to(self, bound: float, key: str) -> Gap:
        """Return the gap between a known number and a bound."""
        return gap_to(bound, self[key], *self.ends(key))

    def gap_between(self, key: str, other: str, slack: float = 0.0) -> Gap:
        """Return the gap between two known numbers, of which the lesser may be more by `slack`."""
        less, more = sorted((key, other), key=self.__getitem__)
        (_, high), (low, _) = self.ends(less), self.ends(more)
        return Gap(self[more] - self[less] + slack, high - self[less] + self[more] - low)


Verdict = Literal["over", "under", "even", "unknown"]


def verdict(low: float, high: float, middle: float = 0.5) -> Verdict:
    """Return on which side of a share the interval of another lies, if it is known; `even` if it is near, on both."""
    if low > middle or high < middle:
        return "over" if low > middle else "under"
    return "even" if max(middle - low, high - middle) <= NEAR else "unknown"


def would_tell(trial: str, trials: int, *gaps: Gap) -> str:
    """Return how many trials would tell numbers apart, to end a sentence; "" after a single trial."""
    if any(gap.half_width == inf for gap in gaps):
        return ""
    needed = trials_to_settle(trials, *gaps)
    return "they are about even" if needed is None else f"about {needed:,} {trial}s would tell"


def too_few(trial: str, tells: str, trials: int, *gaps: Gap) -> str:
    """Return the sentence that trials are too few to tell something, and about how many would tell."""
    if any(gap.half_width == inf for gap in gaps):
        return f"Too few {trial}s to tell {tells}."
    needed = trials_to_settle(trials, *gaps)
    if needed is None:
        return f"It would take over {MOST_TO_SETTLE:,} {trial}s to tell {tells}: about even."
    return f"Too few {trial}s to tell {tells}: about {needed:,} would."


def rivals(values: Values, keys: Iterable[str], best: str, slack: float = 0.0) -> dict[str, Gap]:
    """Return which of these numbers may be greater than `best` by more than `slack`, as far as their intervals tell.

    Each comes with its gap.
    """
    return {
        key: values.gap_between(best, key, slack)
        for key in keys
        if key != best and values.ends(key)[1] - values.ends(best)[0] > slack
    }


def advised(advice: Mapping[str, str], best: str, others: Mapping[str, Gap], trials: int, trial: str) -> str:
    """Return the advice for the best of several ways, unless `others` may be better; each is a whole sentence."""
    if not others:
        return advice[best]
    if len(others) > 1:
        return too_few(trial, "which way is best", trials, *others.values())
    ((other, gap),) = others.items()
    both = f"{advice[best].removesuffix('.')}, or {advice[other][:1].lower()}{advice[other][1:].removesuffix('.')}"
    return f"{both}: {would_tell(trial, trials, gap) or 'no clear difference'}."


def ordinal(number: int) -> str:
    """Return the ordinal of a number from 1: `fifth`; from 11 on in digits: `21st`."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(number: int, noun: str, several: str = "") -> str:
    """Return a count with its noun, a small number as a word: `one opponent`, `two heroes`."""
    word = COUNTED[number] if number < len(COUNTED) else f"{number:,}"
    return f"{word} {noun if number == 1 else several or f'{noun}s'}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: `aces, kings and queens`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def percent(share: float) -> str:
    """Return a share for players: `58%`; only exact values become 0% or 100%."""
    if 0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


def two_digits(number: float) -> str:
    """Return a number for players, with two significant digits: `8.7` or `0.34`, but whole from 10 on."""
    if round(abs(number), 3) == 0:
        return "0"
    digits = max(0, 1 - floor(log10(abs(number))))
    return f"{number:,.{digits}f}".removesuffix(".0")


def in_two_digits(*numbers: float) -> list[str]:
    """Return numbers with two significant digits, or more if it takes more to tell them apart."""
    for more in range(4):
        shown = [two_digits(number) if not more else f"{number:,.{more}f}" for number in numbers]
        if len(set(shown)) == len(set(numbers)):
            break
    return shown


def hundred(shares: Sequence[float]) -> list[int]:
    """Round shares that add up to 1 to integers that add up to 100, by the largest remainders."""
    counts = [int(100 * share) for share in shares]
    missing = 100 - sum(counts)
    by_remainder = sorted(range(len(shares)), key=lambda place: counts[place] - 100 * shares[place])
    for place in by_remainder[: max(0, missing)]:
        counts[place] += 1
    return counts


def columns_of(*columns: tuple[str, float, Shape], bright: str = "") -> list[Column]:
    """Return a hundred trials by how they ended; each column has a label, a share and a symbol."""
    counts = hundred([share for _, share, _ in columns])
    return [
        Column(label, count, label == bright, shape) for (label, _, shape), count in zip(columns, counts, strict=True)
    ]


def in_a_row(
    shares: Sequence[float], first: int, bright: int, *others: tuple[str, float, Shape], and_more: bool = False
) -> list[Column]:
    """Return a hundred trials by a number, from `first` on, then others; many numbers share columns, `4-5`.

    With `and_more`, the last number includes greater ones.
    """
    wide = -(-len(shares) // MOST_COLUMNS)
    parts: list[tuple[str, float, Shape]] = []
    brightest = ""
    for place in range(0, len(shares), wide):
        some = shares[place : place + wide]
        least, most = first + place, first + place + len(some) - 1
        last = and_more and place + wide >= len(shares)
        label = f"{least}+" if last else str(least) if least == most else f"{least}\N{EN DASH}{most}"
        parts.append((label, sum(some), "card"))
        brightest = label if least <= bright else brightest
    found = columns_of(*parts, *others, bright=brightest)
    return [*found[: len(parts)], *(one for one in found[len(parts) :] if one.count)]


def or_else(
    title: str, happens: str, otherwise: str, share: float, shapes: tuple[Shape, Shape] = ("card", "card")
) -> Picture:
    """Return a picture of a hundred trials of two kinds: those in which something happens, and the others."""
    columns = columns_of((happens, share, shapes[0]), (otherwise, 1 - share, shapes[1]), bright=happens)
    return Picture(title, columns=columns)


def steps(values: Values, key: str, numbers: Sequence[int], start: float) -> list[float] | None:
    """Return the differences between neighbours in a line of findings; None if one is unknown."""
    line = [values.get(f"{key}_{number}") for number in numbers]
    known = [start, *(value for value in line if value is not None)]
    return [now - before for before, now in pairwise(known)] if len(known) == len(line) + 1 else None


def knows(values: Values, *keys: str) -> bool:
    """Return whether all of these findings are known."""
    return all(key in values for key in keys)
