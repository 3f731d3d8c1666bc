"""What counts tell: a share or a mean, and the interval in which its true value lies, with so much confidence."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import msgspec

from cardhouse.lab.quantiles import errors_of, errors_of_few

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


UNKNOWN = Estimate(None, None, None, 0)


def estimate(finding: Finding, counts: Counts, confidence: float) -> Estimate:
    """A finding, from how often each value of its measure came up: counts of shape (size,).

    The interval of a share is Wilson's, which tells something of what never happened too.
    """
    worth, given = weights(finding, len(counts))
    trials = float(counts @ given)
    if not trials:
        return UNKNOWN
    value = float(counts @ worth) / trials
    if finding.kind == "mean":
        moves = (worth - value * given) / trials
        arms = _arms(counts, moves, trials, finding.scale**2 / trials**2, confidence)
        return _mean(finding, value, arms, round(trials))
    errors = errors_of(confidence)
    middle = (value + errors**2 / (2 * trials)) / (1 + errors**2 / trials)
    arm = errors * sqrt(value * (1 - value) / trials + (errors / (2 * trials)) ** 2) / (1 + errors**2 / trials)
    low, high = middle - arm if value else 0.0, middle + arm if value < 1 else 1.0
    return Estimate(value, low, high, round(trials))


def difference(finding: Finding, joint: Counts, confidence: float, other_finding: Finding | None = None) -> Estimate:
    """By how much a finding is more there than here, from the same trials: counts of shape (size here, size there).

    There it may be about other values: half of all the cards are more of them with larger hands. Its trials are those
    that it is about here or there.

    What both have in common cancels out. Half a trial is added to each of the four ways in which shares can fall
    together (Agresti and Min), so that no difference seen is not taken for certainty; where a trial is about only one
    of them, to each way in which that one can fall.
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
    unseen = 1 / of**2 + 1 / other_of**2 - both / max(of, other_of) / (of * other_of)
    more = other - one
    if finding.kind == "mean":
        below, above = _arms(joint, -moves, min(of, other_of), finding.scale**2 * unseen, confidence)
        return Estimate(more, None if below is None else more - below, None if above is None else more + above, trials)
    arm = errors_of(confidence) * sqrt(float((joint * moves**2).sum()) + unseen)
    return Estimate(more, more - arm, more + arm, trials)


def _arms(
    counts: Counts, moves: Weights, trials: float, step: float, confidence: float
) -> tuple[float, float] | tuple[None, None]:
    """How far below and above a mean the true one may be, by how much each trial moves it; None of less than two.

    Of few it is Student's interval, on the side to which the values trail off longer by the skewness (Johnson 1978),
    which takes a degree of freedom as well. `step` is what one value a step away would add to the variance: as
    Wilson's interval of a share does, it reckons with the square of so many standard errors of them, so that values
    that all were the same are not taken for certainty.
    """
    if trials < 2:
        return None, None
    errors = errors_of_few(confidence, max(1, round(trials) - 2))
    variance = (float((counts * moves**2).sum()) + errors_of(confidence) ** 2 * step) * trials / (trials - 1)
    skewed = float((counts * moves**3).sum()) / (6 * variance) * (1 + 2 * errors**2)
    arm = errors * sqrt(variance)
    return arm + max(0.0, -skewed), arm + max(0.0, skewed)


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
