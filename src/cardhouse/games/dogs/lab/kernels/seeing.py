"""How a hand of Dogs Play Cards, Too Sees a Raise, for its kernel: by what its cards are worth (DV-17 to DV-19)."""

from __future__ import annotations

import numpy as np

from cardhouse.games.dogs import state
from cardhouse.games.dogs.lab.kernels.hands import (
    TOP,
    Numbers,
    Play,
    Whole,
    clear_hand,
    copy_hand,
    highest_of,
    lowest_from,
    take_out,
)
from cardhouse.lab.kernels.bits import highest, lowest
from cardhouse.lab.kernels.compiled import apart, in_place, part

to_reverse = in_place(state.to_reverse)

A_CARD, OUT, GOOD, MANY, OVERWHELMED, DEADLY, FEAR = range(7)
"""What the bold bot goes by; the pile that it calls deadly; from FEAR on, what it fears of each pile."""

LEFT_OVER, OWN = 2, 3
"""The hands that it thinks with."""


@part
def fewest(play: Play, hand: Whole, needed: Whole) -> Whole:
    """How few cards, two at least, are worth enough together, 0 if none are; their values are `chosen`, from high.

    Of as many cards those with the smallest sum, among equal sums those whose values from high to low come first.
    """
    if play.size[hand] < 2:
        return np.int64(0)
    value = highest_of(play, hand)
    second = value
    if play.count[hand, value] == 1:
        second = highest(play.bits[hand] & ~(1 << value))
    if value + second >= needed:
        _pair(play, hand, max(needed, 2))
        return np.int64(2)
    return _several(play, hand, needed)


@part
def _pair(play: Play, hand: Whole, needed: Whole) -> None:
    """Two cards that are worth enough, which there must be.

    Two values add up to `total` where the bit of the one meets the mirrored bit of the other.
    """
    total = needed
    while True:
        half = (total + 1) >> 1
        found = (play.bits[hand] & (play.mirror[hand] >> (TOP - total))) >> half
        if not total & 1 and found & 1 and play.count[hand, half] < 2:
            found &= ~1
        if found:
            higher = half + lowest(found)
            play.chosen[0], play.chosen[1] = higher, total - higher
            return
        total += 1


@apart
def _several(play: Play, hand: Whole, needed: Whole) -> Whole:
    """Three cards or more: as many as the highest that are enough.

    `row` are all cards from low to high, `sums[n, k]` the sums, as bits, that k of the n lowest can have.
    """
    row, sums = play.row, play.sums
    cards = play.size[hand]
    left, value, same = play.bits[hand], np.int64(0), np.int64(0)
    number = total = np.int64(0)
    for place in range(cards - 1, -1, -1):
        if not same:
            value = highest(left)
            left &= ~(1 << value)
            same = np.int64(play.count[hand, value])
        row[place] = value
        same -= 1
        if total < needed:
            number += 1
            total += value
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


# What the bold bot thinks of.


@apart
def cost(play: Play, hand: Whole, value: Whole, tastes: Numbers) -> Whole:
    """What it costs a hand to See a Raise as cheaply as it can."""
    if play.bits[hand] >> to_reverse(value):
        return np.int64(0)
    if play.bits[hand] >> value:
        return lowest_from(play, hand, value) + tastes[A_CARD]
    number = fewest(play, hand, value)
    if not number:
        return tastes[OUT]
    total = tastes[A_CARD] * number
    for place in range(number):
        total += np.int64(play.chosen[place])
    return total


@apart
def see_cheaply(play: Play, hand: Whole, value: Whole) -> None:
    """What is left of a hand that Sees a Raise as cheaply as it can; nothing, if it can't."""
    if play.bits[hand] >> to_reverse(value):
        return
    if play.bits[hand] >> value:
        take_out(play, hand, lowest_from(play, hand, value))
        return
    number = fewest(play, hand, value)
    if not number:
        clear_hand(play, hand)
    for place in range(number):
        take_out(play, hand, np.int64(play.chosen[place]))


@apart
def threat(play: Play, hand: Whole, other: Whole, tastes: Numbers) -> Whole:
    """What the next Raise of a hand costs the other beyond what it costs itself."""
    most = -tastes[OUT]
    left = play.bits[hand]
    while left:
        value = lowest(left)
        left &= left - 1
        most = max(most, cost(play, other, value, tastes) - value - tastes[A_CARD])
    return most


@apart
def bold_raise(play: Play, side: Whole, among: Whole, tastes: Numbers) -> Whole:
    """The value, of those `among`, of the Raise that costs the other most; the Raise that would come back counts."""
    best, outlook = np.int64(0), np.int64(0)
    left, left_over, own = among, np.int64(LEFT_OVER), np.int64(OWN)
    while left:
        value = lowest(left)
        left &= left - 1
        copy_hand(play, 1 - side, left_over)
        see_cheaply(play, left_over, value)
        copy_hand(play, side, own)
        take_out(play, own, value)
        gain = cost(play, 1 - side, value, tastes) - value - tastes[A_CARD]
        counts = gain - threat(play, left_over, own, tastes)
        if not best or counts > outlook:
            best, outlook = value, counts
    return best


@apart
def bold_see(play: Play, side: Whole, raised: Whole, fear: Whole, tastes: Numbers) -> Whole:
    """How a Raise is Seen that can be, though not reversed: the value of the card that blocks it, or 0 for a blow.

    That is what leaves most, and most to Raise with; a blow is what `fewest` finds.
    """
    best, outlook, own = np.int64(-1), np.int64(0), np.int64(OWN)
    left = play.bits[side] >> raised << raised
    while left:
        value = highest(left)
        left &= ~(1 << value)
        copy_hand(play, side, own)
        take_out(play, own, value)
        counts = threat(play, own, 1 - side, tastes) - value - tastes[A_CARD]
        if best < 0 or counts > outlook:
            best, outlook = value, counts
    number = fewest(play, side, raised)
    if number:
        copy_hand(play, side, own)
        counts = -(tastes[A_CARD] + fear) * number
        for place in range(number):
            value = np.int64(play.chosen[place])
            counts -= value
            take_out(play, own, value)
        counts += threat(play, own, 1 - side, tastes)
        if best < 0 or counts > outlook:
            best = np.int64(0)
    return best
