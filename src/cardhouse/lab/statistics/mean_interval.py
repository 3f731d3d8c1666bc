"""Confidence intervals of means and of differences of means: their lower and upper half-widths.

Some trials move a number up, others down. The effects in one direction are treated as a count: of equal effects, as
many as give the observed spread and skewness. So they have a count's interval. Its upper end includes one more trial,
unseen, which may have a larger effect. Fay and Feuer (1997) do this for sums of weighted counts, Fay and Kim (2017)
with mid-p; if all effects are 1 it is the interval of a share.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.lab.statistics.quantiles import binomial_upper_limit, t_quantile, z_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]

HALF = 0.5
"""The weight of the observed count in each tail (mid-p)."""
FEW = 4
"""Above this many effects in one direction, an unseen one is assumed to resemble the seen ones."""
FURTHEST = 3
"""The most by which an unseen effect exceeds the greatest one seen, estimated from the skewness."""
NOISE = 1e-9
"""Effects below this fraction of the largest are rounding noise."""

Arms = tuple[float, float]


class Effects(NamedTuple):
    """The effects of each kind of trial on a number, and how often each was seen: both of shape (kinds,)."""

    counts: Weights
    moves: Weights

    @property
    def variance(self) -> float:
        return float(self.counts @ self.moves**2)

    @property
    def differ(self) -> NDArray[np.bool_]:
        """Which of them have any effect."""
        size = abs(self.moves)
        return size > NOISE * float(size.max(initial=0.0))

    @property
    def ways(self) -> tuple[OneSidedEffect, OneSidedEffect]:
        """The downward and the upward effects."""
        counts, moves = self.counts[self.differ], self.moves[self.differ]
        middle = float(counts @ moves) / float(counts.sum()) if moves.size else 0.0
        down, up = middle - float(moves.min(initial=0.0)), float(moves.max(initial=0.0)) - middle
        return (
            _one_sided(counts[moves < 0], -moves[moves < 0], _reach_ratio(down, up)),
            _one_sided(counts[moves > 0], moves[moves > 0], _reach_ratio(up, down)),
        )


class UnseenEffect(NamedTuple):
    """The assumed size of an unseen effect, in standard deviations of the values.

    It applies until `few` effects were seen; with more it shrinks.
    """

    deviations: float
    few: float


class Dispersion(NamedTuple):
    """The dispersion of a mean's values: standard deviation, smallest step, and the room left below and above it."""

    deviation: float
    step: float
    room: Arms


class OneSidedEffect(NamedTuple):
    """The effects in one direction: the sums of effects, of their squares and of their cubes.

    `effective_n` is the effective number of effects (from their kurtosis), `max_effect` the assumed largest unseen one.
    """

    total: float
    squares: float
    cubes: float
    effective_n: float
    max_effect: float

    @property
    def worth(self) -> float:
        """The size of each effect in the equivalent count; 0 if there are none."""
        return self.cubes / self.squares if self.squares else 0.0

    def share(self, trials: float) -> float:
        """Return the equivalent count as a fraction of all trials."""
        return self.total**2 / (trials * self.squares) if self.squares else 0.0


def arms_of_mean(moved: Effects, of: float, apart: Dispersion, unseen: UnseenEffect, confidence: float) -> Arms | None:
    """Return the half-widths of the interval for a mean of `of` values; None for fewer than 2.

    Or for a difference of means whose smaller sample has `of`. They are widened by Student's t, because the variance is
    estimated too.
    """
    if of < 2:
        return None
    ways = moved.ways
    effective_n = sum(way.effective_n for way in ways)
    reach = unseen.deviations * apart.deviation * min(1.0, unseen.few / (1 + effective_n))
    reach = reach if effective_n else max(reach, apart.step)
    below, above = _together(
        ways, float(moved.counts.sum()), reach / of, (apart.room[0] / of, apart.room[1] / of), confidence
    )
    # One degree of freedom is used by the mean, and one by the skewness.
    freedom = max(1, round(min(of - 2, _freedom(moved))))
    longer = t_quantile(confidence, freedom) / z_quantile(confidence)
    return longer * below, longer * above


