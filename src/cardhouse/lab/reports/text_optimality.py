"""The text of optimality gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cardhouse.lab.questions.optimality import OptimalityGap
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.running.study import Answer, Result
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import capital, name_of, variants
from cardhouse.lab.words.leading_finding import QUOTED
from cardhouse.lab.words.numbers import how_many, number_shown

MOST_LINES: Final = 8
"""The most combinations of settings that are all described."""


def sentences(gap: OptimalityGap) -> Iterator[str]:
    """Yield the distance from best play in a sentence; then what best play is, and how it is known.

    Play that isn't proven to be the best is called the best found.
    """
    yield f"{_distance(gap)}{_thumb(gap)}."
    yield f"{gap.about} Compared in {how_many(gap.trials, gap.trial)}, each played in all these ways."


def _distance(gap: OptimalityGap) -> str:
    """Return the distance of the policy asked for from the best."""
    best = "best play" if gap.proven else "the best play found"
    if gap.is_best:
        return f"This is {best}"
    number = gap.more
    if number.value is None:
        return f"The gap to {best} is unclear"
    if not number.differed:
        return f"{capital(best)} gives the same result"
    less = number.value < 0
    shown = _shown(gap.finding, number)
    sentence = f"{capital(best)} would {(gap.less_text if less else gap.more_text).format(shown)}"
    return f"{sentence}, which may be chance" if number.error is not None and not number.is_clear else sentence


def _thumb(gap: OptimalityGap) -> str:
    """Return how near a rule of thumb comes."""
    number = gap.thumb_more
    if number is None or number.value is None:
        return ""
    if gap.thumb_is_asked:
        return "; no known rule of thumb is closer"
    if not number.differed:
        return f"; {QUOTED.format(gap.thumb)} gives the same result"
    shown = _shown(gap.finding, number)
    return f"; {QUOTED.format(gap.thumb)} comes within {shown} of it"


def _shown(finding: Finding, number: Estimate) -> str:
    """Return a difference with its error, without sign or unit; the sentence has the unit of shares, points."""
    flipped = number
    if number.value is not None and number.value < 0:
        low, high = (None if end is None else -end for end in (number.high, number.low))
        flipped = msgspec.structs.replace(number, value=-number.value, low=low, high=high)
    return number_shown(finding, flipped).removesuffix("%")


def _subject(answer: Answer) -> str:
    """Return what a sentence is about; "" if only one thing is possible."""
    here, _ = variants(answer.cell)
    return ", ".join(filter(None, (name_of(answer), here)))


def best_lines(result: Result) -> list[str]:
    """Return a study's sentences about best play: a line for each combination of settings, with its name.

    With two variants, they describe the first, which is then named. With many combinations, only the nearest and the
    furthest are described. How it is known comes last, once.
    """
    near = [(_subject(answer), answer.beside) for answer in result.answers if answer.beside is not None]
    if len(near) > MOST_LINES:
        near.sort(key=lambda one: abs(one[1].more.value or 0.0))
        near = [near[0], near[-1]]
    lines = [(name, *sentences(beside)) for name, beside in near]
    return [*(f"{name}: {far}" if name else far for name, far, _ in lines), *dict.fromkeys(how for *_, how in lines)]
