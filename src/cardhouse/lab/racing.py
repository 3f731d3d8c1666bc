"""Playing many settings on the same cards: few trials of each, more only of those that may still be the best.

A race is decided by intervals: who is certainly no better than another in anything, and worse in something, runs no
further. What was counted can be kept and gone on with; the same race is then the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardhouse.lab.estimate import Estimate, estimate
from cardhouse.lab.question import Question
from cardhouse.lab.tally import played
from cardhouse.lab.targets import Target
from cardhouse.lab.workers import Halted, in_order

if TYPE_CHECKING:
    from cardhouse.lab.tally import Counts

SURE: Final = 0.999
"""The confidence with which one is said to be worse than another, and left behind."""
ROUNDS: Final = (64, 16, 4)
"""The rounds of a race, as parts of the trials with which it is confirmed: 1/64, 1/16 and 1/4 of them."""

Misses = tuple[float, ...]
"""How far each target is missed, in steps of its own scale."""


class Runner(msgspec.Struct):
    """One choice of settings in a race, with what is known of it: the counts of its measures after each round."""

    question: Question
    rounds: list[dict[str, list[int]]] = []
    trials: int = 0

    def estimates(self, targets: Sequence[Target], confidence: float) -> tuple[Estimate, ...]:
        """What is known of what the targets are about, so far."""
        import numpy as np

        counts = self.rounds[-1]
        own = {one.key: one for one in self.question.findings()}
        findings = [own[target.finding.key] for target in targets]
        return tuple(estimate(one, np.asarray(counts[one.measure], np.int64), confidence) for one in findings)

    def misses(self, targets: Sequence[Target]) -> Misses:
        """How far each target is missed by what came out so far."""
        numbers = self.estimates(targets, SURE)
        return tuple(
            float("inf") if number.value is None else target.miss(number.value) / target.scale
            for target, number in zip(targets, numbers, strict=True)
        )

    def bounds(self, targets: Sequence[Target]) -> tuple[Misses, Misses]:
        """How far each target is missed at least, and at most."""
        numbers = self.estimates(targets, SURE)
        ends = [
            (least / target.scale, most / target.scale)
            for target, number in zip(targets, numbers, strict=True)
            for least, most in (target.misses(number),)
        ]
        return tuple(least for least, _ in ends), tuple(most for _, most in ends)


class Race:
    """A race of choices for targets, of so many trials in all for those that get to its end.

    `known` are rounds that were run before, by the choice: lists of counts by measure, as `noted` tells them.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        trials: int,
        seed: int,
        executor: Any,
        workers: int,
        known: dict[str, list[dict[str, list[int]]]] | None = None,
        halt: Callable[[], bool] = lambda: False,
    ) -> None:
        self.targets = targets
        self.ends = list(dict.fromkeys(max(1, trials // part) for part in ROUNDS))
        self.seed = seed
        self.runners: dict[tuple[int, ...], Runner] = {}
        self.played = 0
        self._best: list[Misses] = []
        self._known = known or {}
        self._executor = executor
        self._workers = workers
        self._halt = halt

    def run(self, entries: Iterable[tuple[tuple[int, ...], Question]], tell: Callable[[], None]) -> None:
        """Have these run, round by round, as far as each gets; `tell` hears of each that has run a round."""
        running = []
        for name, question in entries:
            self.runners[name] = Runner(question)
            running.append(name)
        for place, end in enumerate(self.ends):
            for name in running:
                self._run(name, place, end)
                tell()
            running = [name for name in running if self._may_win(name)]

    def noted(self) -> dict[str, list[dict[str, list[int]]]]:
        """All that was counted, as plain data."""
        return self._known | {_named(name): one.rounds for name, one in self.runners.items()}

    def _run(self, name: tuple[int, ...], place: int, end: int) -> None:
        runner = self.runners[name]
        known = self._known.get(_named(name), [])
        if place < len(known):
            runner.rounds.append(known[place])
        else:
            before = runner.rounds[-1] if runner.rounds else {}
            runner.rounds.append(_added(before, self._counts(runner.question, runner.trials, end)))
            self.played += end - runner.trials
        runner.trials = end
        _, most = runner.bounds(self.targets)
        if not any(_beats(other, most) or other == most for other in self._best):
            self._best = [other for other in self._best if not _beats(most, other)] + [most]

    def _may_win(self, name: tuple[int, ...]) -> bool:
        """Whether no other is certainly as good in everything and better in something."""
        least, _ = self.runners[name].bounds(self.targets)
        return not any(_beats(other, least) for other in self._best)

    def _counts(self, question: Question, first: int, end: int) -> dict[str, list[int]]:
        """How often each value came up of the measures that targets are about, in these trials."""
        own = {one.key: one.measure for one in question.findings()}
        wanted = {own[target.finding.key] for target in self.targets}
        return counts_of(question, wanted, self.seed, first, end, self._executor, self._workers, self._halt)


def counts_of(
    question: Question,
    measures: Iterable[str],
    seed: int,
    first: int,
    end: int,
    executor: Any,
    workers: int,
    halt: Callable[[], bool] = lambda: False,
) -> dict[str, list[int]]:
    """How often each value of these measures came up in the trials from `first` to `end - 1`.

    Raises Halted if `halt` says so before it is done.
    """
    size = question.at_once
    pieces = [(begin, min(size, end - begin)) for begin in range(first, end, size)]
    work = partial(_piece, question, seed)
    total: list[Counts] = []
    for counts in in_order(executor, workers, work, pieces):
        total = [one + more for one, more in zip(total, counts, strict=True)] if total else list(counts)
        if halt():
            raise Halted
    by_key = {one.key: counts for one, counts in zip(question.measures(), total, strict=True)}
    return {key: by_key[key].tolist() for key in measures}


def _piece(question: Question, seed: int, part: tuple[int, int]) -> tuple[Counts, ...]:
    return played(question, None, seed, *part).counts


def _added(one: dict[str, list[int]], more: dict[str, list[int]]) -> dict[str, list[int]]:
    if not one:
        return more
    return {key: [here + there for here, there in zip(one[key], more[key], strict=True)] for key in more}


def _beats(one: Misses, other: Misses) -> bool:
    """Whether one is nowhere further off than another, and somewhere nearer."""
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def front(misses: Sequence[Misses]) -> list[int]:
    """The places of those that no other beats: the Pareto front."""
    return [place for place, one in enumerate(misses) if not any(_beats(other, one) for other in misses)]


def _named(name: tuple[int, ...]) -> str:
    return ",".join(map(str, name))
