"""The size of the largest pack of Dogpile with all cards known, as machine code, where suits alone determine it.

For decks of up to four suits as `games.dogpile.suits` defines them. Suits in a row, each joined to the next, can be
laid completely, and no pack has cards of suits that aren't connected to the Pack Leader's. Up to four connected suits
can form a row, except a star: one suit that three others fit beside, which don't fit beside each other. For stars only
the most frequent layout of all cards is tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogpile.lab.kernels.contacts import BESIDE, NONE, ONE, Bits, Dogs, Numbers
from cardhouse.games.dogpile.lab.single_rounds import MOST_SUITS, MOST_WILD_TO_NAME
from cardhouse.lab.kernels.bits import how_many, lowest
from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import compiled, in_place

Rows = NDArray[np.int16]

HAS, FITS, CARDS, WHAT = range(4)
"""The facts about each suit: its kinds that are present, those that fit beside them, and its number of cards."""

UNSURE = 0
"""The size if suits alone don't determine it."""


@compiled
def largest_packs(dogs: Dogs, suit: Numbers, dealt: Rows, sizes: Rows) -> None:
    """Write the size of the largest pack of each deal to `sizes`, shape (deals,). The last card of a deal leads.

    `suit` has the suit of each kind, 0 to 3. There may be at most 64 kinds, and two wild cards.
    """
    plain, suits = np.zeros((WHAT, MOST_SUITS), np.uint64), np.zeros((WHAT, MOST_SUITS), np.uint64)
    wild = np.zeros(MOST_WILD_TO_NAME, np.int64)
    for row in range(dealt.shape[0]):
        plain[:] = NONE
        many = 0
        for card in dealt[row]:
            kind = dogs.kind[card]
            if kind >= 0:
                _add(dogs, suit, kind, plain)
            else:
                wild[many] = card
                many += 1
        leader = dealt[row, dealt.shape[1] - 1]
        sizes[row] = _best_giving(dogs, suit, leader, wild[:many], plain, suits)


@in_place
def _best_giving(dogs: Dogs, suit: Numbers, leader: Whole, wild: Numbers, plain: Bits, suits: Bits) -> Whole:
    """Return the size of the largest pack over all kinds of the wild cards, which may include the Pack Leader."""
    best: Whole = 0
    bound: Whole = 0
    every = wild.size
    for one in range(MOST_SUITS):
        every += int(plain[CARDS, one])
    firsts = dogs.may_be[wild[0], 0] if wild.size > 0 else ONE
    while firsts:
        first = lowest(np.int64(firsts))
        firsts &= firsts - ONE
        seconds = dogs.may_be[wild[1], 0] if wild.size > 1 else ONE
        while seconds:
            second = lowest(np.int64(seconds))
            seconds &= seconds - ONE
            for what in range(WHAT):
                for one in range(MOST_SUITS):
                    suits[what, one] = plain[what, one]
            if wild.size > 0:
                _add(dogs, suit, first, suits)
            if wild.size > 1:
                _add(dogs, suit, second, suits)
            its = dogs.kind[leader]
            if its < 0:
                its = first if leader == wild[0] else second
            size, can_be_laid = _pack(suit[its], suits)
            bound = max(bound, size)
            if can_be_laid:
                best = max(best, size)
            if best == every:
                return best
    return best if best == bound else UNSURE


@in_place
def _add(dogs: Dogs, suit: Numbers, kind: Whole, suits: Bits) -> None:
    """Add a card of this kind."""
    its = suit[kind]
    suits[HAS, its] |= ONE << np.uint64(kind)
    suits[FITS, its] |= dogs.fits[BESIDE, kind, 0]
    suits[CARDS, its] += ONE


@in_place
def _pack(first: Whole, suits: Bits) -> tuple[Whole, bool]:
    """Return the number of cards in the suits connected to this one, and whether all of them can certainly be laid."""
    found = todo = 1 << first
    joins, most, centre = 0, 0, 0
    size: Whole = 0
    while todo:
        one = lowest(todo)
        todo &= todo - 1
        size += int(suits[CARDS, one])
        joined = 0
        for other in range(MOST_SUITS):
            if other != one and suits[FITS, one] & suits[HAS, other]:
                joined |= 1 << other
        todo |= joined & ~found
        found |= joined
        joins += how_many(joined)
        if how_many(joined) > most:
            most, centre = how_many(joined), one
    is_star = most == MOST_SUITS - 1 and joins == 2 * most
    return size, not is_star or _share_a_card(centre, suits)


@in_place
def _share_a_card(centre: Whole, suits: Bits) -> bool:
    """Return whether two suits fit one card of the centre, on its two sides, and the third the column's other end.

    There must be another card between these ends; see `Star._shared` of `games.dogpile.columns`.
    """
    if suits[CARDS, centre] < 3:
        return False
    for third in range(MOST_SUITS):
        shared = suits[HAS, centre]
        for leaf in range(MOST_SUITS):
            if leaf != centre and leaf != third:
                shared &= suits[FITS, leaf]
        bottom = suits[HAS, centre] & suits[FITS, third]
        if third != centre and shared and how_many(np.int64(shared | bottom)) > 1:
            return True
    return False
