"""The largest possible pack with all cards known: exact where that can be proven, otherwise with an upper bound.

If the cards that may lie one above the other form suits, as in the standard deck, it follows from the suits (`suits`).
For any other deck, and if many suits connect in a way that requires a search, packs are grown (`growing`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from cardhouse.cards import Card, Placed
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.growing import Growth
from cardhouse.games.dogpile.known import Cells, Effort, Found, Known, Open
from cardhouse.games.dogpile.reach import at_most, near_of
from cardhouse.games.dogpile.suits import form_suits, largest_of_suits


class Largest(msgspec.Struct, frozen=True):
    """A legal pack with the Pack Leader at (0, 0), and an upper bound on the size of any legal pack."""

    layout: list[Placed]
    bound: int

    @property
    def size(self) -> int:
        """The number of cards in the pack. A Pack Leader alone is a pack of 1."""
        return len(self.layout)

    @property
    def proven(self) -> bool:
        """Whether no pack is larger."""
        return self.size == self.bound


def largest_pack(
    leader: Card, cards: Sequence[Card], deck: DogDeck, *, work: int = 4_000, seconds: float | None = None
) -> Largest:
    """Return the largest legal pack with this Pack Leader and any of these cards (DG-10 to DG-14).

    `work` limits the steps of each search method. The same cards in any order with the same limit give the same pack on
    every machine. `seconds` adds a time limit. For up to four suits, including the standard deck with its jokers, the
    default is more than enough for a proof. Raises CardhouseError for a card that isn't in the deck or occurs twice.
    """
    known = Open.of(leader, cards, deck)
    until = None if seconds is None else time.monotonic() + seconds
    found = _from_suits(known, work, until)
    if not found.proven:
        near = near_of(known)
        growth = Growth(known, near, found.or_better(Found({}, at_most(near))))
        growth.build(Effort(work, until))
        growth.enumerate_all(Effort(work, until))
        found = growth.found
    return Largest(_around_leader(leader, found.cells), found.bound)


def _from_suits(known: Open, work: int, until: float | None) -> Found:
    """Return the largest pack that follows from suits, upright or sideways, or else the Pack Leader alone."""
    alone = Known(known.cards[0], next(bits_of(known.may_be[0])))
    found = Found({(0, 0): alone}, len(known.cards))
    if form_suits(known.above):
        found = found.or_better(largest_of_suits(known, Effort(work, until)))
    if not found.proven and form_suits(known.beside):
        lying = largest_of_suits(known.swapped(), Effort(work, until))
        found = found.or_better(Found({(y, x): card for (x, y), card in lying.cells.items()}, lying.bound))
    return found


def _around_leader(leader: Card, cells: Cells) -> list[Placed]:
    """Return the pack moved so that the Pack Leader is at (0, 0), in the order of the cells."""
    left, down = next(cell for cell, known in cells.items() if known.card == leader)
    return [Placed(known.card, x - left, y - down) for (x, y), known in sorted(cells.items())]
