"""Which cards of a deck may touch which: cards are indices in the deck, sets of cards are bit sets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cardhouse.cards import Card, Cell
from cardhouse.games.dogpile.bots.board import fitting
from cardhouse.games.dogpile.deck import DogDeck, bits_of


class Fits:
    """The cards that fit, computed for single cards at once and for sets on demand."""

    def __init__(self, deck: DogDeck) -> None:
        self.deck = deck
        self.cards = list(deck.cards)
        self.number = {card: number for number, card in enumerate(self.cards)}
        self.may_be = [deck.may_be[card] for card in self.cards]
        self.wild = sum(1 << number for number, kinds in enumerate(self.may_be) if kinds & kinds - 1)
        self._kinds: dict[tuple[int, bool], int] = {}
        self._card = {beside: [self.kinds(kinds, beside) for kinds in self.may_be] for beside in (True, False)}
        self._one: dict[tuple[int, bool], int] = {}
        self._each: dict[tuple[int, bool], int] = {}

    def bits(self, cards: Iterable[Card]) -> int:
        """Return these cards as a bit set."""
        return sum(1 << self.number[card] for card in cards)

    def kinds(self, kinds: int, beside: bool) -> int:
        """Return the cards that may touch at least one of these kinds."""
        found = self._kinds.get((kinds, beside))
        if found is None:
            wanted = fitting(self.deck, kinds, beside)
            found = sum(1 << number for number, some in enumerate(self.may_be) if some & wanted)
            self._kinds[kinds, beside] = found
        return found

    def card(self, card: int, beside: bool) -> int:
        """Return the cards that may touch this one."""
        return self._card[beside][card]

    def any_of(self, cards: int, beside: bool) -> int:
        """Return the cards that may touch at least one of these."""
        found = self._one.get((cards, beside))
        if found is None:
            found = 0
            for card in bits_of(cards):
                found |= self.card(card, beside)
            self._one[cards, beside] = found
        return found

    def all_of(self, cards: int, beside: bool) -> int:
        """Return the cards that may touch every one of these. Wild cards among these are assumed to adapt."""
        found = self._each.get((cards, beside))
        if found is None:
            found = (1 << len(self.cards)) - 1
            for card in bits_of(cards & ~self.wild):
                found &= self.card(card, beside)
            self._each[cards, beside] = found
        return found


@lru_cache(16)
def fits_of(deck: DogDeck) -> Fits:
    """Return which cards of this deck may touch which."""
    return Fits(deck)


@lru_cache(1 << 14)
def touching(cell: Cell) -> tuple[tuple[Cell, bool], ...]:
    """Return the cells that touch one, each with whether it is beside it."""
    x, y = cell
    return ((x + 1, y), True), ((x - 1, y), True), ((x, y + 1), False), ((x, y - 1), False)
