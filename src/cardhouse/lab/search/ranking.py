"""Rankings of changes in progress: everything is played on the same cards, and pairs of values are counted.

A ranking can be stopped at any time, and continued from there.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.cell import Cell
from cardhouse.lab.questions.question import Finding, Question, finding_of
from cardhouse.lab.questions.settings import with_pieces
from cardhouse.lab.running.executors import Players, Work
from cardhouse.lab.running.study import Progress
from cardhouse.lab.search.variations import Variation, changed
from cardhouse.lab.statistics.estimate import UNKNOWN, Estimate, difference, estimate
from cardhouse.lab.statistics.histogram import added, in_batches, pairs_of, values_of

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Rows
    from cardhouse.lab.statistics.histogram import Counts

AT_ONCE = 8_000_000
"""The most pairs of values that are counted in parallel by up to four workers, to limit memory; fewer with more."""
BY_RULES_AT_ONCE = 8
"""The most changes that are played in parallel by the rules, so that it can be stopped soon."""
FEW = 3
"""The number of strongest pieces that are also changed together."""


class Effect(msgspec.Struct, frozen=True):
    """The effect of a change: the finding with it, and the difference `more` from without.

    The interval of `more` is one of many that hold simultaneously.
    """

    variation: Variation
    estimate: Estimate
    more: Estimate

    @property
    def is_seen(self) -> bool:
        """Whether the effect is significant."""
        return self.more.is_clear


class CombinedEffect(msgspec.Struct, frozen=True):
    """The effect of changing a setting's strongest pieces all together, on fresh cards."""

    setting: str
    effects: tuple[Effect, ...]
    estimate: Estimate
    more: Estimate
    question: Question


def has(question: Question, finding: Finding) -> bool:
    """Return whether a question has a finding of this key."""
    return any(one.key == finding.key for one in question.findings())


