"""How many standard errors hold the true value, with so much confidence."""

from __future__ import annotations

from functools import lru_cache
from math import cos, exp, pi, sin, sqrt, tan
from statistics import NormalDist

FEW = 100
"""From so many degrees of freedom on, Student's quantile follows from the normal one to five digits."""


def errors_of(confidence: float) -> float:
    """So many standard errors to each side hold the true value with this confidence, 0 to 1: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(1024)
def errors_of_few(confidence: float, freedom: int) -> float:
    """The same where the error itself is known from few, with so many degrees of freedom (1 or more): Student's."""
    if freedom >= FEW:
        z = errors_of(confidence)
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, pi / 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return sqrt(freedom) * tan(low)


@lru_cache(1024)
def least_for(confidence: float, seen: int) -> float:
    """The least mean at which something rare comes up so often or more with a chance of 1 - confidence (Poisson)."""
    low, high = 0.0, float(seen)
    while (middle := (low + high) / 2) not in (low, high):
        term, fewer = exp(-middle), 0.0
        for number in range(seen):
            fewer += term
            term *= middle / (number + 1)
        low, high = (middle, high) if fewer > confidence else (low, middle)
    return low


def _within(angle: float, freedom: int) -> float:
    """How often Student's t is within `tan(angle)` times the root of its degrees of freedom (Abramowitz 26.7.3, 4)."""
    odd = freedom % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for place in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (place - 1) / place
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
