"""A hand as one integer, for the kernel: one digit per card value, with the number of cards of that value.

Adding or removing a card is one addition, and finding cards of at least some value is one shift. No card is worth 11,
13 or 15 (DV-8), so those digits extend the digit of the value below: two decks have 16 cards worth 12, one more than a
digit can hold.
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
"""From the value ROOMY on, there is room for up to MORE cards."""
OVERFLOW = 13
"""The digit that only holds the overflow of 12."""
EVEN, ODD = 0x7FFFFF0F0F0F0F0F, 0x0F0F0F0F0F
"""Masks for the digits of even values including their overflow, and of the odd ones below them after a shift."""
BYTE = 255
"""A number modulo this is the sum of its bytes, if that sum is less."""


@in_place
def one_of(value: Whole) -> Whole:
    """Return a hand of one card."""
    return np.int64(1) << WIDTH * value


@in_place
def without(hand: Whole, value: Whole) -> Whole:
    """Return a hand with one card of this value fewer."""
    return hand - one_of(value)


@in_place
def below(hand: Whole, value: Whole) -> Whole:
    """Return the cards worth less than this."""
    return hand & one_of(value) - 1


@in_place
def has_from(hand: Whole, least: Whole) -> Whole:
    """Return whether some card is worth at least this, up to 15."""
    return hand >> WIDTH * least != 0


@in_place
def number_of(hand: Whole, value: Whole) -> Whole:
    """Return the number of cards of this value."""
    return hand >> WIDTH * value & (MOST if value < ROOMY else MORE)


@in_place
def highest_in(hand: Whole) -> Whole:
    """Return the value of the best card; -1 for an empty hand."""
    digit = highest(hand) // WIDTH
    return digit - (digit == OVERFLOW)


@in_place
def lowest_in(hand: Whole, least: Whole) -> Whole:
    """Return the lowest value that is at least `least`; more than any card's if there is none."""
    digit = least + lowest(hand >> WIDTH * least) // WIDTH
    return digit - (digit == OVERFLOW)


@in_place
def cards_in(hand: Whole) -> Whole:
    """Return the number of cards."""
    return ((hand & EVEN) + (hand >> WIDTH & ODD)) % BYTE
