"""One player with a small hand, exactly: every deal is gone through (DG-10 to DG-15)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck import DogDeck

LARGEST_HAND = 2
"""Of a larger hand it takes trying what shapes it makes."""


class Laid(NamedTuple):
    """The chances to lay no card, one, and two."""

    none: Fraction
    one: Fraction
    two: Fraction


def laid_by_one(deck: DogDeck, cards: tuple[Card, ...], hand_size: int) -> Laid | None:
    """How many of one or two cards the cautious bot lays when it plays alone; None if it takes trying to tell.

    A plain card has room on either side, above and below. Two cards can both be laid if both fit to the Pack Leader,
    for on two of its sides they don't touch each other, or if one fits to it and the other to that one.
    """
    may_be = [deck.may_be[card] for card in cards]
    if hand_size > LARGEST_HAND or any(kinds & kinds - 1 for kinds in may_be):
        return None
    kinds = [one.bit_length() - 1 for one in may_be]
    fits = [
        {other for other, kind in enumerate(kinds) if (deck.fits_beside[its] | deck.fits_above[its]) >> kind & 1}
        for its in kinds
    ]
    counts = [0, 0, 0]
    every = range(len(cards))
    for leader in every:
        near = fits[leader]
        for hand in combinations((card for card in every if card != leader), hand_size):
            direct = sum(card in near for card in hand)
            linked = hand_size == 2 and hand[1] in fits[hand[0]]
            counts[2 if direct and linked else direct] += 1
    none, one, two = (Fraction(count, sum(counts)) for count in counts)
    return Laid(none, one, two)
