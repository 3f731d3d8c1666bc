"""The contacts of a hand of cards and a Pack Leader.

A card is represented by its position in the hand, in the deck's order; the Pack Leader has the position after the last.
Sets of cards are bit sets. The facts about each card are in rows of one array, each of `ROW` cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.bits import how_many, lowest
from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import in_place, part

Numbers = NDArray[np.int64]
Bits = NDArray[np.uint64]

ROW = 16
"""More than the cards in any hand."""
BESIDE, ABOVE = 0, 1
"""The directions."""
ROWS = 7
FITS_BESIDE, FITS_ABOVE, NEAR, LIKE, AFTER, WHERE, CARD = range(0, ROWS * ROW, ROW)
"""The offsets of the rows.

FITS_BESIDE, FITS_ABOVE, NEAR: the cards of the hand that fit beside a card, above or below it, and either. LIKE: the
first card with the same contacts. AFTER: the next one, as a bit. WHERE: the cell it lies on. CARD: the card of the
deck.
"""

ONE, NONE, WORD = np.uint64(1), np.uint64(0), 64

TOUCHES, TOGETHER = 0, 1
"""The rows of `given`, for each alternative of a wild card."""


class Dogs(NamedTuple):
    """The cards of a deck by index, and its kinds. Sets of kinds are in words of 64 bits."""

    kind: Numbers
    """(cards,): the kind of each card, -1 of a wild one."""
    may_be: Bits
    """(cards, words): the possible kinds of each card."""
    fits: Bits
    """(2, kinds, words): by direction, the kinds that fit each kind."""
    touch: Numbers
    """(cards, cards): the directions in which two cards may touch, as bits; a wild one with any of its kinds."""


@part
def compare(dogs: Dogs, hand: Whole, cards: Numbers) -> Whole:
    """Compute which cards of the hand fit which. Returns the wild ones. `hand` is its number of cards."""
    wild = 0
    for one in range(hand + 1):
        cards[FITS_BESIDE + one] = cards[FITS_ABOVE + one] = 0
        if dogs.kind[cards[CARD + one]] < 0:
            wild |= 1 << one
    for one in range(hand):
        for other in range(one + 1, hand + 1):
            touch = dogs.touch[cards[CARD + one], cards[CARD + other]]
            for way in (BESIDE, ABOVE):
                cards[way * ROW + other] |= (touch >> way & 1) << one
                if other < hand:
                    cards[way * ROW + one] |= (touch >> way & 1) << other
    _note_near(hand, cards)
    return wild


@in_place
def _note_near(hand: Whole, cards: Numbers) -> None:
    for card in range(hand + 1):
        cards[NEAR + card] = cards[FITS_BESIDE + card] | cards[FITS_ABOVE + card]


@in_place
def linked(some: Whole, through: Whole, cards: Numbers) -> Whole:
    """Return these cards, and those connected to them via others of `through`."""
    found = todo = some
    while todo and found != through:
        new = cards[NEAR + lowest(todo)] & through & ~found
        found |= new
        todo = (todo & (todo - 1)) | new
    return found


@part
def wild_alternatives(dogs: Dogs, hand: Whole, wild: Whole, cards: Numbers, given: Numbers) -> Whole:
    """Compute the sets of cards that the only wild card may touch, without subsets of others. Returns their number.

    In the row `TOUCHES` of `given`, the lower `ROW` bits are the cards it may touch beside, the next those above.
    """
    may_be, fits = dogs.may_be, dogs.fits
    words = may_be.shape[1]
    for kind in range(fits.shape[1]):
        given[TOGETHER, kind] = 0
    for card in range(hand + 1):
        if card == wild:
            continue
        its = dogs.kind[cards[CARD + card]]
        for way in (BESIDE, ABOVE):
            for word in range(words):
                kinds = fits[way, its, word] & may_be[cards[CARD + wild], word]
                while kinds:
                    given[TOGETHER, word * WORD + lowest(np.int64(kinds))] |= 1 << way * ROW + card
                    kinds &= kinds - ONE
    many: Whole = 0
    last = np.int64(0)
    for kind in range(fits.shape[1]):
        touches = given[TOGETHER, kind]
        if touches == last:
            continue  # as with most consecutive kinds of a suit
        last = touches
        less, more = touches == 0, False
        for place in range(many):
            less |= touches & ~given[TOUCHES, place] == 0
            more |= given[TOUCHES, place] & ~touches == 0
        if less:
            continue
        if more:
            many = _without_less(touches, given, many)
        given[TOUCHES, many] = touches
        many += 1
    return many


@in_place
def _without_less(touches: Whole, given: Numbers, many: Whole) -> Whole:
    """Remove the subsets of this set. Returns the number left."""
    kept: Whole = 0
    for place in range(many):
        if given[TOUCHES, place] & ~touches:
            given[TOUCHES, kept] = given[TOUCHES, place]
            kept += 1
    return kept


@part
def connect(
    hand: Whole, wild: Whole, leads: Whole, beside: bool, above: bool, cards: Numbers, given: Numbers, many: Whole
) -> None:
    """Compute the cards connected to the Pack Leader, for each of the `many` alternatives of the only wild card.

    The Pack Leader has room `beside` it, and `above` or below it; `leads` are the cards that fit it there.
    """
    every = (1 << hand) - 1
    others = every & ~(1 << wild)
    sure = linked(leads & others, others, cards)  # for any kind of the wild card, if it is in the hand
    for place in range(many):
        touches = given[TOUCHES, place]
        with_room = (touches if beside else 0) | (touches >> ROW if above else 0)
        its = touches | touches >> ROW
        if wild == hand:
            given[TOGETHER, place] = linked(with_room & every, every, cards)
        elif its & sure or with_room >> hand & 1:
            more = linked(its & others & ~sure, others & ~sure, cards)
            given[TOGETHER, place] = sure | 1 << wild | more
        else:
            given[TOGETHER, place] = sure


@part
def apply_alternative(hand: Whole, wild: Whole, touches: Whole, cards: Numbers) -> None:
    """Let a wild card touch these cards."""
    every = (1 << hand) - 1
    bit = 1 << wild & every
    for way in (BESIDE, ABOVE):
        its = touches >> way * ROW
        for card in range(hand + 1):
            cards[way * ROW + card] = cards[way * ROW + card] & ~bit | (bit if its >> card & 1 else 0)
        cards[way * ROW + wild] = its & every
    _note_near(hand, cards)


@part
def find_alike(dogs: Dogs, size: Whole, hand: Whole, wild: Whole, cards: Numbers) -> Whole:
    """Find the cards of the hand with the same contacts. Returns the first of each group.

    With several wild cards only wild cards with the same kinds are grouped.
    """
    first, left = 0, hand
    while left:
        card = lowest(left)
        left &= left - 1
        first |= 1 << card
        cards[LIKE + card] = card
        last, others = card, left
        while others:
            other = lowest(others)
            others &= others - 1
            if _same_kinds(dogs.may_be, card, other, cards) if wild else _fit_the_same(card, other, size, cards):
                cards[LIKE + other] = card
                cards[AFTER + last] = 1 << other
                last = other
                left ^= 1 << other
        cards[AFTER + last] = 0
    return first


@in_place
def _fit_the_same(one: Whole, other: Whole, leader: Whole, cards: Numbers) -> bool:
    """Return whether two cards fit the same others, and the Pack Leader in the same way."""
    both = 1 << one | 1 << other
    differ = (cards[FITS_BESIDE + one] ^ cards[FITS_BESIDE + other]) & ~both
    differ |= (cards[FITS_ABOVE + one] ^ cards[FITS_ABOVE + other]) & ~both
    differ |= (cards[FITS_BESIDE + leader] >> one ^ cards[FITS_BESIDE + leader] >> other) & 1
    differ |= (cards[FITS_ABOVE + leader] >> one ^ cards[FITS_ABOVE + leader] >> other) & 1
    return bool(differ == 0)


@in_place
def _same_kinds(may_be: Bits, one: Whole, other: Whole, cards: Numbers) -> bool:
    """Return whether two cards have the same possible kinds."""
    differ = NONE
    for word in range(may_be.shape[1]):
        differ |= may_be[cards[CARD + one], word] ^ may_be[cards[CARD + other], word]
    return not differ


@in_place
def pairs_beside(some: Whole, cards: Numbers) -> Whole:
    """Return twice the number of pairs of these cards that fit beside each other."""
    pairs, left = 0, some
    while left:
        pairs += how_many(cards[FITS_BESIDE + lowest(left)] & some)
        left &= left - 1
    return pairs
