"""Answers for players to searches: what matters most, and which settings meet targets, as a sentence and a picture."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.lab.questions.answer import Bar, Picture, Tale
from cardhouse.lab.questions.question import Finding
from cardhouse.lab.reports.text_sensitivity import sentences
from cardhouse.lab.reports.text_tuning import describe_changes, verdict
from cardhouse.lab.search.sensitivity import Sensitivity
from cardhouse.lab.search.tuning import Candidate, Tuned
from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.words.labels import capital
from cardhouse.lab.words.leading_finding import QUOTED, shown_apart, shown_value
from cardhouse.lab.words.numbers import how_many

MOST_BARS = 8
"""The most bars in a picture."""
AS_IT_IS = "as it is"


def tale_of_effects(found: Sensitivity) -> Tale | None:
    """Return what matters most; None if nothing was played."""
    if not found.effects or found.estimate.value is None:
        return None
    finding, first = found.finding, found.effects[0]
    changes = how_many(len(found.effects), "change")
    if not first.is_seen or first.estimate.value is None:
        sentence = f"None of {changes} has a clear effect."
    else:
        verb = "rises" if first.estimate.value > found.estimate.value else "falls"
        numbers = "from {} to {}".format(*shown_apart(finding, found.estimate.value, first.estimate.value))
        sentence = f"With {first.variation.text}, {QUOTED.format(finding.text)} {verb} most: {numbers}."
    strongest = [(one.variation.text, one.estimate) for one in found.effects[: MOST_BARS - 1]]
    bars = _bars(finding, [(AS_IT_IS, found.estimate), *strongest])
    return Tale(sentence, next(sentences(found)), Picture(capital(finding.text), "The strongest changes.", bars=bars))


def tale_of_choices(found: Tuned) -> Tale | None:
    """Return which settings meet the targets, or come nearest; None if nothing was tried."""
    if not found.best:
        return None
    first, target = found.best[0], found.targets[0]
    goal = "all targets" if len(found.targets) > 1 else "the target"
    sentence = f"{capital(describe_changes(first))}: that meets {goal}." if first.meets else verdict(found)
    line = f"Wanted: {'; '.join(one.text for one in found.targets)}."

    def named(one: Candidate) -> tuple[str, Estimate]:
        return describe_changes(one), one.estimates[0]

    now = [(AS_IT_IS, found.now.estimates[0])] if found.now is not None else []
    best = [named(one) for one in found.best[: MOST_BARS - 1] if one.differs]
    bars = _bars(target.finding, [*now, *best])
    picture = Picture(capital(target.finding.text), bars=bars) if len(bars) > 1 else None
    return Tale(sentence, line, picture)


def _bars(finding: Finding, numbers: Sequence[tuple[str, Estimate]]) -> list[Bar]:
    """Return a bar for each known number; the second, which the sentence is about, is bright."""
    return [
        Bar(name, number.value, shown_value(finding, number.value), place == 1, low=number.low, high=number.high)
        for place, (name, number) in enumerate(numbers)
        if number.value is not None
    ]
