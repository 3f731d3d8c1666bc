"""How far the true number may lie below and above what came out: the arms of an interval of a mean or a difference."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.lab.quantiles import errors_of, errors_of_few, share_within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]

HALF = 0.5
FADES = 4
"""Half a trial is added that was not seen, or 4 by the number of those seen, whichever is less."""
FURTHEST = 3
"""It lies further out than any that was seen by as much as these trail off to its side, 3 times at most.

Only of values that trail off so much all of it is added; of those that don't trail off at all, nothing.
"""
LOPSIDED = 3
"""Of so many trials or fewer it can't be told that they don't trail off."""
SPREAD = 2
"""Values differ by two standard deviations, as far as can be told where no pair of them does."""

Arms = tuple[float, float]


class Moved(NamedTuple):
    """How each kind of trial moves a number, and how often it was seen: `counts` and `moves` of shape (kinds,).

    `differs` tells the kinds that matter: of pairs, those that are not the same here and there. The moves of all trials
    add up to 0.
    """

    counts: Weights
    moves: Weights
    differs: NDArray[np.bool_]

    @property
    def variance(self) -> float:
        return float((self.counts * self.moves**2).sum())


def arms_of_mean(moved: Moved, trials: float, freedom: float, step: float, confidence: float) -> Arms:
    """How far below and above a mean of so many trials (2 or more) the true one may be.

    It is Student's interval with these degrees of freedom, made longer to the side to which the values trail off by
    their skewness (Johnson 1978), with two things that were not seen reckoned in. What never came up in n trials may
    come up 3/n of the time, as by the rule of three, and move the number by a `step`. And on either side there may be a
    value further out than all that few trials have shown: part of a trial with it is added, the more
    of it the further values trail off to its side.
    """
    errors = errors_of_few(confidence, max(1, round(freedom - 1)))
    variance = moved.variance * trials / (trials - 1) + (-log(1 - confidence) / errors_of(confidence) * step) ** 2
    unbiased = trials**2 / ((trials - 1) * (trials - 2)) if trials > 2 else 1.0
    third = float((moved.counts * moved.moves**3).sum()) * unbiased
    seen = max(1.0, float(moved.counts[moved.differs].sum()))
    below, above = _furthest(moved)

    def arm(side: Unseen, third: float) -> float:
        far, lopsided = side.far, (side.trails_off - 1) / (FURTHEST - 1)
        part = min(HALF, FADES / seen) * min(1.0, lopsided + LOPSIDED / seen)
        whole = variance + part * far**2
        skewness = (third + part * far**3) / (6 * whole)
        return part * far + errors * sqrt(whole) + max(0.0, skewness * (1 + 2 * errors**2))

    return arm(below, -third), arm(above, third)


class Unseen(NamedTuple):
    """How far a trial that wasn't seen may move the number to one side, and how much values trail off to it, 1 to 3."""

    far: float
    trails_off: float


def _furthest(moved: Moved) -> tuple[Unseen, Unseen]:
    """What may not have been seen below, and above."""
    among, counts = moved.moves[moved.differs], moved.counts[moved.differs]
    if not among.size:
        return Unseen(max(0.0, -float(moved.moves.min())), 1.0), Unseen(max(0.0, float(moved.moves.max())), 1.0)
    middle = float((counts * among).sum() / counts.sum())
    down, up = middle - float(among.min()), float(among.max()) - middle
    below, above = -float(moved.moves.min()), float(moved.moves.max())
    one, other = _trails_off(down, up), _trails_off(up, down)
    return Unseen(max(0.0, below) * one, one), Unseen(max(0.0, above) * other, other)


def _trails_off(one: float, other: float) -> float:
    """How many times as far values go to one side as to the other; at least once, at most `FURTHEST` times."""
    ratio = one / other if other > 0 else inf if one > 0 else 1.0
    return min(FURTHEST, max(1.0, ratio))


def arms_of_strangers(here: Arms, there: Arms) -> Arms:
    """How far a difference of two numbers that have nothing in common may be off, by the arms of each (Zou 2008)."""
    return sqrt(there[0] ** 2 + here[1] ** 2), sqrt(there[1] ** 2 + here[0] ** 2)


def arms_of_pairs(fewer: int, more: int, trials: int, confidence: float) -> Arms:
    """How far a difference of two shares may be off: of so many pairs `more` came up only there, `fewer` only here.

    Both chances have a mid-p interval, which are put together (Zou 2008) with the correlation that they have, as no
    pair is both. Counted out for 10 to 200 pairs, 94.5 % of such intervals or more hold for 95 %, whatever the chances.
    """
    one, other = fewer / trials, more / trials
    low, high = share_within(confidence, fewer, trials, HALF)
    other_low, other_high = share_within(confidence, more, trials, HALF)
    # Half a pair is added to either, as those of which none was seen may be as many as those of which all were.
    together = sqrt((fewer + HALF) * (more + HALF) / ((trials - fewer + HALF) * (trials - more + HALF)))

    def arm(of_more: float, of_fewer: float) -> float:
        return sqrt(of_more**2 + of_fewer**2 + 2 * together * of_more * of_fewer)

    return arm(other - other_low, high - one), arm(other_high - other, one - low)
