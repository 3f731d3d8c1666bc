"""A ranking of changes while it is made: everything is played on the same cards, and what pairs of values come up.

It can be stopped at any time, and begun again from there.
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
        return self.more.is_clear


class CombinedEffect(msgspec.Struct, frozen=True):
    """What changing the pieces of a setting that matter most does, all at once, on cards that nothing was chosen by."""

    setting: str
    effects: tuple[Effect, ...]
    estimate: Estimate
    more: Estimate
    question: Question


def has(question: Question, finding: Finding) -> bool:
    """Whether a question has a finding of this key."""
    return any(one.key == finding.key for one in question.findings())


class _Pairs(msgspec.Struct):
    """How often each pair of values came up, here and with a change, packed."""

    shape: tuple[int, int]
    packed: bytes

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """These."""
        return cls((counts.shape[0], counts.shape[1]), zlib.compress(counts.tobytes(), 1))

    def counts(self) -> Counts:
        """As they were."""
        import numpy as np

        return np.frombuffer(zlib.decompress(self.packed), np.int64).reshape(self.shape)


class RankingProgress(msgspec.Struct):
    """What there is of a ranking: what the first changes do, `there` and by how much `more`, each of all trials.

    Of the changes that come next so many `trials` were played, and these `pairs` of values came up.
    """

    here: Estimate = UNKNOWN
    effects: list[tuple[Estimate, Estimate]] = []
    trials: int = 0
    pairs: list[_Pairs] = []


class Ranking:
    """What is known of each change, in the order in which they are played.

    The effects of `trials` each, the last few of fewer while their trials are played.
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
        """Those of which something is known."""
        return [*self._whole, *map(self._effect, self._under_way, self._joint)]

    @property
    def trials(self) -> int:
        """So many trials are behind each effect, at least."""
        if self._under_way and self._joint:
            return self._played
        return self._many if self._whole else 0

    @property
    def begun(self) -> RankingProgress:
        """What there is of it."""
        whole = [(one.estimate, one.more) for one in self._whole]
        return RankingProgress(self.here, whole, self._played, list(map(_Pairs.of, self._joint)))

    def play(self, threads: int) -> None:
        """Play what isn't yet; no threads are processes. Raises Halted if somebody wants it stopped."""
        left = self._found[len(self._whole) :]
        for beside, some in _at_once(self._question, self._finding, left, threads):
            work = self._work(beside, [one.question for one in some], self._seed)
            if not _fit(work.questions, self._joint, self._finding):
                self._played, self._joint = 0, []
            self._under_way = some
            for played, more in self._players.counts(work, self._size, self._played, self._many):
                self._played, self._joint = played, added(self._joint, more)
                self._say(len(some))
                self._players.look()
            self._whole += map(self._effect, some, self._joint)
            self._under_way, self._played, self._joint = [], 0, []

    def together(self) -> Iterator[CombinedEffect]:
        """Of each setting with pieces, the few whose change by itself lowers the finding most, together, on new cards.

        Raises Halted if somebody wants it stopped.
        """
        question, finding = self._question, self._finding
        settings = dict.fromkeys(one.variation.setting for one in self._whole if one.variation.key)
        for name in settings:
            lowering = [
                one for one in sorted(self._whole, key=strength) if one.variation.setting == name and _lowers(one)
            ]
            few = {one.variation.key: one for one in reversed(lowering)}  # of a piece what does most
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

    def _say(self, many: int) -> None:
        """How far it is, and what the finding is without a change."""
        self.here = estimate(self._finding, self._joint[0].sum(axis=1), self._confidence)
        done, of = len(self._whole) * self._many + many * self._played, len(self._found) * self._many
        compiling = self._players.compiling
        self._tell(Progress(done, of, Cell(self._question), self._finding, self.here, compiling))

    def _effect(self, variation: Variation, joint: Counts) -> Effect:
        return Effect(variation, *self._numbers(variation.question, joint, self._confidence))

    def _numbers(self, other: Question, joint: Counts, confidence: float) -> tuple[Estimate, Estimate]:
        """The finding of another question, and by how much more that is."""
        there = finding_of(other, self._finding.key)
        return estimate(there, joint.sum(axis=0), confidence), difference(self._finding, joint, self.each, there)

    def _work(self, question: Question, others: Sequence[Question], seed: int) -> Work[list[Counts]]:
        """How trials are played and counted, of a question beside others."""
        questions, finding = (question, *others), self._finding
        played = partial(_piece, questions, finding, seed)
        return Work(questions, seed, played, lambda rows: _pairs(questions, finding, [tuple(rows)]))


def strength(effect: Effect) -> float:
    """For putting effects in order, the strongest first."""
    return -abs(effect.more.value or 0)


def _lowers(effect: Effect) -> bool:
    return effect.is_seen and (effect.more.value or 0) < 0


# Counting


def _piece(questions: tuple[Question, ...], finding: Finding, seed: int, part: tuple[int, int]) -> list[Counts]:
    """The pairs of some trials."""
    return _pairs(questions, finding, in_batches(seed, *part, *questions))


def _pairs(questions: tuple[Question, ...], finding: Finding, batches: Iterable[tuple[Rows, ...]]) -> list[Counts]:
    """How often each pair of values comes up in rows, of the first question and of each other."""
    import numpy as np

    (column, most), *others = [_column(each, finding) for each in questions]
    joint = [np.zeros((most, size), np.int64) for _, size in others]
    for here, *there in batches:
        values = values_of(here, column, most)
        for counts, rows, (other, size) in zip(joint, there, others, strict=True):
            counts += pairs_of(values, values_of(rows, other, size), counts.shape)
    return joint


def _fit(questions: tuple[Question, ...], joint: list[Counts], finding: Finding) -> bool:
    """Whether these pairs may be of these questions: they are in other groups on a machine with more cores."""
    (_, most), *others = [_column(each, finding) for each in questions]
    return [one.shape for one in joint] == [(most, size) for _, size in others]


def _column(question: Question, finding: Finding) -> tuple[int, int]:
    """Where the measure of a finding stands in a row, and how many values it tells apart."""
    measure = finding_of(question, finding.key).measure
    for place, one in enumerate(question.measures()):
        if one.key == measure:
            return place, one.size
    raise CardhouseError(f"{question.name} has no measure {measure}.")


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
