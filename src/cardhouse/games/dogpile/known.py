"""All that is known when the largest pack is looked for: the cards, what they may be, and what fits to what."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from cardhouse.cards import Card, Cell
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


class Open(msgspec.Struct, frozen=True, dict=True):
    """Cards that lie open, the Pack Leader first.

    `may_be` are the kinds each may be, as bits. `beside` and `above` are, for each kind among them, those that fit.
    """

    cards: tuple[Card, ...]
    may_be: tuple[int, ...]
    beside: Mapping[int, int]
    above: Mapping[int, int]

    @classmethod
    def of(cls, cards: Sequence[Card], deck: DogDeck) -> Open:
        """These cards of a deck."""
        may_be = tuple(deck.may_be[card] for card in cards)
        among = 0
        for bits in may_be:
            among |= bits
        kinds = list(bits_of(among))
        beside, above = deck.fits_beside, deck.fits_above
        return cls(
            tuple(cards),
            may_be,
            {kind: beside[kind] & among for kind in kinds},
            {kind: above[kind] & among for kind in kinds},
        )

    @cached_property
    def turned(self) -> Open:
        """The same cards with the table turned by a quarter: beside is above."""
        return Open(self.cards, self.may_be, self.above, self.beside)

    def meets(self, one: Known, other: Known) -> bool:
        """Whether two cards may touch side by side."""
        return bool(self.beside[one.kind] >> other.kind & 1)


class Effort:
    """How much a search may still do: so many steps, and until a moment of the clock, if one is given."""

    def __init__(self, work: int, seconds: float | None = None) -> None:
        self._left = work
        self._end = None if seconds is None else time.monotonic() + seconds

    def spend(self, steps: int = 1) -> bool:
        """Whether these steps may still be taken."""
        self._left -= steps
        if self._end is not None and time.monotonic() >= self._end:
            self._left = min(self._left, -1)
        return self._left >= 0
