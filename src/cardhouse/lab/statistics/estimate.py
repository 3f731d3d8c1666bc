"""Estimates from counts: a share or a mean, with its confidence interval."""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardhouse.lab.statistics.mean_interval import (
    Arms,
    Dispersion,
    Effects,
    UnseenEffect,
    arms_of,
    arms_of_independent,
    arms_of_mean,
)
from cardhouse.lab.statistics.quantiles import proportion_interval, z_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardhouse.lab.questions.question import Finding
    from cardhouse.lab.statistics.histogram import Counts

    Weights = NDArray[np.float64]


class Estimate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number with its interval, from this many trials; None without trials, and no interval for a mean of one.

    For a difference, `differed` counts the trials with different results here and there.
    """

    value: float | None
    low: float | None
    high: float | None
    trials: int
    differed: int | None = None

    @property
    def error(self) -> float | None:
        """The half-width of the interval on its longer side."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return max(self.high - self.value, self.value - self.low)

    @property
    def is_clear(self) -> bool:
        """Whether a difference is significant: its interval is known and excludes 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


COUNTED = 0.7
"""The weight of the observed count in each tail (mid-p), chosen so that no interval is too short."""
ADDED = 1 / 14
"""The pseudo-trials in a difference of conditional shares, per squared z quantile: 0.27 for 95%.

An enumeration for six trials gave better worst-case coverage than half a trial at every confidence.
"""
OF_PAIRS, OF_VALUES = UnseenEffect(2, few=2), UnseenEffect(3, few=10)
"""Unseen effects: pairs about both sides differ by less than values do, unlike trials about one side.

Chosen so that with few trials hardly any kind of interval covers too rarely, and few too often (benchmarks.coverage).
"""
UNKNOWN = Estimate(None, None, None, 0)


def estimate(finding: Finding, counts: Counts, confidence: float) -> Estimate:
    """Estimate a finding from the counts of its measure's values, of shape (size,).

    The interval of a share is binomial (see most_likely_at), so it is informative even about events never seen.
    Enumerated for 1 to 400 trials, the coverage of the 95% interval is at least 93.4% for every share.
    """
    worth, given = weights(finding, len(counts))
    trials = round(float(counts @ given))
    if not trials:
        return UNKNOWN
    value = float(counts @ worth) / trials
    if finding.kind == "mean":
        arms = _mean_interval(finding, _mean_of(finding, counts), confidence)
        return _within(value, arms, _ends(finding), trials)
    low, high = proportion_interval(confidence, round(value * trials), trials, COUNTED)
    return Estimate(value, min(low, value), max(high, value), trials)


def difference(finding: Finding, joint: Counts, confidence: float, other_finding: Finding | None = None) -> Estimate:
    """Estimate how much greater a finding is there than here, in the same trials; shape (size here, size there).

    The other finding may be about other values: half of all cards are more cards with larger hands. The trials are
    those that it is about here or there. Common effects cancel out.
    """
    there_finding = other_finding or finding
    worth, given = weights(finding, len(joint))
    other_worth, other_given = weights(there_finding, joint.shape[1])
    here, there = joint.sum(axis=1), joint.sum(axis=0)
    of, other_of = float(here @ given), float(there @ other_given)
    if not of or not other_of:
        return UNKNOWN
    both = float(given @ joint @ other_given)
    trials = round(of + other_of - both)
    more = float(there @ other_worth) / other_of - float(here @ worth) / of
    differs = (worth[:, None] != other_worth) | (given[:, None] != other_given)
    differed = round(float(joint[differs].sum()))
    if finding.kind == "share" and not of == other_of == both:
        alone = 1 - both / max(of, other_of)
        middle, arm = _shares_apart(joint, (worth, given), (other_worth, other_given), alone, confidence)
        low, high = max(-1.0, min(more, middle - arm)), min(1.0, max(more, middle + arm))
        return Estimate(more, low, high, trials, differed)
    (least, most), (other_least, other_most) = _ends(finding), _ends(there_finding)
    arms = _paired(finding, there_finding, joint, confidence)
    return _within(more, arms, (other_least - most, other_most - least), trials, differed)


def _within(
    value: float, arms: Arms | None, ends: tuple[float, float], trials: int, differed: int | None = None
) -> Estimate:
    """Return a number with its interval, clipped to its possible values."""
    if arms is None:
        return Estimate(value, None, None, trials, differed)
    return Estimate(value, max(value - arms[0], ends[0]), min(value + arms[1], ends[1]), trials, differed)


def _ends(finding: Finding) -> tuple[float, float]:
    """Return the smallest and greatest possible value of a number."""
    if finding.kind == "share":
        return 0.0, 1.0
    most = inf if finding.given_most is None else (finding.given_most - finding.zero) * finding.scale
    return (finding.given_least - finding.zero) * finding.scale, most


class _Mean(NamedTuple):
    """A number by itself: how many trials it is about, and how much each value moves it.

    `counts`, `about` (whether trials of a value are among them) and `moves` have shape (size,).
    """

    value: float
    of: float
    counts: Counts
    about: NDArray[np.bool_]
    moves: Weights

    @property
    def variance(self) -> float:
        return float(self.counts @ self.moves**2)

    @property
    def deviation(self) -> float:
        """The standard deviation of the values."""
        return sqrt(self.variance * self.of)


def _mean_of(finding: Finding, counts: Counts) -> _Mean:
    worth, given = weights(finding, len(counts))
    of = float(counts @ given)
    value = float(counts @ worth) / of
    return _Mean(value, of, counts, given > 0, (worth - value * given) / of)


def _mean_interval(finding: Finding, mean: _Mean, confidence: float) -> Arms | None:
    """Return the half-widths of a mean's interval; None for fewer than two values."""
    seen = (mean.counts > 0) & mean.about
    least, most = _ends(finding)
    apart = Dispersion(mean.deviation, finding.scale, (mean.value - least, most - mean.value))
    return arms_of_mean(
        Effects(mean.counts[seen].astype(float), mean.moves[seen]), mean.of, apart, OF_VALUES, confidence
    )


