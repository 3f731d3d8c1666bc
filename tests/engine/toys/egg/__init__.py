"""A game with a clock: a player winds an egg timer, and it rings. Its cards come out of an unseen box."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cardhouse.cards import Card, Deck
from cardhouse.engine import CLOCK, Action, Ask, Game, Offer, Rules

CARDS = ("CA", "C2", "C3", "C4", "C5", "C6")
GONE = "C6"
"""Which card isn't in the box, though nobody knows."""


class Wind(Action, frozen=True):
    pass


class Ring(Action, frozen=True):
    pass


class EggView(msgspec.Struct, frozen=True):
    wound: list[int | None]
    rung: list[int | None]
    drawn: list[Card]


class Egg(Game):
    """Winding it, a card is drawn, it is looked what time it is, and the same again (E-1); it rings (E-2)."""

    name = "egg"
    actions = (Wind, Ring)
    decks = {"box": "deck"}

    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(card for card in CARDS if card != GONE))
    wound: list[int | None] = []
    rung: list[int | None] = []
    drawn: list[Card] = []

    def play(self) -> Rules[None]:
        while len(self.wound) < 20:
            yield from self.ask(self.who_winds)
            for _ in range(2):
                card = yield from self.draw("box", lambda: CARDS)
                assert card is not None
                self.drawn.append(card)
                self.deck.add(card)
                self.wound.append((yield from self.now()))
            self.tell("E-1", "wound", times=len(self.wound))

    def who_winds(self) -> Ask:
        return Ask("wind", "E-1", (Offer(tuple(self.seats), Wind),), rest=True)

    def at_any_time(self) -> Sequence[Offer]:
        return (Offer((CLOCK,), Ring),) if len(self.rung) < len(self.wound) else ()

    def meanwhile(self, action: Action) -> Rules[None]:
        self.rung.append((yield from self.now()))
        self.tell("E-2", "rings", times=len(self.rung))

    def alarm(self) -> int | None:
        last = self.wound[-1] if self.wound else None
        return last + 60 if last is not None and len(self.rung) < len(self.wound) else None

    def view(self, audience: str) -> EggView:
        return EggView(list(self.wound), list(self.rung), list(self.drawn))
