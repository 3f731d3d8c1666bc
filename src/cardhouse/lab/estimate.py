"""What counts tell: a share or a mean, and the interval in which its true value lies, with so much confidence."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import msgspec

from cardhouse.lab.quantiles import errors_of, errors_of_few, least_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.question import Finding
    from cardhouse.lab.tally import Counts

    Weights = NDArray[np.float64]


class Estimate(msgspec.Struct, frozen=True):
    """A number and its interval, from so many trials; None of no trials, no interval of a mean of one."""

    value: float | None
    low: float | None
    high: float | None
    trials: int

    @property
    def error(self) -> float | None:
        """How far the true value may be from this one: the longer arm of the interval."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return max(self.high - self.value, self.value - self.low)


FEW_TRIALS, FEW_OF_FEW, FEW_OF_MANY = 50, 2, 3
"""Of 50 trials at most, what came up twice came up a few times; of more, what came up three times."""
UNKNOWN = Estimate(None, None, None, 0)


def estimate(finding: Finding, counts: Counts, confidence: float) -> Estimate:
    """A finding, from how often each value of its measure came up: counts of shape (size,).

    The interval of a share is Wilson's, which tells something of what never happened too; where that happened, or
    failed to, only a few times, it begins where Poisson's does (Brown, Cai and DasGupta 2001): Wilson's would begin too
    late there.
    """
    worth, given = weights(finding, len(counts))
    trials = float(counts @ given)
    if not trials:
        return UNKNOWN
    value = float(counts @ worth) / trials
    if finding.kind == "mean":
        moves = (worth - value * given) / trials
        arms = _arms(counts, moves, trials, trials - 1, finding.scale**2 / trials**2, confidence)
        return _mean(finding, value, arms, round(trials))
    errors = errors_of(confidence)
    middle = (value + errors**2 / (2 * trials)) / (1 + errors**2 / trials)
    arm = errors * sqrt(value * (1 - value) / trials + (errors / (2 * trials)) ** 2) / (1 + errors**2 / trials)
    low, high = middle - arm if value else 0.0, middle + arm if value < 1 else 1.0
    seen, failed = round(value * trials), round((1 - value) * trials)
    few = FEW_OF_FEW if trials <= FEW_TRIALS else FEW_OF_MANY
    if 0 < seen <= few:
        low = min(low, least_for(confidence, seen) / trials)
    if 0 < failed <= few:
        high = max(high, 1 - least_for(confidence, failed) / trials)
    return Estimate(value, low, high, round(trials))


def difference(finding: Finding, joint: Counts, confidence: float, other_finding: Finding | None = None) -> Estimate:
    """By how much a finding is more there than here, from the same trials: counts of shape (size here, size there).

    There it may be about other values: half of all the cards are more of them with larger hands. Its trials are those
    that it is about here or there.

    What both have in common cancels out. For the interval of shares half a trial is added to each of the four ways in
    which they can fall together (Agresti and Min 2005), so that no difference seen is not taken for certainty; where
    trials are about only one of them, a whole one to each way in which that one can fall (Agresti and Caffo 2000).
    """
    here, there = joint.shape
    worth, given = weights(finding, here)
    other_worth, other_given = weights(other_finding or finding, there)
    of, other_of = float(joint.sum(axis=1) @ given), float(joint.sum(axis=0) @ other_given)
    if not of or not other_of:
        return UNKNOWN
    both = float(given @ joint @ other_given)
    trials = round(of + other_of - both)
    one, other = float(joint.sum(axis=1) @ worth) / of, float(joint.sum(axis=0) @ other_worth) / other_of
    # How much each trial moves either number, by the values it had here and there.
    moves = ((worth - one * given) / of)[:, None] - ((other_worth - other * other_given) / other_of)[None, :]
    more = other - one
    alone = 1 - both / max(of, other_of)
    if finding.kind == "mean":
        unseen = 1 / of**2 + 1 / other_of**2 - (1 - alone) / (of * other_of)
        freedom = _freedom(joint, moves, given, other_given)
        below, above = _arms(joint, -moves, min(of, other_of), freedom, finding.scale**2 * unseen, confidence)
        return Estimate(more, None if below is None else more - below, None if above is None else more + above, trials)
    middle, arm = _shares_apart(joint, (worth, given), (other_worth, other_given), alone, confidence)
    return Estimate(more, max(-1.0, min(more, middle - arm)), min(1.0, max(more, middle + arm)), trials)


