"""Hackjack's thresholds, written down once: the rules, the odds and the page go by them, kernels compile them."""

from collections.abc import Callable
from functools import cache
from itertools import count

PAINFUL = 3
"""HJ-29: from so much Trauma on exertion hurts, where that is played."""


def goes_down(left: int, at_zero: int) -> bool:
    """Whether one with so many hit points left goes down: below 0, or, if that is played, `at_zero` too (HJ-1)."""
    return left < 1 if at_zero else left < 0


def is_massive(damage: int, massive: int) -> bool:
    """Whether so much damage, or so much below 0 HP, counts instead of the card: more than 13 does (HJ-4, HJ-8)."""
    return damage > massive


def is_outright(below: int, limit: int) -> bool:
    """Whether so much below 0 HP kills without a card: more than 21 does (HJ-3)."""
    return below > limit


def is_too_much(score: int, limit: int) -> bool:
    """Whether one dies of such a death-score: of more than 21 (HJ-6)."""
    return score > limit


def is_exact(score: int, limit: int) -> bool:
    """Whether such a death-score returns to 0: 21 does (HJ-6)."""
    return score == limit


def is_well(face: int, score: int) -> bool:
    """Whether a check comes up over the death-score, or in pain over what hurts (HJ-29, HJ-31)."""
    return face > score


def is_painful(trauma: int) -> bool:
    """Whether exertion hurts with so much Trauma, where that is played (HJ-29)."""
    return trauma >= PAINFUL


@cache
def least(is_so: Callable[[int, int], bool], threshold: int) -> int:
    """The least number that one of these is true of; it is the threshold, or one next to it."""
    return next(number for number in count(threshold - 1) if is_so(number, threshold))
