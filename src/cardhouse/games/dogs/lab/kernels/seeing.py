"""Ways to See a Raise, for the kernel, by card values (DV-17 to DV-19)."""

from __future__ import annotations

import numpy as np

from cardhouse.games.dogs import state
from cardhouse.games.dogs.lab.kernels.hands import FEWEST, Numbers, Play
from cardhouse.games.dogs.lab.kernels.packed import (
    Whole,
    below,
    cards_in,
    has_from,
    highest_in,
    lowest_in,
    one_of,
    without,
)
from cardhouse.lab.kernels.bits import lowest
from cardhouse.lab.kernels.compiled import apart, in_place, part

to_reverse = in_place(state.to_reverse)

MOST_SUM = 30
"""More than any two cards are worth."""

A_CARD, OUT, GOOD, MANY, OVERWHELMED, DEADLY, FEAR = range(7)
"""Indices of `tastes`.

The bold policy's weights, the pile it treats as deadly, and from FEAR on its fear of each pile.
"""


@part
def fewest(play: Play, hand: Whole, needed: Whole) -> Whole:
    """Return the fewest cards, at least two, worth enough together, or 0; sets `chosen`, high to low.

    Among sets of equal size, the smallest sum wins, then the one whose values, high to low, come first.
    """
    if not hand:
        return np.int64(0)
    value = highest_in(hand)
    rest = without(hand, value)
    if not rest:
        return np.int64(0)
    if value + highest_in(rest) >= needed:
        _pair(play, hand, needed)
        return np.int64(2)
    return _several(play, hand, needed)


@part
def _pair(play: Play, hand: Whole, needed: Whole) -> None:
    """Choose the cheapest pair that is enough; there must be one.

    Each higher card is tried with its cheapest partner, from high to low, so that of equal sums the last found has the
    lowest high card.
    """
    best, left = np.int64(MOST_SUM), hand
    while left:
        higher = highest_in(left)
        if 2 * higher < needed:
            break
        rest, lacks = without(left, higher), max(needed - higher, 1)
        if has_from(rest, lacks):
            lower = lowest_in(rest, lacks)
            if higher + lower <= best:
                best = higher + lower
                play.chosen[0], play.chosen[1] = higher, lower
        left = below(left, higher)


@apart
def _several(play: Play, hand: Whole, needed: Whole) -> Whole:
    """Choose as few cards as needed, at least three; return their number, or 0.

    `row` has all cards from low to high; `sums[n, k]` has, as bits, the possible sums of k of the n lowest.
    """
    row, sums, cards, left = play.row, play.sums, cards_in(hand), hand
    number = total = np.int64(0)
    for place in range(cards - 1, -1, -1):
        row[place] = highest_in(left)
        left = without(left, row[place])
        if total < needed:
            number += 1
            total += row[place]
    if total < needed:
        return np.int64(0)
    for k in range(number + 1):
        sums[0, k] = k == 0
    for n in range(1, cards + 1):
        sums[n, 0] = 1
        for k in range(1, number + 1):
            sums[n, k] = sums[n - 1, k] | sums[n - 1, k - 1] << row[n - 1]
    left = needed + lowest(sums[cards, number] >> needed)
    for place in range(number):
        lower = 0
        while left < row[lower] or not sums[lower, number - place - 1] >> (left - row[lower]) & 1:
            lower += 1
        play.chosen[place] = row[lower]
        left -= row[lower]
    return number


# The bold policy.


@apart
def cost(play: Play, hand: Whole, value: Whole, tastes: Numbers) -> Whole:
    """Return the cost to a hand of Seeing a Raise as cheaply as possible."""
    if highest_in(hand) >= to_reverse(value):
        return np.int64(0)
    if has_from(hand, value):
        return lowest_in(hand, value) + tastes[A_CARD]
    number = fewest(play, hand, value)
    if not number:
        return tastes[OUT]
    total = tastes[A_CARD] * number
    for place in range(number):
        total += np.int64(play.chosen[place])
    return total


@apart
def hand_after_seeing(play: Play, hand: Whole, value: Whole) -> Whole:
    """Return the rest of a hand after Seeing a Raise as cheaply as possible; an empty one if it can't."""
    if highest_in(hand) >= to_reverse(value):
        return hand
    if has_from(hand, value):
        return without(hand, lowest_in(hand, value))
    number = fewest(play, hand, value)
    return hand - chosen_cards(play, number) if number else np.int64(0)


@part
def chosen_cards(play: Play, number: Whole) -> Whole:
    """Return the first `number` chosen cards as a hand."""
    cards = np.int64(0)
    for place in range(number):
        cards += one_of(np.int64(play.chosen[place]))
    return cards


@apart
def threat(play: Play, hand: Whole, other: Whole, tastes: Numbers) -> Whole:
    """Return how much more the hand's next Raise costs the other than itself."""
    most, left = -tastes[OUT], hand
    while left:
        value = highest_in(left)
        left = below(left, value)
        most = max(most, cost(play, other, value, tastes) - value - tastes[A_CARD])
    return most


@apart
def bold_raise(play: Play, side: Whole, among: Whole, tastes: Numbers) -> Whole:
    """Return the value, `among` these, that costs the other most, weighing the Raise in return.

    Among equals, the lowest.
    """
    own, other = play.hands[side], play.hands[side ^ 1]
    best, outlook, left = np.int64(0), np.int64(0), among
    while left:
        value = highest_in(left)
        left = below(left, value)
        gain = cost(play, other, value, tastes) - value - tastes[A_CARD]
        counts = gain - threat(play, hand_after_seeing(play, other, value), without(own, value), tastes)
        if not best or counts >= outlook:
            best, outlook = value, counts
    return best


@apart
def bold_see(play: Play, side: Whole, raised: Whole, fear: Whole, tastes: Numbers) -> Whole:
    """Return the value of the card that Blocks, or 0 for a blow with the `chosen` cards.

    The Raise must be possible to See but not to reverse. Picks what leaves the best hand, including its next Raise.
    """
    own, other = play.hands[side], play.hands[side ^ 1]
    best, outlook, left = np.int64(-1), np.int64(0), own
    while has_from(left, raised):
        value = highest_in(left)
        left = below(left, value)
        counts = threat(play, without(own, value), other, tastes) - value - tastes[A_CARD]
        if best < 0 or counts > outlook:
            best, outlook = value, counts
    number = fewest(play, own, raised)
    if number:
        counts = -(tastes[A_CARD] + fear) * number
        for place in range(number):
            counts -= np.int64(play.chosen[place])
        counts += threat(play, own - chosen_cards(play, number), other, tastes)
        if best < 0 or counts > outlook:
            best = np.int64(0)
            play.at[FEWEST] = fewest(play, own, raised)  # again, because `threat` looks for blows too
    return best