def _shares_apart(
    joint: Counts, here: tuple[Weights, Weights], there: tuple[Weights, Weights], alone: float, confidence: float
) -> tuple[float, float]:
    """The middle and the arm of the interval of a difference of shares.

    Each is told by what its values add to it and which of them it is about, `alone` is the part of the trials that is
    about only one of them.
    """
    import numpy as np

    ways = [np.stack([worth, given - worth, 1 - given]) for worth, given in (here, there)]
    seen: Weights = ways[0] @ joint.astype(np.float64) @ ways[1].T
    seen[:2, :2] += (1 - alone) / 2
    seen[:2, 2] += alone
    seen[2, :2] += alone
    of, other_of = seen[:2].sum(), seen[:, :2].sum()
    one, other = seen[0].sum() / of, seen[:, 0].sum() / other_of
    moves = np.array([1 - one, -one, 0])[:, None] / of - np.array([1 - other, -other, 0])[None, :] / other_of
    return float(other - one), errors_of(confidence) * sqrt(float((seen * moves**2).sum()))


def _arms(
    counts: Counts, moves: Weights, trials: float, freedom: float, step: float, confidence: float
) -> tuple[float, float] | tuple[None, None]:
    """How far below and above a mean the true one may be, by how much each trial moves it; None of less than two.

    Of few it is Student's interval, on the side to which the values trail off longer by the skewness (Johnson 1978),
    which takes one of so many degrees of freedom as well. `step` is what one value a step away would add to the
    variance: it is reckoned with as the rule of three does (what never happened in n trials may happen 3/n of the
    time), so that values that all were the same are not taken for certainty.
    """
    if trials < 2:
        return None, None
    errors = errors_of_few(confidence, max(1, round(freedom - 1)))
    seldom = -log(1 - confidence) / errors_of(confidence)
    variance = float((counts * moves**2).sum()) * trials / (trials - 1) + seldom**2 * step
    skewed = float((counts * moves**3).sum()) / (6 * variance) * (1 + 2 * errors**2)
    arm = errors * sqrt(variance)
    return arm + max(0.0, -skewed), arm + max(0.0, skewed)


def _freedom(joint: Counts, moves: Weights, given: Weights, other_given: Weights) -> float:
    """The degrees of freedom of a difference of means (Welch and Satterthwaite).

    Trials that are about both, about the one only and about the other only each tell of a variance of their own.
    """
    squares = joint * moves**2
    both = given[:, None] * other_given[None, :]
    known, total = 0.0, float(squares.sum())
    for part in (both, given[:, None] - both, other_given[None, :] - both):
        many, variance = float((joint * part).sum()), float((squares * part).sum())
        known += variance**2 / max(1.0, many - 1)
    return total**2 / known if known else float(joint.sum()) - 1


def _mean(finding: Finding, value: float, arms: tuple[float, float] | tuple[None, None], trials: int) -> Estimate:
    """A mean with its interval, which goes no further than its values can."""
    below, above = arms
    if below is None or above is None:
        return Estimate(value, None, None, trials)
    low = max(value - below, (finding.given_least - finding.zero) * finding.scale)
    high = value + above
    if finding.given_most is not None:
        high = min(high, (finding.given_most - finding.zero) * finding.scale)
    return Estimate(value, low, high, trials)


def weights(finding: Finding, size: int) -> tuple[Weights, Weights]:
    """What each value of a measure adds to the finding, and whether it is among those that it is about."""
    import numpy as np

    values = np.arange(size, dtype=np.float64)

    def between(least: int, most: int | None) -> Weights:
        return ((values >= least) & (values <= (size if most is None else most))).astype(np.float64)

    given = between(finding.given_least, finding.given_most)
    worth = between(finding.least, finding.most)
    if finding.kind == "mean":
        worth = (values - finding.zero) * finding.scale
    return worth * given, given
