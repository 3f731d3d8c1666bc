"""The finding that leads an answer, or the display of one in progress (`cardhouse.lab.statistics.leading`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.lab.statistics.estimate import Estimate
from cardhouse.lab.statistics.leading import SATURATED, Shift, is_saturated, leading, most_telling

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Finding
    from cardhouse.lab.running.study import Answer, Found


class Lead(NamedTuple):
    """The finding that leads, and its change; None if nothing is compared, or no change is clear.

    `moves` are the largest changes of all findings, in their order.
    """

    finding: Finding
    move: Shift | None
    moves: Sequence[Shift]


def lead_of(answers: Sequence[Answer], confidence: float) -> Lead:
    """Return the finding that leads these answers, of which there is at least one.

    It changed most between two variants, or between combinations of settings, or, with both, between the variants in
    one of these combinations. Without a clear change it is the question's first, or another if that one is saturated.
    """
    moves = list(_moves_of(answers))
    if (move := leading(moves, confidence)) is not None:
        return Lead(move.finding, move, moves)
    return Lead(most_telling(list(_known(answers))), None, moves)


def _moves_of(answers: Sequence[Answer]) -> Iterator[Shift]:
    """Yield each finding's largest change; nothing for a single combination of settings without a variant."""
    keys = dict.fromkeys(one.finding.key for one in answers[0].found)
    for key in keys:
        those = [one for answer in answers for one in answer.found if one.finding.key == key]
        if len(those) < len(answers):
            continue  # other settings count something else
        if answers[0].cell.versus is not None:
            move = max(_between_variants(those), key=lambda one: one.rank, default=None)
        else:
            move = _between_settings(those)
        if move is not None:
            yield move


def _between_variants(found: Sequence[Found]) -> Iterator[Shift]:
    """Yield the change of a finding between two variants, in each combination of settings."""
    for place, one in enumerate(found):
        if one.versus is None or one.more is None or one.more.error is None:
            continue
        here, there = one.estimate.value, one.versus.value
        if here is not None and there is not None:
            yield Shift(one.finding, here, there, one.more, one.more.error, (place, place))


def _between_settings(found: Sequence[Found]) -> Shift | None:
    """Return the change from the least to the most, in the order of the settings; None if fewer than two are known.

    It is clear if the two intervals don't touch.
    """
    known = [(place, number) for place, one in enumerate(found) if (number := number_of(one)).error is not None]
    if len(known) < 2:
        return None

    def size(one: tuple[int, Estimate]) -> float:
        return one[1].value or 0.0

    (first, here), (second, there) = sorted((min(known, key=size), max(known, key=size)), key=lambda one: one[0])
    assert here.value is not None
    assert here.low is not None
    assert here.high is not None
    assert there.value is not None
    assert there.low is not None
    assert there.high is not None
    more = Estimate(there.value - here.value, there.low - here.high, there.high - here.low, there.trials)
    doubt = sum(found[place].estimate.error or 0.0 for place in (first, second))
    return Shift(found[first].finding, here.value, there.value, more, doubt, (first, second))


def number_of(one: Found) -> Estimate:
    """Return a finding's number: the exact one, with an interval of no width, or the one that was played."""
    if one.exact is None:
        return one.estimate
    return Estimate(one.exact, one.exact, one.exact, one.estimate.trials)


def _known(answers: Sequence[Answer]) -> Iterator[tuple[Finding, list[float | None]]]:
    """Yield the findings of the first answer, each with its values in all of them, in both variants."""
    for one in answers[0].found:
        those = [each for answer in answers for each in answer.found if each.finding.key == one.finding.key]
        there = [each.versus.value for each in those if each.versus is not None]
        yield one.finding, [*(number_of(each).value for each in those), *there]


def is_informative(one: Found) -> bool:
    """Return whether a finding by itself says something: it is known, no share near 0 or 1, and no mean near 0."""
    value = number_of(one).value
    return value is not None and value >= SATURATED and not is_saturated(one.finding, [value])


def is_known(one: Found) -> bool:
    """Return whether any number of a finding is known; without any, its row would be only dashes."""
    numbers = [number for number in (one.estimate, one.versus) if number is not None]
    return one.exact is not None or any(number.value is not None for number in numbers)
