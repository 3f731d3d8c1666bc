"""A small game with hands that nobody else sees, as a stranger may write it: bid, swap, and play a card each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from cardhouse.cards import STANDARD, Card, Deck, number_of
from cardhouse.engine import Action, Ask, Game, Offer, OneOf, Rules, Several

HAND = 5


class Bid(Action, frozen=True):
    """How many one means to win (HU-2)."""

    wins: int


class Swap(Action, frozen=True):
    """Cards are laid away, and as many drawn (HU-3)."""

    cards: list[Card]


class Keep(Action, frozen=True):
    """The hand stays as it is (HU-3)."""


class Play(Action, frozen=True):
    """A card is played (HU-4)."""

    card: Card


class Player(msgspec.Struct, frozen=True):
    """Somebody at the table: of others' hands only the number is known."""

    seat: str
    hand: list[Card] | int
    played: Card | None
    bid: int | None
    wins: int
    leads: bool


class HushView(msgspec.Struct, frozen=True):
    """What a seat may know."""

    round: int
    deck_left: int
    last_winner: str | None
    players: list[Player]
    gone: list[Card]


class Hush(Game):
    """Everybody holds five cards, and the highest wins."""

    name = "hush"
    actions = (Bid, Swap, Keep, Play)
    decks = {"cards": "deck"}

    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD))
    round: int = 0
    hands: dict[str, list[Card]] = {}
    bids: dict[str, int] = {}
    swapped: list[str] = []
    played: dict[str, Card] = {}
    wins: dict[str, int] = {}
    gone: list[Card] = []
    winner: str | None = None

    def play(self) -> Rules[None]:
        """Bids, cards, a swap each, and five rounds."""
        while len(self.bids) < len(self.seats):
            bid = yield from self.ask(self.who_bids)
            self.bids[self.by] = bid.wins
            self.tell("HU-2", "bids", seat=self.by, wins=bid.wins)
        for seat in self.seats:
            self.hands[seat] = []
            yield from self.deal(seat)
        yield from self.swap()
        self.round = 1
        while self.round <= HAND:
            while len(self.played) < len(self.seats):
                answer = yield from self.ask(self.who_plays)
                self.hands[self.by].remove(answer.card)
                self.played[self.by] = answer.card
                self.tell("HU-4", "plays", seat=self.by, card=answer.card)
            self.score()

    def deal(self, seat: str) -> Rules[None]:
        """As many cards as a hand lacks (HU-1)."""
        while len(self.hands[seat]) < HAND:
            card = yield from self.draw("cards")
            assert card
            self.hands[seat].append(card)

    def swap(self) -> Rules[None]:
        """Whoever wants to lays cards away (HU-3)."""
        for seat in self.seats:
            answer = yield from self.ask(partial(self.who_swaps, seat))
            away = list(answer.cards) if isinstance(answer, Swap) else []
            self.hands[seat] = [card for card in self.hands[seat] if card not in away]
            self.gone += away
            yield from self.deal(seat)
            self.swapped.append(seat)
            self.tell("HU-3", "swaps", seat=seat, count=len(away))

    def score(self) -> None:
        """The highest card wins, the first of equals (HU-5)."""
        best = max(self.played, key=lambda seat: number_of(self.played[seat]) or 0)
        self.wins[best] = self.wins.get(best, 0) + 1
        self.winner = best
        self.tell("HU-5", "wins", seat=best)
        self.gone += self.played.values()
        self.played = {}
        self.round += 1

    def who_bids(self) -> Ask:
        to_come = tuple(seat for seat in self.seats if seat not in self.bids)
        return Ask("bid", "HU-2", [Offer(to_come, Bid, {"wins": OneOf(tuple(range(4)))})], rest=True, together=True)

    def who_swaps(self, seat: str) -> Ask:
        cards = Several(tuple(self.hands[seat]), 1, 3, "card")
        return Ask("swap", "HU-3", [Offer((seat,), Swap, {"cards": cards}), Offer((seat,), Keep)])

    def who_plays(self) -> Ask:
        to_come = [seat for seat in self.seats if seat not in self.played]
        offers = [Offer((seat,), Play, {"card": OneOf(tuple(self.hands[seat]), "card")}) for seat in to_come]
        return Ask("play", "HU-4", offers, {"round": self.round}, together=True)

    def odds(self, audience: str) -> Mapping[str, Any]:
        """The chance that one more card wins, as a stranger would work it out: badly."""
        if not self.round or self.round > HAND:
            return {}
        return {
            **{seat: {"wins_next": 1 / len(self.seats), "still": float(HAND + 1 - self.round)} for seat in self.seats},
            "tie": 0.125,
        }

    def audience(self, seat: str) -> str:
        return seat

    def view(self, audience: str) -> HushView:
        players = [
            Player(
                seat,
                self.hands.get(seat, []) if seat == audience else len(self.hands.get(seat, [])),
                self.played.get(seat),
                self.bids.get(seat),
                self.wins.get(seat, 0),
                seat == self.winner,
            )
            for seat in self.seats
        ]
        return HushView(self.round, len(self.deck), self.winner, players, list(self.gone))
