"""How far something is from best play, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cardhouse.lab.questions.optimality import OptimalityGap
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.running.study import Answer, Result
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import name_of, variants
from cardhouse.lab.words.numbers import how_many, number_shown

MOST_LINES: Final = 8
"""Of so many combinations of settings each is told of."""
QUOTED: Final = "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}"


def sentences(told: OptimalityGap) -> Iterator[str]:
    """How far it is from best play, as one says it; then what that is, and how it is known."""
    yield f"{_far(told)}{_thumb(told)}."
    yield f"{told.about} Compared in {how_many(told.trials, told.trial)}, each played in all these ways."


def _far(told: OptimalityGap) -> str:
    """How far what was asked for is from the best."""
    if told.is_best:
        return "This is best play"
    number = told.more
    if number.value is None:
        return "The gap to best play is unclear"
    if not number.differed:
        return "Best play gives the same result"
    less = number.value < 0
    shown = _shown(told.finding, number)
    said = f"Best play would {(told.less_text if less else told.more_text).format(shown)}"
    if number.error is not None and not number.is_clear:
        return f"{said}, which may be chance"
    return said if less == told.less_is_better else f"{said}: best is only the best found"


def _thumb(told: OptimalityGap) -> str:
    """Which rule of thumb comes how near."""
    number = told.thumb_more
    if number is None or number.value is None:
        return ""
    if told.thumb_is_asked:
        return "; no known rule of thumb is closer"
    if not number.differed:
        return f"; {QUOTED.format(told.thumb)} gives the same result"
    shown = _shown(told.finding, number)
    return f"; {QUOTED.format(told.thumb)} comes within {shown} of it"


def _shown(finding: Finding, number: Estimate) -> str:
    """A difference with its error, without its sign; of shares in points, whose word is in the sentence."""
    flipped = number
    if number.value is not None and number.value < 0:
        low, high = (None if end is None else -end for end in (number.high, number.low))
        flipped = msgspec.structs.replace(number, value=-number.value, low=low, high=high)
    return number_shown(finding, flipped).removesuffix("%")


def _whose(answer: Answer) -> str:
    """What a sentence is about; nothing where there is nothing else that it could be about."""
    here, _ = variants(answer.cell)
    return ", ".join(filter(None, (name_of(answer), here)))


def best_lines(result: Result) -> list[str]:
    """What a study tells of best play, a sentence or two each: of every combination of settings, by its name.

    Of two variants it is the first, which is then named. Of many combinations only the two are told that are nearest to
    it and furthest from it. How it is known is said last, and once.
    """
    near = [(_whose(answer), answer.beside) for answer in result.answers if answer.beside is not None]
    if len(near) > MOST_LINES:
        near.sort(key=lambda one: abs(one[1].more.value or 0.0))
        near = [near[0], near[-1]]
    said = [(name, *sentences(beside)) for name, beside in near]
    return [*(f"{name}: {far}" if name else far for name, far, _ in said), *dict.fromkeys(how for *_, how in said)]