def _freedom(moved: Effects) -> float:
    """Return the degrees of freedom of the effects' variance (Satterthwaite), from their kurtosis."""
    seen, fourth = float(moved.counts[moved.differ].sum()), float(moved.counts @ moved.moves**4)
    unlike = fourth - moved.variance**2 / seen if seen else 0.0
    return 2 * moved.variance**2 / unlike if unlike > NOISE * fourth else inf


def arms_of(moved: Effects, reach: float, most: float, confidence: float) -> Arms:
    """Return the half-widths of the interval for a number.

    An unseen effect may be as large as `reach`, or as those seen, but at most `most`.
    """
    return _together(moved.ways, float(moved.counts.sum()), reach, (most, most), confidence)


def _together(
    ways: tuple[OneSidedEffect, OneSidedEffect], trials: float, reach: float, room: Arms, confidence: float
) -> Arms:
    """Combine the downward and upward intervals (Zou 2008), with their correlation, as no trial is both.

    No unseen effect is larger than the `room` in its direction.
    """
    down, up = ways

    def arms(way: OneSidedEffect, other: OneSidedEffect, most: float) -> Arms:
        seen = way.max_effect if way.squares else other.worth
        return _arms_of_way(way, min(most, max(reach, seen)), trials, confidence)

    (less_down, more_down), (less_up, more_up) = arms(down, up, room[0]), arms(up, down, room[1])
    # Half a trial is added to either: if none of one kind was seen, there may be as many as of the other.
    half, fewer, more = HALF / trials, down.share(trials), up.share(trials)
    together = sqrt((fewer + half) * (more + half) / ((1 - fewer + half) * (1 - more + half)))

    def arm(one: float, other: float) -> float:
        return sqrt(one**2 + other**2 + 2 * together * one * other)

    return arm(less_up, more_down), arm(more_up, less_down)


def arms_of_independent(here: Arms, there: Arms) -> Arms:
    """Return the half-widths for a difference of two independent numbers, from those of each (Zou 2008)."""
    return sqrt(there[0] ** 2 + here[1] ** 2), sqrt(there[1] ** 2 + here[0] ** 2)


def _one_sided(counts: Weights, moves: Weights, trails_off: float) -> OneSidedEffect:
    total, squares, cubes, fourth = (float(counts @ moves**power) for power in (1, 2, 3, 4))
    max_effect = float(moves.max(initial=0.0)) * trails_off
    return OneSidedEffect(total, squares, cubes, squares**2 / fourth if fourth else 0.0, max_effect)


def _reach_ratio(one: float, other: float) -> float:
    """Return how many times as far values extend to one side as to the other, limited to 1 to `FURTHEST`."""
    return min(FURTHEST, max(1.0, one / other)) if other else 1.0


def _arms_of_way(way: OneSidedEffect, unseen: float, trials: float, confidence: float) -> Arms:
    """Return the half-widths for the true sum of effects in one direction, allowing for an unseen one."""
    if not way.squares:
        return 0.0, unseen * trials * binomial_upper_limit(confidence, 0, trials, HALF)
    seen = way.squares**3 / way.cubes**2
    of = seen / way.share(trials)
    low = 1 - binomial_upper_limit(confidence, of - seen, of, HALF)
    unseen = way.worth + (unseen - way.worth) * min(1.0, FEW / way.effective_n)
    squares, cubes = way.squares + unseen**2, way.cubes + unseen**3
    with_it, worth = squares**3 / cubes**2, cubes / squares
    of_it = of * with_it / (seen + 1)
    high = binomial_upper_limit(confidence, max(0.0, with_it - 1), of_it, HALF)
    return way.worth * (seen - of * low), worth * (of_it * high - with_it) + unseen
