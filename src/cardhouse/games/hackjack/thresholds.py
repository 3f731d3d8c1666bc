"""The thresholds of damage, written down once: the rules, the odds and the page go by them, kernels compile them."""

from collections.abc import Callable
from itertools import count


def goes_down(left: int, at_zero: int) -> bool:
    """Whether one with so many hit points left goes down: below 0, or, if that is played, `at_zero` too (HJ-1)."""
    return left < 1 if at_zero else left < 0


def is_massive(damage: int, massive: int) -> bool:
    """Whether so much damage, or so much below 0 HP, counts instead of the card: more than 13 does (HJ-4, HJ-8)."""
    return damage > massive


def is_outright(below: int, limit: int) -> bool:
    """Whether so much below 0 HP kills without a card: more than 21 does (HJ-3)."""
    return below > limit


def least(is_so: Callable[[int, int], bool], threshold: int) -> int:
    """The least number that one of these is true of; it is the threshold, or one next to it."""
    return next(number for number in count(threshold - 1) if is_so(number, threshold))
