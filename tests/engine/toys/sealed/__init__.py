"""Sealed bids: all bid in secret, and the game master may bid for a player, raise the limit or call."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import Card, Deck
from cardhouse.engine import GM, SCREEN, Action, Ask, Game, Offer, OneOf, Options, Rules, Seen, Whole

CARDS = ("CA", "C2", "C3", "C4", "C5", "C6")


class SealedOptions(Options, frozen=True):
    rounds: int = 3


class Bid(Action, frozen=True):
    whose: str
    number: int


class Raise(Action, frozen=True):
    pass


class Call(Action, frozen=True):
    pass


class Go(Action, frozen=True):
    pass


class SealedView(msgspec.Struct, frozen=True):
    round: int
    chosen: list[str]
    own: int | None
    revealed: dict[str, int]
    prizes: list[Card]


def bold(seen: Seen, rng: Random) -> dict[str, Any] | None:
    if seen.asks["key"] != "bid":
        return None
    own = next(offer for offer in seen.offers if offer["fields"]["whose"]["const"] == seen.seat)
    return {"do": "bid", "whose": seen.seat, "number": own["fields"]["number"]["maximum"]}


class Sealed(Game):
    """Bids are made (S-1), revealed, and a card is drawn (S-2); the game master may hurry (S-3)."""

    name = "sealed"
    actions = (Bid, Raise, Call, Go)
    decks = {"prizes": "deck"}
    bots = {"bold": bold}

    options: SealedOptions = SealedOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(CARDS))
    round: int = 1
    limit: int = 3
    called: bool = False
    revealed: dict[str, int] = {}
    prizes: list[Card] = []

    def play(self) -> Rules[None]:
        while self.round <= self.options.rounds:
            self.called = False
            bids = yield from self.ask_simultaneously(self.who_bids)
            self.revealed = {seat: bid.number for seat, bid in bids.items()}
            self.tell("S-1", "revealed", numbers=list(self.revealed.values()))
            self.round += 1
            yield from self.ask(self.go_on)
            card = yield from self.draw("prizes")
            assert card is not None
            self.prizes.append(card)
            self.tell("S-2", "prize", card=card)

    def who_bids(self) -> Ask | None:
        """Each for itself; the game master may say it for anybody."""
        if self.called:
            return None
        numbers = Whole(1, self.limit)
        offers = [
            Offer(tuple(dict.fromkeys((seat, GM))), Bid, {"whose": OneOf((seat,), "seat"), "number": numbers})
            for seat in self.seats
        ]
        return Ask("bid", "S-1", offers, {"round": self.round}, rest=True)

    def go_on(self) -> Ask:
        return Ask("go", "S-2", [Offer((GM,), Go)])

    def at_any_time(self) -> Sequence[Offer]:
        return [Offer((GM,), Raise), Offer((GM,), Call)] if self.limit < 6 else ()

    def meanwhile(self, action: Action) -> Rules[None]:
        """The game master raises the limit, or calls: then what was bid is revealed (S-3)."""
        self.called = isinstance(action, Call)
        self.limit += not self.called
        self.tell("S-3", "hurried", limit=self.limit)
        return
        yield

    def view(self, audience: str) -> SealedView:
        bid = None if audience == SCREEN else self.choice_of(audience)
        chosen = [seat for seat in self.seats if self.has_chosen(seat)]
        return SealedView(self.round, chosen, bid and bid.number, self.revealed, self.prizes)
