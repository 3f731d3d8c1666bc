"""Playing many settings on the same cards: few trials of each, more only of those that may still be the best.

A race is decided by intervals: who is certainly no better than another in anything, and worse in something, runs no
further. What was counted can be kept and gone on with; the same race is then the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cardhouse.lab.questions.question import Question, finding_of
from cardhouse.lab.running.executors import Players, tallied
from cardhouse.lab.search.targets import Target
from cardhouse.lab.statistics.estimate import Estimate, estimate
from cardhouse.lab.statistics.histogram import Tally

SURE: Final = 0.999
"""The confidence with which one is said to be worse than another, and left behind."""
ROUNDS: Final = (64, 16, 4)
"""The rounds of a race, as parts of the trials with which it is confirmed: 1/64, 1/16 and 1/4 of them."""

Misses = tuple[float, ...]
"""How far each target is missed, in steps of its own scale."""
ByMeasure = dict[str, list[int]]
"""How often each value came up of some measures, by key."""
Name = tuple[int, ...]
"""A choice, as a race calls it."""


class Contender(msgspec.Struct):
    """One choice of settings in a race, with what is known of it: the counts of its measures after each round.

    `so_far` are the counts with those of a round that isn't over yet, by which nobody is judged.
    """

    question: Question
    rounds: list[ByMeasure] = []
    trials: int = 0
    so_far: ByMeasure = {}

    def estimates(self, targets: Sequence[Target], confidence: float) -> tuple[Estimate, ...]:
        """What is known of what the targets are about, after the last round."""
        return tuple(self._estimate(self.rounds[-1], target, confidence) for target in targets)

    def estimate_so_far(self, target: Target, confidence: float) -> Estimate:
        """What is known of what a target is about by now."""
        return self._estimate(self.so_far, target, confidence)

    def _estimate(self, counts: ByMeasure, target: Target, confidence: float) -> Estimate:
        import numpy as np

        finding = finding_of(self.question, target.finding.key)
        return estimate(finding, np.asarray(counts[finding.measure], np.int64), confidence)

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
        players: Players,
        known: dict[str, list[ByMeasure]] | None = None,
    ) -> None:
        self.targets = targets
        self.ends = list(dict.fromkeys(max(1, trials // part) for part in ROUNDS))
        self.seed = seed
        self.runners: dict[Name, Contender] = {}
        self.players = players
        self.played = 0
        self._best: list[Misses] = []
        self._known = known or {}

    def run(self, entries: Iterable[tuple[Name, Question]], tell: Callable[[Name, int], None]) -> None:
        """Have these run, round by round, as far as each gets.

        `tell` hears of each that has run on, and how many rounds that makes more: none or one.
        """
        running = []
        for name, question in entries:
            self.runners[name] = Contender(question)
            running.append(name)
        for place, end in enumerate(self.ends):
            for name in running:
                self._run(name, place, end, tell)
                tell(name, 1)
            running = [name for name in running if self._may_win(name)]

    def noted(self) -> dict[str, list[ByMeasure]]:
        """All that was counted, as plain data."""
        run = {_named(name): one.rounds for name, one in self.runners.items()}
        return self._known | {name: max(rounds, self._known.get(name, []), key=len) for name, rounds in run.items()}

    def _run(self, name: Name, place: int, end: int, tell: Callable[[Name, int], None]) -> None:
        runner = self.runners[name]
        known = self._known.get(_named(name), [])
        if place < len(known):
            runner.so_far = known[place]
        else:
            before = runner.so_far
            counts = counts_of(runner.question, self.targets, self.seed, runner.trials, end, self.players)
            for more in counts:
                runner.so_far = _added(before, more)
                tell(name, 0)
            self.played += end - runner.trials
        runner.rounds.append(runner.so_far)
        runner.trials = end
        _, most = runner.bounds(self.targets)
        if not any(_beats(other, most) or other == most for other in self._best):
            self._best = [other for other in self._best if not _beats(most, other)] + [most]

    def _may_win(self, name: Name) -> bool:
        """Whether no other is certainly as good in everything and better in something."""
        least, _ = self.runners[name].bounds(self.targets)
        return not any(_beats(other, least) for other in self._best)


def counts_of(
    question: Question, targets: Sequence[Target], seed: int, first: int, end: int, players: Players
) -> Iterator[ByMeasure]:
    """How often each value came up of what targets are about, in the trials from `first` on: of ever more of them.

    The last are those up to `end - 1`. Raises Halted if somebody wants it stopped before.
    """
    own = {one.key: one.measure for one in question.findings()}
    wanted = {own[target.finding.key] for target in targets}
    columns = {one.key: place for place, one in enumerate(question.measures()) if one.key in wanted}
    total: Tally | None = None
    for _, more in players.counts(tallied(question, None, seed), question.at_once, first, end):
        total = total.with_(more) if total is not None else more
        yield {key: total.counts[column].tolist() for key, column in columns.items()}
        players.look()


def _added(one: ByMeasure, more: ByMeasure) -> ByMeasure:
    if not one:
        return more
    return {key: [here + there for here, there in zip(one[key], more[key], strict=True)] for key in more}


def _beats(one: Misses, other: Misses) -> bool:
    """Whether one is nowhere further off than another, and somewhere nearer."""
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def front(misses: Sequence[Misses]) -> list[int]:
    """The places of those that no other beats: the Pareto front."""
    return [place for place, one in enumerate(misses) if not any(_beats(other, one) for other in misses)]


def _named(name: Name) -> str:
    return ",".join(map(str, name))
