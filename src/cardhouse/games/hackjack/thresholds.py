"""Hackjack's thresholds, the only definition of each: for the rules, the odds, the page and the compiled kernels."""

from collections.abc import Callable
from functools import cache
from itertools import count

PAINFUL = 3
"""HJ-29: the least Trauma at which exertion hurts, if the option is on."""


def goes_down(left: int, at_zero: int) -> bool:
    """Return whether a character with `left` HP goes down: below 0, or with the option `at_zero` at 0 too (HJ-1)."""
    return left < 1 if at_zero else left < 0


def is_massive(damage: int, massive: int) -> bool:
    """Return whether `damage`, or points below 0 HP, replace the card's value: above `massive`, 13 (HJ-4, HJ-8)."""
    return damage > massive


def is_outright(below: int, limit: int) -> bool:
    """Return whether `below` points below 0 HP kill without a card: above the limit, 21 (HJ-3)."""
    return below > limit


def is_too_much(score: int, limit: int) -> bool:
    """Return whether a death-score kills: above the limit, 21 (HJ-6)."""
    return score > limit


def is_exact(score: int, limit: int) -> bool:
    """Return whether a death-score returns to 0: at exactly the limit, 21 (HJ-6)."""
    return score == limit


def is_well(face: int, score: int) -> bool:
    """Return whether a check succeeds: the face is above the death-score, or above the pain (HJ-29, HJ-31)."""
    return face > score


def is_painful(trauma: int) -> bool:
    """Return whether exertion hurts at this Trauma, if the option is on (HJ-29)."""
    return trauma >= PAINFUL


@cache
def least(is_so: Callable[[int, int], bool], threshold: int) -> int:
    """Return the least number for which `is_so` is true: the threshold or one next to it."""
    return next(number for number in count(threshold - 1) if is_so(number, threshold))