def _paired(finding: Finding, there_finding: Finding, joint: Counts, confidence: float) -> Arms | None:
    """Return the half-widths of a difference's interval; None for means with fewer than two values on a side.

    It is moved by unequal pairs, and by trials about one side only. An unseen trial of the latter kind may move it by
    the distance between values; an unseen pair about both only if hardly any differed.
    """
    here, there = _mean_of(finding, joint.sum(axis=1)), _mean_of(there_finding, joint.sum(axis=0))
    row, column = joint.nonzero()
    kept = here.about[row] | there.about[column]
    row, column = row[kept], column[kept]
    is_of_both = bool((here.about[row] & there.about[column]).all())
    moved = Effects(joint[row, column].astype(float), there.moves[column] - here.moves[row])
    # An equal pair moves nothing.
    pairs = Effects(moved.counts, moved.moves + (there.value - here.value) / here.of) if is_of_both else moved
    (least, most), (other_least, other_most) = _ends(finding), _ends(there_finding)
    span = max(most, other_most) - min(least, other_least)
    if finding.kind == "share":
        return arms_of(pairs, span / here.of, span / here.of, confidence)
    apart = Dispersion(max(here.deviation, there.deviation), finding.scale, (span, span))
    unseen = OF_PAIRS if here.of == there.of == float(joint.sum()) else OF_VALUES
    arms = arms_of_mean(pairs, min(here.of, there.of), apart, unseen, confidence)
    alone, other_alone = (
        _mean_interval(finding, here, confidence),
        _mean_interval(there_finding, there, confidence),
    )
    if arms is None or alone is None or other_alone is None:
        return None
    strangers = arms_of_independent(alone, other_alone)
    if not is_of_both and (here.variance > 0) != (there.variance > 0):
        return strangers  # pairs don't show the spread on a side where all values were equal
    if moved.variance > here.variance + there.variance:
        return arms  # pairing made them less alike
    return min(arms[0], strangers[0]), min(arms[1], strangers[1])


def _shares_apart(
    joint: Counts, here: tuple[Weights, Weights], there: tuple[Weights, Weights], alone: float, confidence: float
) -> tuple[float, float]:
    """Return the middle and half-width of the interval for a difference of shares about different trials.

    Each side is given by what its values add to it and which of them it is about; `alone` is the fraction of trials
    about only one side. A fraction of a trial is added to each of the four outcomes of trials about both (Agresti and
    Min 2005), more for higher confidence, and a whole one to each outcome of those about one (Agresti and Caffo 2000),
    so that seeing no difference isn't taken for certainty.
    """
    import numpy as np

    ways = [np.stack([worth, given - worth, 1 - given]) for worth, given in (here, there)]
    seen: Weights = ways[0] @ joint.astype(np.float64) @ ways[1].T
    seen[:2, :2] += ADDED * z_quantile(confidence) ** 2 * (1 - alone)
    seen[:2, 2] += alone
    seen[2, :2] += alone
    of, other_of = seen[:2].sum(), seen[:, :2].sum()
    one, other = seen[0].sum() / of, seen[:, 0].sum() / other_of
    moves = np.array([1 - one, -one, 0])[:, None] / of - np.array([1 - other, -other, 0])[None, :] / other_of
    return float(other - one), z_quantile(confidence) * sqrt(float((seen * moves**2).sum()))


def weights(finding: Finding, size: int) -> tuple[Weights, Weights]:
    """Return what each value of a measure adds to the finding, and whether the finding is about it."""
    import numpy as np

    values = np.arange(size, dtype=np.float64)

    def between(least: int, most: int | None) -> Weights:
        return ((values >= least) & (values <= (size if most is None else most))).astype(np.float64)

    given = between(finding.given_least, finding.given_most)
    worth = between(finding.least, finding.most)
    if finding.kind == "mean":
        worth = (values - finding.zero) * finding.scale
    return worth * given, given
