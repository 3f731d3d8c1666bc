"""The input of the search for the largest pack: the cards, the kinds they may be, and which kinds fit."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

import msgspec

from cardhouse.cards import Card, Cell
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DogDeck, bits_of


class Known(NamedTuple):
    """A card, and the number of the kind that it is or stands for."""

    card: Card
    kind: int


Cells = dict[Cell, Known]
"""The card on each cell."""


class Found(NamedTuple):
    """A legal pack, and an upper bound on the size of any legal pack."""

    cells: Cells
    bound: int

    @property
    def proven(self) -> bool:
        """Whether no pack is larger."""
        return len(self.cells) >= self.bound

    def or_better(self, other: Found) -> Found:
        """Return the larger of two packs, with the lower of the bounds."""
        return Found(max(self.cells, other.cells, key=len), min(self.bound, other.bound))


class Open(msgspec.Struct, frozen=True):
    """Cards that may be laid, the Pack Leader first.

    `may_be` has the kinds of each card as a bit set. `beside` and `above` map each kind among them to those that fit.
    """

    cards: tuple[Card, ...]
    may_be: tuple[int, ...]
    beside: Mapping[int, int]
    above: Mapping[int, int]

    @classmethod
    def of(cls, leader: Card, others: Iterable[Card], deck: DogDeck) -> Open:
        """Return these cards of a deck, the others in its order.

        Raises CardhouseError for an unknown or repeated card.
        """
        cards = (leader, *others)
        for card in cards:
            if card not in deck.cards:
                raise CardhouseError(f"There is no card {card} in the deck {deck.name}.")
            if cards.count(card) > 1:
                raise CardhouseError(f"{card} is there twice.")
        place = {card: number for number, card in enumerate(deck.cards)}
        cards = (leader, *sorted(cards[1:], key=place.__getitem__))
        may_be = tuple(deck.may_be[card] for card in cards)
        among = reduce(or_, may_be)
        beside, above = deck.fits_beside, deck.fits_above
        return cls(
            cards,
            may_be,
            {kind: beside[kind] & among for kind in bits_of(among)},
            {kind: above[kind] & among for kind in bits_of(among)},
        )

    def swapped(self) -> Open:
        """Return the same cards with beside and above swapped."""
        return Open(self.cards, self.may_be, self.above, self.beside)

    def meets(self, one: Known, other: Known) -> bool:
        """Return whether two cards may touch side by side."""
        return bool(self.beside[one.kind] >> other.kind & 1)


class Effort:
    """The remaining effort of a search: a number of steps, and optionally a deadline on the monotonic clock."""

    def __init__(self, work: int, until: float | None = None) -> None:
        self._left = work
        self._until = until

    def spend(self) -> bool:
        """Spend one step. Returns whether the search may continue."""
        self._left -= 1
        if self._until is not None and time.monotonic() >= self._until:
            self._left = -1
        return self._left >= 0
