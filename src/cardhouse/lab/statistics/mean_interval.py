"""How far the true number may lie below and above what came out: the arms of an interval of a mean or a difference.

Some trials move a number up, others down. What moves it one way is told as if it were a count: of trials that all move
it by equally much, as many as have the spread and the skewness that were seen. So it has a count's interval. Its upper
end is told with a trial more, one that wasn't seen and may move it further. Fay and Feuer (1997) tell sums of weighted
counts so, Fay and Kim (2017) with the mid-p end; where all trials move it by one it is the interval of a share.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.lab.statistics.quantiles import errors_of, errors_of_few, most_likely_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]

HALF = 0.5
"""So much of what comes up exactly so often counts for the ends of a count's interval (mid-p)."""
FEW = 4
"""Of more trials that move a number one way than so many, one that wasn't seen is likely to be as those that were."""
FURTHEST = 3
"""It moves it further than any that was seen by as much as these trail off to its side, 3 times at most."""
NOISE = 1e-9
"""What moves a number by less of what the furthest moves it is floating point's noise."""

Arms = tuple[float, float]


class Effects(NamedTuple):
    """How far each kind of trial moves a number, and how often it was seen: both of shape (kinds,)."""

    counts: Weights
    moves: Weights

    @property
    def variance(self) -> float:
        return float(self.counts @ self.moves**2)

    @property
    def differ(self) -> NDArray[np.bool_]:
        """Which of them move it at all."""
        size = abs(self.moves)
        return size > NOISE * float(size.max(initial=0.0))

    @property
    def ways(self) -> tuple[OneSidedEffect, OneSidedEffect]:
        """What moves it down, and what moves it up."""
        counts, moves = self.counts[self.differ], self.moves[self.differ]
        middle = float(counts @ moves) / float(counts.sum()) if moves.size else 0.0
        down, up = middle - float(moves.min(initial=0.0)), float(moves.max(initial=0.0)) - middle
        return (
            _way(counts[moves < 0], -moves[moves < 0], _trails_off(down, up)),
            _way(counts[moves > 0], moves[moves > 0], _trails_off(up, down)),
        )


class UnseenEffect(NamedTuple):
    """What is held possible of a trial that wasn't seen, in so many standard deviations of the values.

    That is until `few` were seen that move the number; of more it is the less.
    """

    deviations: float
    few: float


class Dispersion(NamedTuple):
    """How far values of a mean lie apart: their standard deviation, one step of them, and the least from the most."""

    deviation: float
    step: float
    span: float


class OneSidedEffect(NamedTuple):
    """Sums over the trials that move a number one way: of their moves, the squares and the cubes.

    `effective_n` equally large moves would carry as much information (by kurtosis). `max_effect` bounds an unseen
    trial's move, extrapolated from those seen.
    """

    total: float
    squares: float
    cubes: float
    effective_n: float
    max_effect: float

    @property
    def worth(self) -> float:
        """How far each moves the number, told as a count; 0 of none."""
        return self.cubes / self.squares if self.squares else 0.0

    def share(self, trials: float) -> float:
        """What part of all trials it is, told as a count."""
        return self.total**2 / (trials * self.squares) if self.squares else 0.0


def arms_of_mean(moved: Effects, of: float, apart: Dispersion, unseen: UnseenEffect, confidence: float) -> Arms | None:
    """How far below and above a mean of so many values the true one may be; None of one.

    Or of a difference of two means, of which the lesser is of so many. They are longer by as much as Student's errors
    are, as how far trials move it is told by few.
    """
    if of < 2:
        return None
    ways = moved.ways
    effective_n = sum(way.effective_n for way in ways)
    reach = unseen.deviations * apart.deviation * min(1.0, unseen.few / (1 + effective_n))
    reach = reach if effective_n else max(reach, apart.step)
    below, above = _together(ways, float(moved.counts.sum()), reach / of, apart.span / of, confidence)
    # One degree of freedom goes into the mean, and one into how much values trail off.
    freedom = max(1, round(min(of - 2, _freedom(moved))))
    longer = errors_of_few(confidence, freedom) / errors_of(confidence)
    return longer * below, longer * above


def _freedom(moved: Effects) -> float:
    """The degrees of freedom with which trials tell how far they move a number (Satterthwaite), by their kurtosis."""
    seen, fourth = float(moved.counts[moved.differ].sum()), float(moved.counts @ moved.moves**4)
    unlike = fourth - moved.variance**2 / seen if seen else 0.0
    return 2 * moved.variance**2 / unlike if unlike > NOISE * fourth else inf


def arms_of(moved: Effects, reach: float, most: float, confidence: float) -> Arms:
    """How far below and above a number the true one may be.

    What wasn't seen may move it by `reach`, or as far as what was, but by `most` at most.
    """
    return _together(moved.ways, float(moved.counts.sum()), reach, most, confidence)


def _together(
    ways: tuple[OneSidedEffect, OneSidedEffect], trials: float, reach: float, most: float, confidence: float
) -> Arms:
    """Down and up put together (Zou 2008), with the correlation that they have, as no trial is both."""
    down, up = ways

    def arms(way: OneSidedEffect, other: OneSidedEffect) -> Arms:
        seen = way.max_effect if way.squares else other.worth
        return _arms_of_way(way, min(most, max(reach, seen)), trials, confidence)

    (less_down, more_down), (less_up, more_up) = arms(down, up), arms(up, down)
    # Half a trial is added to either, as those of which none was seen may be as many as those of which all were.
    half, fewer, more = HALF / trials, down.share(trials), up.share(trials)
    together = sqrt((fewer + half) * (more + half) / ((1 - fewer + half) * (1 - more + half)))

    def arm(one: float, other: float) -> float:
        return sqrt(one**2 + other**2 + 2 * together * one * other)

    return arm(less_up, more_down), arm(more_up, less_down)


def arms_of_strangers(here: Arms, there: Arms) -> Arms:
    """How far a difference of two numbers that have nothing in common may be off, by the arms of each (Zou 2008)."""
    return sqrt(there[0] ** 2 + here[1] ** 2), sqrt(there[1] ** 2 + here[0] ** 2)


def _way(counts: Weights, moves: Weights, trails_off: float) -> OneSidedEffect:
    total, squares, cubes, fourth = (float(counts @ moves**power) for power in (1, 2, 3, 4))
    max_effect = float(moves.max(initial=0.0)) * trails_off
    return OneSidedEffect(total, squares, cubes, squares**2 / fourth if fourth else 0.0, max_effect)


def _trails_off(one: float, other: float) -> float:
    """How many times as far values go to one side as to the other; at least once, at most `FURTHEST` times."""
    return min(FURTHEST, max(1.0, one / other)) if other else 1.0


def _arms_of_way(way: OneSidedEffect, unseen: float, trials: float, confidence: float) -> Arms:
    """How far below and above its moves one way the true sum may be, a trial that was not seen reckoned in."""
    if not way.squares:
        return 0.0, unseen * trials * most_likely_at(confidence, 0, trials, HALF)
    seen = way.squares**3 / way.cubes**2
    of = seen / way.share(trials)
    low = 1 - most_likely_at(confidence, of - seen, of, HALF)
    unseen = way.worth + (unseen - way.worth) * min(1.0, FEW / way.effective_n)
    squares, cubes = way.squares + unseen**2, way.cubes + unseen**3
    with_it, worth = squares**3 / cubes**2, cubes / squares
    of_it = of * with_it / (seen + 1)
    high = most_likely_at(confidence, max(0.0, with_it - 1), of_it, HALF)
    return way.worth * (seen - of * low), worth * (of_it * high - with_it) + unseen
