"""A bot's turn: its seat's view, parsed, and the answer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import msgspec

from cardhouse.cards import Card, Cell, Placed, touches
from cardhouse.engine import Seen
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.state import PACK_LEADER, DogpileOptions


class Turn(msgspec.Struct, frozen=True, dict=True):
    """The information a bot uses to lay cards.

    `hand` and `unseen` are in the deck's order; unseen cards may lie face down or be in other hands or the draft deck.
    `theirs` are the cells with other players' face-down cards, `reach` is how far the grid extends to each side.
    `to_come` is the number of cards of each player who may lay after this seat. `alone` is the value of a Pack Leader
    without any card laid (DG-15), `touching` whether each card must touch one laid before it (DG-5).
    """

    deck: DogDeck
    leader: Card
    hand: list[Card]
    theirs: list[Cell]
    reach: int
    unseen: list[Card]
    to_come: list[int]
    alone: int
    touching: bool

    @classmethod
    def of(cls, seen: Seen) -> Turn | None:
        """Return the turn that a seat is asked for, or None if it is asked something else or nothing."""
        view = seen.view
        if seen.asks["key"] != "turn" or view["turn"] != seen.seat:
            return None
        options = msgspec.convert(seen.options, DogpileOptions)
        deck = deck_of(options.deck)
        hand = in_deck_order(view["hands"][seen.seat], deck)
        known = {view["leader"], *hand, *view["dogpile_cards"], *view["stray_cards"], *deck.jokers[options.jokers :]}
        return cls(
            deck=deck,
            leader=view["leader"],
            hand=hand,
            theirs=[(laid["x"], laid["y"]) for laid in view["laid"]],
            reach=view["reach"],
            unseen=[card for card in deck.cards if card not in known],
            to_come=[count for seat in view["to_lay"] if (count := view["hands"][seat])],
            alone=int(options.lone_leader == "joins"),
            touching=options.touching,
        )

    @cached_property
    def pack(self) -> frozenset[Cell]:
        """The taken cells."""
        return frozenset((PACK_LEADER, *self.theirs))

    def is_free(self, cell: Cell) -> bool:
        """Return whether a card can be laid on a cell."""
        return max(map(abs, cell)) <= self.reach and cell not in self.pack


def lay(cards: Iterable[Placed], turn: Turn) -> dict[str, Any]:
    """Return the answer that lays these cards, each next to one already laid if possible. No cards pass."""
    left, there, order = list(cards), set(turn.pack), []
    while left:
        one = next((one for one in left if touches(one.cell, there)), left[0])
        left.remove(one)
        there.add(one.cell)
        order.append(msgspec.to_builtins(one))
    return {"do": "lay", "cards": order} if order else {"do": "pass"}


def in_deck_order(cards: Iterable[Card], deck: DogDeck) -> list[Card]:
    """Return cards in the deck's order; for the standard deck clubs to spades, aces to kings, then jokers."""
    place = {card: number for number, card in enumerate(deck.cards)}
    return sorted(cards, key=place.__getitem__)
