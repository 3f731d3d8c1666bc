"""What counts tell: a share or a mean, and the interval in which its true value lies, with so much confidence."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

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


def errors_of(confidence: float) -> float:
    """So many standard errors to each side hold the true value with this confidence, 0 to 1: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def estimate(finding: Finding, counts: Counts, confidence: float) -> Estimate:
    """A finding, from how often each value of its measure came up: counts of shape (size,).

    The interval of a share is Wilson's, which tells something of what never happened too.
    """
    worth, given = weights(finding, len(counts))
    trials = float(counts @ given)
    if not trials:
        return UNKNOWN
    errors = errors_of(confidence)
    value = float(counts @ worth) / trials
    if finding.kind == "share":
        middle = (value + errors**2 / (2 * trials)) / (1 + errors**2 / trials)
        arm = errors * sqrt(value * (1 - value) / trials + (errors / (2 * trials)) ** 2) / (1 + errors**2 / trials)
        low, high = middle - arm if value else 0.0, middle + arm if value < 1 else 1.0
        return Estimate(value, low, high, round(trials))
    if trials < 2:
        return Estimate(value, None, None, 1)
    spread = float(counts @ (given * (worth - value) ** 2)) / (trials - 1)
    arm = errors * sqrt(spread / trials)
    return Estimate(value, value - arm, value + arm, round(trials))


def difference(finding: Finding, joint: Counts, confidence: float, other_finding: Finding | None = None) -> Estimate:
    """By how much a finding is more there than here, from the same trials: counts of shape (size here, size there).

    There it may be about other values: half of all the cards are more of them with larger hands.

    What both have in common cancels out. Half a trial is added to each of the four ways in which shares can fall
    together (Agresti and Min), so that no difference seen is not taken for certainty.
    """
    here, there = joint.shape
    trials = float(joint.sum())
    worth, given = weights(finding, here)
    other_worth, other_given = weights(other_finding or finding, there)
    of, other_of = float(joint.sum(axis=1) @ given), float(joint.sum(axis=0) @ other_given)
    if not of or not other_of or trials < 2:
        return UNKNOWN
    one, other = float(joint.sum(axis=1) @ worth) / of, float(joint.sum(axis=0) @ other_worth) / other_of
    # How much each trial moves either number, by the values it had here and there.
    moves = ((worth - one * given) / of)[:, None] - ((other_worth - other * other_given) / other_of)[None, :]
    variance = float((joint * moves**2).sum())
    if finding.kind == "share":
        variance += 1 / trials**2
    arm = errors_of(confidence) * sqrt(variance)
    return Estimate(other - one, other - one - arm, other - one + arm, round(trials))


def weights(finding: Finding, size: int) -> tuple[Weights, Weights]:
    """What each value of a measure adds to the finding, and whether it is among those that it is about."""
    import numpy as np

    values = np.arange(size, dtype=np.float64)

    def between(least: int, most: int | None) -> Weights:
        return ((values >= least) & (values <= (size if most is None else most))).astype(np.float64)

    given = between(finding.given_least, finding.given_most)
    worth = values * finding.scale if finding.kind == "mean" else between(finding.least, finding.most)
    return worth * given, given
