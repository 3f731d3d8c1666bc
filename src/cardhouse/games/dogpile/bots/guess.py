"""What may lie face down, and the chance that cards laid beside it fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from cardhouse.cards import Card, Cell
from cardhouse.games.dogpile.bots.board import fitting
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.state import PACK_LEADER


def touching(cell: Cell) -> tuple[tuple[Cell, bool], ...]:
    """The cells that touch one, each with whether it lies beside it."""
    x, y = cell
    return ((x + 1, y), True), ((x - 1, y), True), ((x, y + 1), False), ((x, y - 1), False)


class Fits:
    """Which cards of a deck may touch which; a card goes by its number in the deck, several by bits."""

    def __init__(self, deck: DogDeck) -> None:
        self.deck = deck
        self.cards = list(deck.cards)
        self.number = {card: number for number, card in enumerate(self.cards)}
        self.may_be = [deck.may_be[card] for card in self.cards]
        self.wild = self.bits(card for card in self.cards if deck.may_be[card] & deck.may_be[card] - 1)
        self._of_kinds: dict[tuple[int, bool], int] = {}
        self._some: dict[tuple[int, bool], int] = {}
        self._every: dict[tuple[int, bool], int] = {}

    def bits(self, cards: Iterable[Card]) -> int:
        """These cards as bits."""
        return sum(1 << self.number[card] for card in cards)

    def to_kinds(self, kinds: int, beside: bool) -> int:
        """The cards that may touch one or another of these kinds."""
        found = self._of_kinds.get((kinds, beside))
        if found is None:
            wanted = fitting(self.deck, kinds, beside)
            found = sum(1 << number for number, some in enumerate(self.may_be) if some & wanted)
            self._of_kinds[kinds, beside] = found
        return found

    def to_card(self, card: int, beside: bool) -> int:
        """The cards that may touch this one."""
        return self.to_kinds(self.may_be[card], beside)

    def to_some(self, cards: int, beside: bool) -> int:
        """The cards that may touch one or another of these."""
        found = self._some.get((cards, beside))
        if found is None:
            found = 0
            for card in bits_of(cards):
                found |= self.to_card(card, beside)
            self._some[cards, beside] = found
        return found

    def to_every(self, cards: int, beside: bool) -> int:
        """The cards that may touch each of these, whichever it is; wild ones are taken to fit in."""
        found = self._every.get((cards, beside))
        if found is None:
            found = -1
            for card in bits_of(cards & ~self.wild):
                found &= self.to_card(card, beside)
            self._every[cards, beside] = found
        return found
