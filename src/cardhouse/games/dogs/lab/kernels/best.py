"""The policy of `bots/best.py` and `bots/duel.py` for the kernel, with identical choices."""

from __future__ import annotations

import numpy as np

from cardhouse.games.dogs.bots import best, duel
from cardhouse.games.dogs.lab.kernels.hands import FEWEST, MEMORY, Numbers, Play
from cardhouse.games.dogs.lab.kernels.packed import (
    MOST,
    Whole,
    below,
    cards_in,
    has_from,
    highest_in,
    lowest_in,
    one_of,
    without,
)
from cardhouse.games.dogs.lab.kernels.seeing import bold_raise, bold_see, to_reverse
from cardhouse.games.dogs.lab.kernels.thumb import thumb_raise, thumb_see
from cardhouse.lab.kernels.compiled import apart, compiled, in_place

MOST_SOLVED = duel.MOST_SOLVED
SUIT, RANKS = np.array(duel.SUIT), len(duel.SUIT)
MANY_WORLDS, SPREAD, APART = best.MANY_WORLDS, best.SPREAD, best.APART
WON, LEFT_THEN = range(2)
"""Indices of `found`: the number of worlds won, and the hand left then."""
STIR, STIR_OTHER, HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(40)


@compiled
def wins(play: Play, own: Whole, other: Whole, needed: Whole, most: Whole) -> Whole:
    """Return whether `own` wins when it must Raise: with a card worth `most`, or with any if that is 0.

    With `needed`, it must first finish a blow of that value with cards worth at most `most`.
    """
    none = np.int64(0)
    if needed:
        value = lowest_in(own, needed)
        if value <= most and wins(play, without(own, value), other, none, none):
            return True
        left = below(own, min(needed, most + 1))
        while left:
            value = highest_in(left)
            left = below(left, value)
            if wins(play, without(own, value), other, needed - value, value):
                return True
        return False
    if not own or not other:
        return own != 0
    place = np.int64((np.uint64(own) * STIR ^ np.uint64(other) * STIR_OTHER) >> HIGH) & MEMORY - 1
    if not most and play.known[place, 0] == own and play.known[place, 1] == other:
        return play.wins[place] == 1
    won, left = False, own
    if most:
        left = one_of(most)
    while left and not won:
        value = highest_in(left)
        left = below(left, value)
        rest = without(own, value)
        if highest_in(other) >= to_reverse(value):
            won = not wins(play, other, rest, none, none)
            continue
        won = not has_from(other, value) or not wins(play, without(other, lowest_in(other, value)), rest, none, none)
        won = won and not wins(play, other, rest, value, value - 1)
    if not most:
        play.known[place, 0], play.known[place, 1], play.wins[place] = own, other, won
    return won


@in_place
def best_raise(play: Play, side: Whole, coming: Whole, tastes: Numbers) -> Whole:
    """Return the value to raise: among those that win in most worlds, the one the bold policy prefers.

    Hands that are too large to solve play by the rule of thumb.
    """
    own, many = play.hands[side], _set_up_worlds(play, side, coming)
    if not many:
        return thumb_raise(play, side)
    among, most, left = np.int64(0), np.int64(-1), own
    while left:
        value = highest_in(left)
        left = below(left, value)
        won = np.int64(0)
        for world in range(many):
            won += wins(play, own, play.worlds[world], np.int64(0), value)
        if won >= most:
            among = one_of(value) | (among if won == most else 0)
            most = won
    return bold_raise(play, side, among, tastes)


@in_place
def best_see(play: Play, side: Whole, raised: Whole, coming: Whole, fear: Whole, tastes: Numbers) -> Whole:
    """Return the value of the card that Blocks, or 0 for a blow with the `chosen` cards.

    The Raise must not be reversible. Picks what wins in most worlds, or if nothing wins in any, what the bold policy
    would do. Hands that are too large to solve play by the rule of thumb.
    """
    own, many = play.hands[side], _set_up_worlds(play, side, coming)
    if not many:
        return thumb_see(play, side, raised)
    play.found[WON] = 0
    if has_from(own, raised):
        _consider(play, without(own, lowest_in(own, raised)), many)
    _blows(play, own, raised, raised - 1, many)
    if play.found[WON]:
        return _played(play, own - play.found[LEFT_THEN])
    return bold_see(play, side, raised, fear, tastes)


@apart
def _set_up_worlds(play: Play, side: Whole, coming: Whole) -> Whole:
    """Set up `worlds` and return their number; in each, other cards come to the opponent's hand."""
    own, other = cards_in(play.hands[side]), cards_in(play.hands[side ^ 1])
    coming = min(coming, MOST_SOLVED - own - other)
    if coming < 0 or max(own, other + coming) > MOST:
        return np.int64(0)
    step = RANKS if not coming else 1 if own + other + coming <= MANY_WORLDS else APART
    hand, many = play.hands[side ^ 1], np.int64(0)
    for first in range(0, RANKS, step):
        play.worlds[many] = hand
        for place in range(coming):
            play.worlds[many] += one_of(SUIT[(first + SPREAD * place) % RANKS])
        many += 1
    return many


@apart
def _consider(play: Play, left: Whole, many: Whole) -> None:
    """Record the hand left in `found` if it wins in more worlds than any before."""
    won = np.int64(0)
    for world in range(many):
        won += wins(play, left, play.worlds[world], np.int64(0), np.int64(0))
    if won > play.found[WON]:
        play.found[WON], play.found[LEFT_THEN] = won, left


@compiled
def _blows(play: Play, own: Whole, needed: Whole, most: Whole, many: Whole) -> Whole:
    """Consider every blow worth `needed` with cards worth at most `most`; return the number of blows."""
    number, value = np.int64(0), lowest_in(own, needed)
    if value <= most:
        _consider(play, without(own, value), many)
        number += 1
    left = below(own, min(needed, most + 1))
    while left:
        value = highest_in(left)
        left = below(left, value)
        number += _blows(play, without(own, value), needed - value, value, many)
    return number


@apart
def _played(play: Play, cards: Whole) -> Whole:
    """Return the value of a single card; for several, return 0 and set `chosen`, high to low."""
    number, value = 0, np.int64(0)
    while cards:
        value = highest_in(cards)
        cards = without(cards, value)
        play.chosen[number] = value
        number += 1
    play.at[FEWEST] = number
    return value if number == 1 else np.int64(0)
