"""Quantiles of the normal, Student's t and binomial distributions."""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, lgamma, log, log1p, pi, sin, sqrt, tan
from statistics import NormalDist

FEW = 100
"""From this many degrees of freedom on, Student's quantile follows from the normal one to five digits."""

EXPANDED_FROM = 50
"""Above this many successes and failures, use the asymptotic expansion."""


def z_quantile(confidence: float) -> float:
    """Return the two-sided normal quantile for this confidence, 0 to 1: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(1024)
def t_quantile(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t, for a variance estimated with 1 or more degrees of freedom."""
    if freedom >= FEW:
        z = z_quantile(confidence)
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, pi / 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return sqrt(freedom) * tan(low)


@lru_cache(8192)
def binomial_upper_limit(confidence: float, seen: float, trials: float, counted: float) -> float:
    """Return the upper confidence limit, 0 to 1, of a probability seen `seen` times in this many trials.

    At the limit, P(X < seen) + `counted` P(X = seen) equals (1 - confidence) / 2. `counted` is 0.5 to 1: 1 gives
    Clopper and Pearson's limit, which is too wide, 0.5 the mid-p limit. It is exact where successes or failures are
    rare, and otherwise Cai's expansion (2005), whose error is then a two-hundredth of the half-width. Neither count
    need be an integer: effective counts seldom are.
    """
    if seen >= trials:
        return 1.0
    if min(seen, trials - seen) > EXPANDED_FROM:
        return _expanded(z_quantile(confidence), seen + counted - 0.5, trials)
    low, high = seen / trials, 1.0
    while high - low > 1e-9 * low and (middle := (low + high) / 2) not in (low, high):
        enough = _at_most(middle, seen, trials, counted) > (1 - confidence) / 2
        low, high = (middle, high) if enough else (low, middle)
    return high


def proportion_interval(confidence: float, seen: int, trials: int, counted: float) -> tuple[float, float]:
    """Return the confidence interval, within 0 to 1, of a probability seen `seen` times in 1 or more trials."""
    low = 1 - binomial_upper_limit(confidence, trials - seen, trials, counted)
    return max(0.0, low), binomial_upper_limit(confidence, seen, trials, counted)


def _at_most(chance: float, seen: float, trials: float, counted: float) -> float:
    """Return P(X <= seen) of a binomial, with P(X = seen) weighted by `counted`."""
    ways = lgamma(trials + 1) - lgamma(seen + 1) - lgamma(trials - seen + 1)
    exactly = exp(ways + seen * log(chance) + (trials - seen) * log1p(-chance))
    if chance * (trials + 3) < seen + 2:
        odds = (trials - seen) / (seen + 1) * chance
        return 1 - exactly * (odds * _incomplete_beta(chance, seen + 1, trials - seen) + 1 - counted)
    return exactly * (chance * _incomplete_beta(1 - chance, trials - seen, seen + 1) - 1 + counted)


def _incomplete_beta(at: float, one: float, other: float) -> float:
    """Return the continued fraction of the incomplete beta function, without its leading factor (DLMF 8.17.22)."""
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, 10_000):
        half, odd = divmod(step, 2)
        top = -(one + half) * (one + other + half) if odd else half * (other - half)
        part = top * at / ((one + step - 1) * (one + step))
        below = 1 / (1 + part * below)
        above = 1 + part / above
        value *= above * below
        if abs(above * below - 1) < 1e-13:
            break
    return 1 / value


def _expanded(errors: float, seen: float, trials: float) -> float:
    share = seen / trials
    spread = share * (1 - share)
    shift = errors**2 / 3 + 1 / 6
    more = (errors**2 / 18 + 7 / 36 - spread * (13 * errors**2 + 17) / 18) / trials
    return (seen + shift) / (trials + 2 * shift) + errors * sqrt((spread + more) / trials)


def _within(angle: float, freedom: int) -> float:
    """Return P(|t| <= tan(angle) * sqrt(freedom)) for Student's t (Abramowitz 26.7.3, 4)."""
    odd = freedom % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for place in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (place - 1) / place
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
