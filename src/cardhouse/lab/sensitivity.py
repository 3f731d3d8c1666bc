"""What matters most: everything about a question is changed in turn, on the same cards, and ranked by what that does.

    found = sensitivity(Deadly(hp=1, damage="2", hits=40), "dead by hit 3")
    found.effects[0].variation.text, found.effects[0].more

Nothing about it is known of any game: settings are changed as `cardhouse.lab.variations` does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.estimate import UNKNOWN, Estimate, difference, estimate
from cardhouse.lab.naming import find_finding
from cardhouse.lab.question import Finding, Question
from cardhouse.lab.settings import with_pieces
from cardhouse.lab.study import Cell, Study, check_trial, make_ready, need_the_extra, usual_trials
from cardhouse.lab.tally import in_batches
from cardhouse.lab.variations import Variation, changed, variations
from cardhouse.lab.workers import Halted, cores, in_order, workers_for

if TYPE_CHECKING:
    import polars as pl

    from cardhouse.lab.tally import Counts

USUAL_TRIALS = 100_000
"""So many trials are played of each change if nobody says how many, and kernels play them."""
AT_ONCE = 8_000_000
"""So many pairs of values are counted side by side, of up to four workers; of more, fewer: they take memory."""
BY_RULES_AT_ONCE = 8
"""So many changes are played side by side where the rules play them: it is to be stopped soon."""
FEW = 3
"""So many of the pieces that matter most are changed together, too."""


class Effect(msgspec.Struct, frozen=True):
    """What a change does: the finding with it, and by how much `more` that is than without.

    The interval of `more` is one of many that hold all at once.
    """

    variation: Variation
    estimate: Estimate
    more: Estimate

    @property
    def is_seen(self) -> bool:
        """Whether the change can be told from no change at all."""
        low, high = self.more.low, self.more.high
        return low is not None and high is not None and not low <= 0 <= high


class Together(msgspec.Struct, frozen=True):
    """What changing the pieces of a setting that matter most does, all at once, on cards that nothing was chosen by."""

    setting: str
    effects: tuple[Effect, ...]
    estimate: Estimate
    more: Estimate
    question: Question


class Sensitivity(msgspec.Struct, frozen=True):
    """Every change and what it does to a finding of a question, the strongest first.

    Each effect rests on so many `trials`; all their intervals hold at once with this `confidence`, for which each by
    itself is one of `each` (Bonferroni). `left_out` are changes for which there is no such finding, `not_begun` those
    that were not yet played when it was stopped.
    """

    question: Question
    finding: Finding
    estimate: Estimate
    effects: tuple[Effect, ...]
    together: tuple[Together, ...]
    left_out: tuple[str, ...]
    not_begun: tuple[str, ...]
    vary: tuple[str, ...]
    trials: int
    asked: int
    seed: int
    confidence: float
    each: float
    seconds: float
    stopped: bool

    def to_polars(self) -> pl.DataFrame:
        """A row for each change, the strongest first."""
        from cardhouse.lab.change_report import frame_of

        return frame_of(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from cardhouse.lab.notebook import html_of_changes

        return html_of_changes(self)


def sensitivity(
    question: Question,
    of: str = "",
    *,
    vary: Sequence[str] = (),
    trials: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    cluster: str | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
    halt: Callable[[], bool] = lambda: False,
) -> Sensitivity:
    """Change everything about a question in turn, or what `vary` names, and rank it by its effect on a finding.

    `of` is the finding's key, or words of it; by default it is what the question is about. Each change is played so
    many trials, of the same chance as the question itself. `tell` hears how many trials of how many are played; `halt`
    may stop it, and so may Ctrl-C: what was played so far is told.
    Raises CardhouseError, in words, for what can't be asked.
    """
    need_the_extra()
    question.check_settings()
    finding = find_finding(question.findings(), of) if of else question.findings()[0]
    every = variations(question, vary)
    found = [one for one in every if _has(one.question, finding)]
    if not found:
        raise CardhouseError(f"Nothing about {question.name} can be changed by itself.")
    many = trials_for(question, trials)
    Study(cells=(Cell(question),), trials=many, seed=seed, confidence=confidence).check()
    check_trial(many)
    each = 1 - (1 - confidence) / len(found)
    begun = time.perf_counter()
    effects: list[Effect] = []
    here, done, stopped = UNKNOWN, many, False
    compiled = question.compiled and all(one.question.compiled for one in found)
    with workers_for(compiled=compiled, cores=workers or cores(), cluster=cluster) as (executor, number):
        if compiled:
            for one in (question, found[0].question):
                make_ready(one, None, seed)
        play = partial(_pairs, executor, number, finding, many, halt=halt)
        for beside, some in _at_once(question, finding, found, number if compiled else 0):
            asked = [one.question for one in some]
            joint, played, stopped = play(
                beside, asked, seed, partial(_told, tell, len(effects) * many, len(found) * many)
            )
            if not played:
                break
            done = min(done, played)
            here = estimate(finding, joint[0].sum(axis=1), confidence)
            effects += map(partial(_effect, finding, confidence, each), some, joint)
            if stopped:
                break
        not_begun = tuple(one.text for one in found[len(effects) :])
        effects.sort(key=lambda one: -abs(one.more.value or 0))
        together = [] if stopped else list(_together(question, finding, effects, each, partial(play, seed=seed + 1)))
    return Sensitivity(
        question,
        finding,
        here,
        tuple(effects),
        tuple(together),
        tuple(one.text for one in every if one not in found),
        not_begun,
        tuple(vary),
        done if effects else 0,
        many,
        seed,
        confidence,
        each,
        time.perf_counter() - begun,
        stopped,
    )


def trials_for(question: Question, trials: int | None) -> int:
    """How many trials are played of each change: as many as somebody said, or as is usual."""
    return min(USUAL_TRIALS, usual_trials([Cell(question)])) if trials is None else trials


def _told(tell: Callable[[int, int], None], before: int, of: int, done: int) -> None:
    tell(before + done, of)


def _has(question: Question, finding: Finding) -> bool:
    return any(one.key == finding.key for one in question.findings())


def _effect(finding: Finding, confidence: float, each: float, variation: Variation, joint: Counts) -> Effect:
    other = _same(variation.question, finding)
    there = estimate(other, joint.sum(axis=0), confidence)
    return Effect(variation, there, difference(finding, joint, each, other))


def _together(
    question: Question, finding: Finding, effects: Sequence[Effect], each: float, play: Callable[..., Any]
) -> Iterator[Together]:
    """Of each setting with pieces, the few whose change by itself lowers the finding most, together, on new cards."""
    settings = dict.fromkeys(one.variation.setting for one in effects if one.variation.key)
    for name in settings:
        lowering = [
            one for one in effects if one.variation.setting == name and one.is_seen and (one.more.value or 0) < 0
        ]
        few = {one.variation.key: one for one in reversed(lowering)}  # of a piece what does most
        most = sorted(few.values(), key=lambda one: one.more.value or 0)[:FEW]
        becomes = {one.variation.key: one.variation.becomes for one in most}
        other = changed(question, {name: with_pieces(question, name, becomes)}) if len(most) > 1 else None
        if other is not None and _has(other, finding):
            beside, there_too = question.paired_with(other)
            (joint,), played, _ = play(beside, [there_too])
            if played:
                both = _same(there_too, finding)
                there = estimate(both, joint.sum(axis=0), each)
                yield Together(name, tuple(most), there, difference(finding, joint, each, both), other)


# Playing


def _pairs(
    executor: Any,
    workers: int,
    finding: Finding,
    trials: int,
    question: Question,
    others: Sequence[Question],
    seed: int,
    tell: Callable[[int], None] = lambda done: None,
    *,
    halt: Callable[[], bool],
) -> tuple[list[Counts], int, bool]:
    """How often each pair of values came up, here and with each change; of how many trials; whether it was stopped."""
    size = max(1, question.at_once // 4)
    pieces = [(first, min(size, trials - first)) for first in range(0, trials, size)]
    work = partial(_piece, question, tuple(others), finding, seed)
    joint: list[Counts] = []
    played = 0
    try:
        for piece in in_order(executor, workers, work, pieces):
            joint = [one + more for one, more in zip(joint, piece, strict=True)] if joint else piece
            played = min(played + size, trials)
            tell(played * len(others))
            if halt():
                raise Halted
    except KeyboardInterrupt:
        return joint, played, True
    return joint, played, False


def _piece(
    question: Question, others: tuple[Question, ...], finding: Finding, seed: int, part: tuple[int, int]
) -> list[Counts]:
    """The pairs of some trials."""
    import numpy as np

    columns = [_column(each, finding) for each in (question, *others)]
    joint = [np.zeros((columns[0][1], size), np.int64) for _, size in columns[1:]]
    for here, *there in in_batches(seed, *part, question, *others):
        column, most = columns[0]
        values = np.minimum(here[:, column], most - 1).astype(np.int64)
        for counts, rows, (other, size) in zip(joint, there, columns[1:], strict=True):
            pairs = values * size + np.minimum(rows[:, other], size - 1)
            counts += np.bincount(pairs, minlength=counts.size).reshape(counts.shape)
    return joint


def _column(question: Question, finding: Finding) -> tuple[int, int]:
    """Where the measure of a finding stands in a row, and how many values it tells apart."""
    measure = _same(question, finding).measure
    for place, one in enumerate(question.measures()):
        if one.key == measure:
            return place, one.size
    raise CardhouseError(f"{question.name} has no measure {measure}.")


def _same(question: Question, finding: Finding) -> Finding:
    """The finding of this key that another question has."""
    return next(one for one in question.findings() if one.key == finding.key)


def _at_once(
    question: Question, finding: Finding, found: Sequence[Variation], threads: int
) -> Iterator[tuple[Question, list[Variation]]]:
    """The changes in groups, each of which has room to be counted side by side; no threads are processes.

    With the question as it is played beside each group.
    """
    size, whole = _column(question, finding)[1], 4 * AT_ONCE // max(4, threads)
    room, most = whole, len(found) if threads else BY_RULES_AT_ONCE
    beside, group = question, list[Variation]()
    for one in found:
        here, there = question.paired_with(one.question)
        need = size * _column(there, finding)[1]
        if group and (room < need or len(group) == most or here != beside):
            yield beside, group
            group, room = [], whole
        beside = here
        group.append(one if there is one.question else msgspec.structs.replace(one, question=there))
        room -= need
    if group:
        yield beside, group
