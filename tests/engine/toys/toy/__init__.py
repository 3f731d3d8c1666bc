"""A game that uses everything the engine has: dice, a secret, a known top card, every kind of field, a step by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from cardhouse.cards import Card, Deck
from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Options, Rules, Several, Text, Whole, YesNo

CARDS = ("CA", "C2", "C3", "C4", "C5")


class ToyOptions(Options, frozen=True):
    lucky: bool = False
    rounds: int = 3


class Guess(Action, frozen=True):
    number: int


class Take(Action, frozen=True):
    seat: str


class Keep(Action, frozen=True):
    cards: list[Card]
    back_on_top: bool = False


class Say(Action, frozen=True):
    text: str


class ToyView(msgspec.Struct, frozen=True):
    round: int
    left: int
    hand: list[Card] | int
    said: list[str]


class Toy(Game):
    """Each round: guess a roll (T-1), the player draws two cards unseen by the others and keeps some (T-2)."""

    name = "toy"
    actions = (Guess, Keep, Say, Take)
    decks = {"pile": "deck"}
    steps = ("tidy",)

    options: ToyOptions = ToyOptions()
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(CARDS))
    round: int = 0
    hand: list[Card] = []
    said: list[str] = []

    def play(self) -> Rules[None]:
        while self.round < self.options.rounds:
            answer = yield from self.ask(self.who_guesses)
            self.round += 1
            faces = yield from self.roll("2d3")
            self.tell("T-1", "rolled", sum=sum(faces), guess=answer.number)
            for _ in range(2):
                card = yield from self.draw("pile")
                if card is not None:
                    self.hand.append(card)
                    self.tell("T-2", "drew", to="player", card=card)
                    self.tell("T-2", "drew_something", to="others")
            kept = yield from self.ask(self.who_keeps)
            for card in [card for card in self.hand if card not in kept.cards]:
                (self.deck.put_on_top if kept.back_on_top else self.deck.put_on_bottom)(card)
            self.hand = list(kept.cards)
            yield from self.step("tidy", "T-3")
            self.deck.add(*self.hand)
            self.hand = []
            if self.options.lucky:
                self.deck.shuffle()
            self.tell("T-3", "tidied")

    def who_guesses(self) -> Ask:
        offer = Offer(tuple(self.seats), Guess, {"number": Whole(2, 6)})
        return Ask("guess", "T-1", (offer,), {"round": self.round + 1}, rest=True)

    def who_keeps(self) -> Ask:
        fields = {"cards": Several(tuple(self.hand), 0, len(self.hand), "card"), "back_on_top": YesNo()}
        return Ask("keep", "T-2", (Offer((self.player,), Keep, fields, frozenset(["back_on_top"])),))

    @property
    def player(self) -> str:
        return self.seats[-1]

    def at_any_time(self) -> list[Offer]:
        words = [Offer(tuple(self.seats), Say, {"text": Text(10, tuple(self.said))})] if len(self.said) < 5 else []
        return [*words, Offer((GM,), Take, {"seat": OneOf((self.player,), "seat")})]

    def meanwhile(self, action: Action) -> Rules[None]:
        """The game master may have a third card drawn for the player, in the middle of anything."""
        if isinstance(action, Say):
            self.said.append(action.text)
            self.tell("T-4", "said", text=action.text)
        elif len(self.hand) < 3 and not self.resting:
            card = yield from self.draw("pile")
            if card is not None:
                self.hand.append(card)
                self.tell("T-4", "drew_something")

    @property
    def resting(self) -> bool:
        return not self.hand

    def audience(self, seat: str) -> str:
        return "player" if seat == self.player else "others"

    def view(self, audience: str) -> ToyView:
        hand: list[Card] | int = list(self.hand) if audience == "player" else len(self.hand)
        return ToyView(self.round, len(self.deck), hand, list(self.said))

    def odds(self, audience: str) -> dict[str, Any]:
        return {"next": 1 / len(self.deck.could_be_next())} if self.deck and audience == "player" else {}

    def who_draws(self, deck: str) -> tuple[str, ...]:
        return (self.player,)
