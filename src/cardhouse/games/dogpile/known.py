"""All that is known when the largest pack is looked for: the cards, what they may be, and what fits to what."""

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
"""What lies where."""


class Found(NamedTuple):
    """A legal pack, and a number of cards that no legal pack exceeds."""

    cells: Cells
    bound: int

    @property
    def proven(self) -> bool:
        """Whether no pack is larger."""
        return len(self.cells) >= self.bound

    def or_better(self, other: Found) -> Found:
        """The larger of two packs, with the lower of the bounds."""
        return Found(max(self.cells, other.cells, key=len), min(self.bound, other.bound))


class Open(msgspec.Struct, frozen=True):
    """Cards that lie open, the Pack Leader first.

    `may_be` are the kinds each may be, as bits. `beside` and `above` are, for each kind among them, those that fit.
    """

    cards: tuple[Card, ...]
    may_be: tuple[int, ...]
    beside: Mapping[int, int]
    above: Mapping[int, int]

    @classmethod
    def of(cls, leader: Card, others: Iterable[Card], deck: DogDeck) -> Open:
        """These cards of a deck, the others in its order. Raises CardhouseError for one unknown or there twice."""
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

    def turned(self) -> Open:
        """The same cards with the table turned, so that beside is above."""
        return Open(self.cards, self.may_be, self.above, self.beside)

    def meets(self, one: Known, other: Known) -> bool:
        """Whether two cards may touch side by side."""
        return bool(self.beside[one.kind] >> other.kind & 1)


class Effort:
    """How much a search may still do: so many steps, and until a moment of the monotonic clock, if one is given."""

    def __init__(self, work: int, until: float | None = None) -> None:
        self._left = work
        self._until = until

    def spend(self) -> bool:
        """Whether one step more may be taken."""
        self._left -= 1
        if self._until is not None and time.monotonic() >= self._until:
            self._left = -1
        return self._left >= 0
