"""A hand of Dogs Play Cards, Too as one number, for its kernel: for each value a digit of how many cards have it.

A card is put in or taken out by adding or subtracting one number, and what is high enough is one shift away. No card is
worth 11, 13 or 15 (DV-8), so that what such a digit would count is room for more of the value below it: of two decks
a hand can have sixteen cards that are worth 12, one more than a digit holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardhouse.games.dogs.bots import duel
from cardhouse.lab.kernels.bits import highest, lowest
from cardhouse.lab.kernels.compiled import in_place

Whole = Any
"""An int64, or an int that is one in machine code."""

WIDTH, MOST = duel.WIDTH, duel.MOST
ROOMY, MORE = 10, (1 << 2 * duel.WIDTH) - 1
"""From this value on there is room for so many cards."""
OVERFLOW = 13
"""The digit in which there is only what is too much for that of 12."""
EVEN, ODD = 0x7FFFFF0F0F0F0F0F, 0x0F0F0F0F0F
"""The digits of even values, with the room that is theirs; those of the odd ones below them, moved to their places."""
BYTE = 255
"""What is left of a number divided by it is the sum of its bytes, if that is less."""


@in_place
def one_of(value: Whole) -> Whole:
    """A hand of one card."""
    return np.int64(1) << WIDTH * value


@in_place
def without(hand: Whole, value: Whole) -> Whole:
    """A hand that has one of this value less."""
    return hand - one_of(value)


@in_place
def below(hand: Whole, value: Whole) -> Whole:
    """Its cards that are worth less."""
    return hand & one_of(value) - 1


@in_place
def has_from(hand: Whole, least: Whole) -> Whole:
    """Whether it has a card that is worth so much; 15 at most."""
    return hand >> WIDTH * least != 0


@in_place
def number_of(hand: Whole, value: Whole) -> Whole:
    """How many cards of this value it has."""
    return hand >> WIDTH * value & (MOST if value < ROOMY else MORE)


@in_place
def highest_in(hand: Whole) -> Whole:
    """What the best card is worth; -1 if there is none."""
    digit = highest(hand) // WIDTH
    return digit - (digit == OVERFLOW)


@in_place
def lowest_in(hand: Whole, least: Whole) -> Whole:
    """What the worst is worth of those that are worth so much; more than any is if there is none."""
    digit = least + lowest(hand >> WIDTH * least) // WIDTH
    return digit - (digit == OVERFLOW)


@in_place
def cards_in(hand: Whole) -> Whole:
    """How many cards it has."""
    return ((hand & EVEN) + (hand >> WIDTH & ODD)) % BYTE