class _Pairs(msgspec.Struct):
    """The counts of pairs of values, without and with a change, compressed."""

    shape: tuple[int, int]
    packed: bytes

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Compress these counts."""
        return cls((counts.shape[0], counts.shape[1]), zlib.compress(counts.tobytes(), 1))

    def counts(self) -> Counts:
        """Return the counts."""
        import numpy as np

        return np.frombuffer(zlib.decompress(self.packed), np.int64).reshape(self.shape)


class RankingProgress(msgspec.Struct):
    """The stored state of a ranking: `here`, and the finding and difference of each completed change.

    The next changes have been played for `trials`, with these `pairs` of values.
    """

    here: Estimate = UNKNOWN
    effects: list[tuple[Estimate, Estimate]] = []
    trials: int = 0
    pairs: list[_Pairs] = []


class Ranking:
    """A ranking: the effect of each change, in the order in which they are played.

    Each has `trials` behind it; the last few have fewer while they are being played.
    """

    def __init__(
        self,
        question: Question,
        finding: Finding,
        found: Sequence[Variation],
        many: int,
        seed: int,
        confidence: float,
        players: Players,
        tell: Callable[[Progress], None],
        begun: RankingProgress,
    ) -> None:
        self.each = 1 - (1 - confidence) / len(found)
        self.here = begun.here
        self._question = question
        self._finding = finding
        self._found = found
        self._many = many
        self._seed = seed
        self._confidence = confidence
        self._players = players
        self._tell = tell
        self._whole = [Effect(one, *numbers) for one, numbers in zip(found, begun.effects, strict=False)]
        self._under_way: list[Variation] = []
        self._played = begun.trials
        self._joint = [one.counts() for one in begun.pairs]

    @property
    def effects(self) -> list[Effect]:
        """The effects with data."""
        return [*self._whole, *map(self._effect, self._under_way, self._joint)]

    @property
    def trials(self) -> int:
        """The smallest number of trials behind an effect."""
        if self._under_way and self._joint:
            return self._played
        return self._many if self._whole else 0

    @property
    def begun(self) -> RankingProgress:
        """The state to store."""
        whole = [(one.estimate, one.more) for one in self._whole]
        return RankingProgress(self.here, whole, self._played, list(map(_Pairs.of, self._joint)))

    def play(self, threads: int) -> None:
        """Play what isn't played yet; `threads` is 0 for processes. Raises Halted if a stop is requested."""
        left = self._found[len(self._whole) :]
        for beside, some in _at_once(self._question, self._finding, left, threads):
            work = self._work(beside, [one.question for one in some], self._seed)
            if not _fit(work.questions, self._joint, self._finding):
                self._played, self._joint = 0, []
            self._under_way = some
            for played, more in self._players.counts(work, self._size, self._played, self._many):
                self._played, self._joint = played, added(self._joint, more)
                self._report(len(some))
                self._players.look()
            self._whole += map(self._effect, some, self._joint)
            self._under_way, self._played, self._joint = [], 0, []

    def together(self) -> Iterator[CombinedEffect]:
        """Yield, for each setting with pieces, the combined effect of the few that lower the finding most.

        Raises Halted if a stop is requested.
        """
        question, finding = self._question, self._finding
        settings = dict.fromkeys(one.variation.setting for one in self._whole if one.variation.key)
        for name in settings:
            lowering = [
                one for one in sorted(self._whole, key=strength) if one.variation.setting == name and _lowers(one)
            ]
            few = {one.variation.key: one for one in reversed(lowering)}  # the strongest change of each piece
            most = sorted(few.values(), key=lambda one: one.more.value or 0)[:FEW]
            becomes = {one.variation.key: one.variation.becomes for one in most}
            other = changed(question, {name: with_pieces(question, name, becomes)}) if len(most) > 1 else None
            if other is not None and has(other, finding):
                beside, there_too = question.paired_with(other)
                joint: list[Counts] = []
                work = self._work(beside, [there_too], self._seed + 1)
                for _, more in self._players.counts(work, self._size, 0, self._many):
                    joint = added(joint, more)
                    self._players.look()
                there, more_of_it = self._numbers(there_too, joint[0], self.each)
                yield CombinedEffect(name, tuple(most), there, more_of_it, other)

    @property
    def _size(self) -> int:
        return max(1, self._question.at_once // 4)

    def _report(self, many: int) -> None:
        """Report the progress, with the finding without a change."""
        self.here = estimate(self._finding, self._joint[0].sum(axis=1), self._confidence)
        done, of = len(self._whole) * self._many + many * self._played, len(self._found) * self._many
        compiling = self._players.compiling
        self._tell(Progress(done, of, Cell(self._question), self._finding, self.here, compiling))

    def _effect(self, variation: Variation, joint: Counts) -> Effect:
        return Effect(variation, *self._numbers(variation.question, joint, self._confidence))

    def _numbers(self, other: Question, joint: Counts, confidence: float) -> tuple[Estimate, Estimate]:
        """Return the finding of another question, and its difference."""
        there = finding_of(other, self._finding.key)
        return estimate(there, joint.sum(axis=0), confidence), difference(self._finding, joint, self.each, there)

    def _work(self, question: Question, others: Sequence[Question], seed: int) -> Work[list[Counts]]:
        """Return the work that plays and counts a question together with others."""
        questions, finding = (question, *others), self._finding
        played = partial(_piece, questions, finding, seed)
        return Work(questions, seed, played, lambda rows: _pairs(questions, finding, [tuple(rows)]))


def strength(effect: Effect) -> float:
    """Return a sort key that puts the strongest effects first."""
    return -abs(effect.more.value or 0)


def _lowers(effect: Effect) -> bool:
    return effect.is_seen and (effect.more.value or 0) < 0


# Counting.


def _piece(questions: tuple[Question, ...], finding: Finding, seed: int, part: tuple[int, int]) -> list[Counts]:
    """Return the counts of pairs in some trials."""
    return _pairs(questions, finding, in_batches(seed, *part, *questions))


def _pairs(questions: tuple[Question, ...], finding: Finding, batches: Iterable[tuple[Rows, ...]]) -> list[Counts]:
    """Return the counts of pairs of values in rows, of the first question with each other one."""
    import numpy as np

    (column, most), *others = [_column(each, finding) for each in questions]
    joint = [np.zeros((most, size), np.int64) for _, size in others]
    for here, *there in batches:
        values = values_of(here, column, most)
        for counts, rows, (other, size) in zip(joint, there, others, strict=True):
            counts += pairs_of(values, values_of(rows, other, size), counts.shape)
    return joint


def _fit(questions: tuple[Question, ...], joint: list[Counts], finding: Finding) -> bool:
    """Return whether these counts fit these questions; on a machine with more cores the groups differ."""
    (_, most), *others = [_column(each, finding) for each in questions]
    return [one.shape for one in joint] == [(most, size) for _, size in others]


def _column(question: Question, finding: Finding) -> tuple[int, int]:
    """Return a finding's column in a row, and the number of its values."""
    measure = finding_of(question, finding.key).measure
    for place, one in enumerate(question.measures()):
        if one.key == measure:
            return place, one.size
    raise CardhouseError(f"{question.name} has no measure {measure}.")


def _at_once(
    question: Question, finding: Finding, found: Sequence[Variation], threads: int
) -> Iterator[tuple[Question, list[Variation]]]:
    """Yield the changes in groups that fit in memory, each with the question as played next to it.

    `threads` is 0 for processes.
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
