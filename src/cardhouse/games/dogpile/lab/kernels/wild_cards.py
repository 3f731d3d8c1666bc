"""Wild cards of Dogpile in machine code: the kinds they can have next to each other, as the cautious bot needs.

Cards, sets of cards and cells are as in `cautious_bot`; sets of kinds are in words of 64 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogpile.lab.kernels.contacts import (
    ABOVE,
    BESIDE,
    CARD,
    NONE,
    ONE,
    WHERE,
    WORD,
    Bits,
    Dogs,
    Numbers,
)
from cardhouse.lab.kernels.bits import how_many, lowest
from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import in_place, part

Small = NDArray[np.int16]

NO_CARD = -1


@part
def may_lie(dogs: Dogs, step: Whole, cell: Whole, wild: Whole, cards: Numbers, lies: Small, can_be: Bits) -> bool:
    """Return whether the card on a cell may lie there, as far as it and its neighbours are wild."""
    touched = 1 << lies[cell]
    for side in range(4):
        other = lies[cell + (-step, -1, 1, step)[side]]
        if other >= 0:
            touched |= 1 << other
    return not touched & wild or _settle(dogs, step, wild, cards, lies, can_be)


@part
def _settle(dogs: Dogs, step: Whole, wild: Whole, cards: Numbers, lies: Small, can_be: Bits) -> bool:
    """Return whether the wild cards on the grid can each have a kind that fits all neighbours (DG-14)."""
    # In a ring, kinds may fit pairwise and still not all together, so one card is tried as each of its kinds.
    ring: Whole = _in_a_ring(step, wild, cards, lies)
    for kind in range(dogs.fits.shape[1] if ring != NO_CARD else 1):
        may_be = ring == NO_CARD or has(dogs.may_be, int(cards[CARD + ring]), kind)
        if may_be and _narrow(dogs, step, wild, ring, kind, cards, lies, can_be):
            return True
    return False


@part
def _narrow(
    dogs: Dogs, step: Whole, wild: Whole, fixed: Whole, kind: Whole, cards: Numbers, lies: Small, can_be: Bits
) -> bool:
    """Compute the kinds of each wild card that fit some kind of each neighbour. Returns whether each has one.

    One of them may be `fixed` to be of this kind.
    """
    there, left = 0, wild
    while left:
        card = lowest(left)
        left &= left - 1
        if lies[cards[WHERE + card]] == card:
            there |= 1 << card
            for word in range(can_be.shape[1]):
                can_be[card, word] = dogs.may_be[cards[CARD + card], word] if card != fixed else NONE
            if card == fixed:
                can_be[card, kind // WORD] = ONE << np.uint64(kind % WORD)
            if not _beside_plain(dogs, step, wild, card, cards, lies, can_be):
                return False
    if there & (there - 1) == 0:
        return True
    changed = True
    while changed:
        changed, left = False, there
        while left:
            card = lowest(left)
            left &= left - 1
            if _beside_wild(dogs, step, wild, card, cards, lies, can_be):
                changed = True
                if not _any(can_be, card):
                    return False
    return True


@part
def _beside_plain(dogs: Dogs, step: Whole, wild: Whole, card: Whole, cards: Numbers, lies: Small, can_be: Bits) -> bool:
    """Restrict a wild card to the kinds that fit its plain neighbours. Returns whether any is left."""
    for side in range(4):
        other = lies[cards[WHERE + card] + (-step, -1, 1, step)[side]]
        if other >= 0 and not wild >> other & 1:
            its = dogs.kind[cards[CARD + other]]
            for word in range(can_be.shape[1]):
                can_be[card, word] &= dogs.fits[BESIDE if side == 0 or side == 3 else ABOVE, its, word]
    return _any(can_be, card)


@part
def _beside_wild(dogs: Dogs, step: Whole, wild: Whole, card: Whole, cards: Numbers, lies: Small, can_be: Bits) -> bool:
    """Restrict a wild card to the kinds that fit its wild neighbours. Returns whether that changed anything."""
    changed = False
    for side in range(4):
        other = lies[cards[WHERE + card] + (-step, -1, 1, step)[side]]
        if other >= 0 and wild >> other & 1:
            way = BESIDE if side == 0 or side == 3 else ABOVE
            changed |= _keep_fitting(dogs.fits[way], card, other, can_be)
    return changed


@in_place
def _keep_fitting(fits: Bits, card: Whole, other: Whole, can_be: Bits) -> bool:
    """Restrict a card to the kinds that fit some kind of the other. Returns whether that changed anything."""
    changed = False
    for kind in range(fits.shape[0]):
        if has(can_be, card, kind):
            found = NONE
            for word in range(can_be.shape[1]):
                found |= fits[kind, word] & can_be[other, word]
            if not found:
                can_be[card, kind // WORD] &= ~(ONE << np.uint64(kind % WORD))
                changed = True
    return changed


@in_place
def has(sets: Bits, row: Whole, kind: Whole) -> bool:
    """Return whether a kind is in the set of this row."""
    return bool(sets[row, kind // WORD] >> np.uint64(kind % WORD) & ONE)


@in_place
def _any(sets: Bits, row: Whole) -> bool:
    found = NONE
    for word in range(sets.shape[1]):
        found |= sets[row, word]
    return bool(found)


@part
def _in_a_ring(step: Whole, wild: Whole, cards: Numbers, lies: Small) -> Whole:
    """Return a wild card in a square of four, or -1. Five wild cards have at most one such square."""
    if how_many(wild) < 4:
        return np.int64(NO_CARD)
    some = wild
    while some:
        card = lowest(some)
        some &= some - 1
        cell = cards[WHERE + card]
        square = lies[cell] == card
        for away in (1, step, step + 1):
            other = lies[cell + away] if square else NO_CARD
            square = square and other >= 0 and wild >> other & 1 == 1
        if square:
            return np.int64(card)
    return np.int64(NO_CARD)
