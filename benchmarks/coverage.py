"""The coverage of the lab's intervals: of each kind, over small studies whose true values are known.

    python -m benchmarks.coverage
    python -m benchmarks.coverage --studies 4000

A million pairs of trials of the lab's own questions are taken as the population: its shares, means and differences are
then known exactly. Small studies are drawn from it, and each interval contains the true value or doesn't. For a nominal
95 %, 1,000 studies can't distinguish 93 to 97 %.

Few trials have few possible results: for example, that no pair differed, or one did. If any rule that misses the
true value at most 2.5 % of the time on either side must have a coverage above 97 %, that is shown after `>`.

Finally all studies of a kind are combined: shares and means, of all trials and of some, and their differences.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.questions.question import Finding, find_question, mean, share
from cardhouse.lab.statistics.estimate import Estimate, difference, estimate, weights
from cardhouse.lab.statistics.histogram import played

CONFIDENCE = 0.95
STUDIES = 1_000
TRIALS = (24, 50, 100, 400, 1_000)
WORLD = 1_000_000

Joint = NDArray[np.int64]


class World(NamedTuple):
    """Pairs of values with their counts, here and there; `of` is the finding about them."""

    name: str
    of: Finding
    joint: Joint

    @property
    def kind(self) -> str:
        """Whether it is a share or a mean, and whether it is about all trials or only some."""
        _, given = weights(self.of, len(self.joint))
        here, there = self.joint.sum(axis=1), self.joint.sum(axis=0)
        is_of_all = here @ given == there @ given == self.joint.sum()
        return f"{self.of.kind} of {'all' if is_of_all else 'some'}"


def worlds(trials: int = WORLD) -> Iterator[World]:
    """Yield the lab's own measures, with every kind of finding, and pairs that have much or little in common."""
    three_hits = {"hp": 1, "damage": "2", "hits": 3}
    recovery = ("trauma", "weeks", "half_a_year")
    asked: tuple[tuple[str, str, dict[str, Any], dict[str, Any], tuple[str, ...]], ...] = (
        ("hackjack", "deadly", three_hits, {"limit": 24}, ("dead", "saved", "blood", *recovery)),
        ("hackjack", "deadly", three_hits, {"prevent": "always"}, ("dead", "survived", *recovery)),
        ("hackjack", "deadly", three_hits, {"return_cards": True}, ("dead", "killing_hit", *recovery)),
        ("initiative", "order", {}, {"wait": "lower"}, ("first", "place", "turns")),
        ("initiative", "idle", {}, {"wait": "lower"}, ("wait", "long", "at_once")),
        ("gunfight", "last", {}, {"limit": 24}, ("won_going_first", "won_going_second", "rounds")),
        ("gunfight", "last", {}, {"wait": "lower"}, ("won_going_first", "won_going_second", "rounds")),
    )
    for game, name, settings, changes, keys in asked:
        question = find_question(game, name)
        here, there = question(**settings), question(**{**settings, **changes})
        tally = played(here, there, 0, 0, trials)
        columns = [one.key for one in here.measures()]
        findings = {one.key: one for one in here.findings()}
        others = {one.key for one in there.findings()}
        for key in keys:
            if key in findings and key in others:
                of = findings[key]
                yield World(f"{of.key} {next(iter(changes))}", of, tally.counts[columns.index(of.measure)])
    rng = np.random.default_rng(1)
    lopsided = np.minimum(rng.geometric(1 / 13, trials) - 1, 79)
    later = np.minimum(lopsided + rng.integers(0, 4, trials), 79)
    joint = np.zeros((80, 80), np.int64)
    np.add.at(joint, (lopsided, later), 1)
    yield World("lopsided values", mean("mean", "mean", "m"), joint)
    yield World("lopsided, of some", mean("mean", "mean", "m", given_least=4, given_most=40), joint)
    yield World("rare", share("rare", "rare", "m", 50), joint)
    yield World("of some", share("some", "some", "m", 20, given_least=10), joint)


