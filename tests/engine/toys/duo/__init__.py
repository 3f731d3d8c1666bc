"""A game of two games: first a character is dressed, then the toy is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, Action, Game, Offer, Rules
from tests.engine.toys.coat import Coat, CoatView
from tests.engine.toys.toy import Toy, ToyOptions, ToyView


class Hum(Action, frozen=True):
    pass


class DuoView(msgspec.Struct, frozen=True):
    coat: CoatView
    toy: ToyView
    hummed: int


class Duo(Game):
    """Both in one, and the game master may hum at any time (D-1)."""

    name = "duo"
    parts = {"toy": Toy, "coat": Coat}
    actions = (Hum, *Toy.actions, *Coat.actions)
    decks = {"pile": "toy"}
    steps = Toy.steps

    options: ToyOptions = ToyOptions()
    toy: Toy = msgspec.field(default_factory=lambda: Toy(seats=[]))
    coat: Coat = msgspec.field(default_factory=lambda: Coat(seats=[]))
    hummed: int = 0

    def play(self) -> Rules[None]:
        yield from self.coat.play()
        yield from self.toy.play()

    def at_any_time(self) -> Sequence[Offer]:
        return [*self.toy.at_any_time(), Offer((GM,), Hum)]

    def meanwhile(self, action: Action) -> Rules[None]:
        if isinstance(action, Hum):
            self.hummed += 1
            self.tell("D-1", "hums")
        else:
            yield from self.toy.meanwhile(action)

    def audience(self, seat: str) -> str:
        return seat

    def view(self, audience: str) -> DuoView:
        return DuoView(self.coat.view(audience), self.toy.view(self.toy.audience(audience)), self.hummed)

    def odds(self, audience: str, more: int = 1) -> dict[str, Any]:
        return {"left": len(self.toy.deck) + more}

    def where(self, card: Card, deck: str, audience: str) -> str:
        return self.toy.where(card, deck, audience)

    def who_draws(self, deck: str) -> tuple[str, ...]:
        return self.toy.who_draws(deck)
