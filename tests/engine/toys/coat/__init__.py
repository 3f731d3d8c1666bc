"""A character is dressed: a field with a name that Python reserves, and events for one seat or all but one."""

from __future__ import annotations

from typing import Literal

import msgspec

from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Rules, Shape

Sizes = dict[Literal["back", "sleeves"], int]


class Dress(Action, frozen=True):
    who: str
    as_: Literal["wolf", "sheep"] = msgspec.field(name="as", default="sheep")
    sizes: Sizes = {}


class CoatView(msgspec.Struct, frozen=True):
    worn: dict[str, str]
    sizes: Sizes


class Coat(Game):
    """Somebody is dressed (C-1), and only they know as what (C-2)."""

    name = "coat"
    actions = (Dress,)

    worn: dict[str, str] = {}
    sizes: Sizes = {}

    def play(self) -> Rules[None]:
        while not self.worn:
            yield from self.dress()

    def dress(self) -> Rules[None]:
        answer = yield from self.ask(self.who_is_dressed)
        self.worn[answer.who], self.sizes = answer.as_, answer.sizes
        self.tell("C-1", "dressed", who=answer.who)
        self.tell("C-2", "worn", to=answer.who, worn=answer.as_)
        self.tell("C-2", "guessed", but=answer.who)

    def who_is_dressed(self) -> Ask:
        fields = {
            "who": OneOf(tuple(self.seats), "seat"),
            "as": OneOf(("wolf", "sheep")),
            "sizes": Shape(Sizes, {"back": 40}),
        }
        return Ask("dress", "C-1", (Offer((GM,), Dress, fields, frozenset(["as", "sizes"])),), rest=True)

    def view(self, audience: str) -> CoatView:
        return CoatView({who: "?" if who != audience else worn for who, worn in self.worn.items()}, self.sizes)