class Held(NamedTuple):
    """The studies with an interval that had the true value below it, and above it.

    `forced` is the least coverage of any rule that misses no more than allowed on either side.
    """

    studies: int
    below: int
    above: int
    forced: float = 0.0

    @property
    def share(self) -> float:
        return 1 - (self.below + self.above) / self.studies if self.studies else float("nan")


def together(found: Sequence[Held]) -> Held:
    """Combine all of these studies."""
    studies, below, above = (sum(numbers) for numbers in list(zip(*found, strict=True))[:3])
    return Held(studies, below, above, sum(one.studies * max(0.95, one.forced) for one in found) / studies)


def truth(of: Finding, counts: Joint) -> float:
    """Return the population's true value."""
    worth, given = weights(of, len(counts))
    return float(counts @ worth) / float(counts @ given)


def forced(values: Sequence[float], confidence: float) -> float:
    """Return the least coverage of a rule that misses at most (1 - confidence) / 2 on either side.

    It can miss only at the lowest and highest of these values, and each value either always or never.
    """
    seen = np.unique(np.round(values, 9), return_counts=True)[1] / len(values)
    spare = (1 - confidence) / 2 + 1e-12
    return 1 - sum(max((part for part in np.cumsum(side) if part <= spare), default=0) for side in (seen, seen[::-1]))


def coverage(
    world: World, trials: int, studies: int, seed: int = 0, confidence: float = CONFIDENCE
) -> tuple[Held, Held]:
    """Return the coverage of the number's interval, and of the difference's, in studies of this many trials."""
    rng = np.random.default_rng((seed, trials))
    flat = world.joint.ravel()
    places = flat.nonzero()[0]
    parts = flat[places] / flat.sum()
    here = truth(world.of, world.joint.sum(axis=1))
    more = truth(world.of, world.joint.sum(axis=0)) - here
    numbers, differences = [], []
    for _ in range(studies):
        drawn = np.zeros(flat.size, np.int64)
        drawn[places] = rng.multinomial(trials, parts)
        joint = drawn.reshape(world.joint.shape)
        numbers.append(estimate(world.of, joint.sum(axis=1), confidence))
        differences.append(difference(world.of, joint, confidence))
    return _held(numbers, here, confidence), _held(differences, more, confidence)


def _side(found: Estimate, true: float) -> int | None:
    """Return where the true value is: -1 below the interval, 0 within, 1 above; None without an interval."""
    if found.low is None or found.high is None:
        return None
    return -1 if true < found.low - 1e-12 else 1 if true > found.high + 1e-12 else 0


def _held(found: list[Estimate], true: float, confidence: float) -> Held:
    sides = [side for one in found if (side := _side(one, true)) is not None]
    least = forced([one.value for one in found if one.value is not None and one.low is not None], confidence)
    return Held(len(sides), sides.count(-1), sides.count(1), least)


def main(studies: int = STUDIES, trials: tuple[int, ...] = TRIALS) -> None:
    print(
        f"Coverage of nominal {100 * CONFIDENCE:g} % intervals, {studies:,} studies of each size; "
        "* outside 93 to 97 %, > no rule less"
    )
    print(f"{'':38}" + "".join(f"{many:>8,}     " for many in trials))
    kinds: dict[tuple[str, str], list[list[Held]]] = {}
    for world in worlds():
        rows = [coverage(world, many, studies) for many in trials]
        for place, what in enumerate(("", "difference")):
            row = [both[place] for both in rows]
            print(f"{f'{world.of.kind} {world.name}':26.26} {what:11}{''.join(map(_shown, row))}")
            kinds.setdefault((world.kind, what), []).append(row)
    print("\nAll studies of a kind")
    for (kind, what), found in kinds.items():
        print(f"{kind:26.26} {what:11}{''.join(_shown(together(one)) for one in zip(*found, strict=True))}")


def _shown(held: Held) -> str:
    mark = " " if 0.93 <= held.share <= 0.97 else "*"
    least = f">{100 * held.forced:.1f}" if held.forced > 0.97 else ""
    return f"{100 * held.share:7.1f}{mark}{least:5}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=STUDIES)
    asked = parser.parse_args()
    main(asked.studies)
