"""Exact results for one player with a small hand, by enumerating every deal (DG-10 to DG-15)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from cardhouse.cards import Card
from cardhouse.games.dogpile.deck import DogDeck

LARGEST_HAND = 2
"""Larger hands need a search for their shapes."""


class Laid(NamedTuple):
    """The chances to lay no card, one, and two."""

    none: Fraction
    one: Fraction
    two: Fraction


def laid_by_one(deck: DogDeck, cards: tuple[Card, ...], hand_size: int) -> Laid | None:
    """Return the distribution of the cards the cautious bot lays alone, or None if that needs a search.

    A plain card has room on both sides, above and below. Two cards can both be laid if both fit the Pack Leader,
    because they don't touch each other on two of its sides, or if one fits it and the other fits that one.
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
