"""Successive elimination: many settings on the same cards, with few trials each, and more for the best only.

Intervals decide a race: a choice that is certainly no better than another in anything, and worse in something, drops
out. Counts can be stored and continued from; the race is then bit-identical.
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
"""The confidence with which a choice is judged worse than another, and dropped."""
ROUNDS: Final = (64, 16, 4)
"""The rounds of a race, as fractions of the confirming trials: 1/64, 1/16 and 1/4."""

Misses = tuple[float, ...]
"""The distance from each target, in steps of its own scale."""
ByMeasure = dict[str, list[int]]
"""The counts of each value of some measures, by key."""
Name = tuple[int, ...]
"""A choice, by its name in a race."""


class Contender(msgspec.Struct):
    """A choice of settings in a race: the counts of its measures after each round.

    `so_far` includes an unfinished round, which isn't used for decisions.
    """

    question: Question
    rounds: list[ByMeasure] = []
    trials: int = 0
    so_far: ByMeasure = {}

    def estimates(self, targets: Sequence[Target], confidence: float) -> tuple[Estimate, ...]:
        """Return the estimates of the targets' findings after the last round."""
        return tuple(self._estimate(self.rounds[-1], target, confidence) for target in targets)

    def estimate_so_far(self, target: Target, confidence: float) -> Estimate:
        """Return the present estimate of a target's finding."""
        return self._estimate(self.so_far, target, confidence)

    def _estimate(self, counts: ByMeasure, target: Target, confidence: float) -> Estimate:
        import numpy as np

        finding = finding_of(self.question, target.finding.key)
        return estimate(finding, np.asarray(counts[finding.measure], np.int64), confidence)

    def misses(self, targets: Sequence[Target]) -> Misses:
        """Return the present distance from each target."""
        numbers = self.estimates(targets, SURE)
        return tuple(
            float("inf") if number.value is None else target.miss(number.value) / target.scale
            for target, number in zip(targets, numbers, strict=True)
        )

    def bounds(self, targets: Sequence[Target]) -> tuple[Misses, Misses]:
        """Return the smallest and greatest distance from each target, by its interval."""
        numbers = self.estimates(targets, SURE)
        ends = [
            (least / target.scale, most / target.scale)
            for target, number in zip(targets, numbers, strict=True)
            for least, most in (target.misses(number),)
        ]
        return tuple(least for least, _ in ends), tuple(most for _, most in ends)


class Race:
    """A race of choices for targets, with a total of `trials` for those that reach its end.

    `known` has earlier rounds, by choice: lists of counts by measure, as returned by `noted`.
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
        """Run these, round by round, as far as each gets.

        `tell` is called with each that has progressed, and the number of rounds completed: 0 or 1.
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
        """Return all counts, as plain data."""
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
        """Return whether no other is certainly as good in everything and better in something."""
        least, _ = self.runners[name].bounds(self.targets)
        return not any(_beats(other, least) for other in self._best)


def counts_of(
    question: Question, targets: Sequence[Target], seed: int, first: int, end: int, players: Players
) -> Iterator[ByMeasure]:
    """Yield the growing counts of what the targets are about, in the trials from `first` on.

    The last ones include trial `end - 1`. Raises Halted if a stop is requested earlier.
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
    """Return whether one is nowhere further off than another, and somewhere nearer."""
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def front(misses: Sequence[Misses]) -> list[int]:
    """Return the indices of those that no other beats: the Pareto front."""
    return [place for place, one in enumerate(misses) if not any(_beats(other, one) for other in misses)]


def _named(name: Name) -> str:
    return ",".join(map(str, name))
