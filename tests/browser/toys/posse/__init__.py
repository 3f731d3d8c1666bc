"""A small game of lists and forms, as a stranger may write it: people ride out, some of them hidden, some hurt."""

from __future__ import annotations

from functools import partial

import msgspec

from cardhouse.engine import GM, Action, Ask, Game, Offer, OneOf, Rules, Text, Whole, YesNo


class Hire(Action, frozen=True):
    """Somebody is hired (PO-1)."""

    name: str
    trade: str
    wild: bool = True
    pay: int = 5
    controller: str = GM
    rival: str | None = None


class Ride(Action, frozen=True):
    """The posse rides out (PO-2)."""


class Shoot(Action, frozen=True):
    """Somebody shoots (PO-3)."""

    name: str
    twice: bool


class Duck(Action, frozen=True):
    """Somebody ducks (PO-3)."""

    name: str


class Wound(msgspec.Struct, frozen=True):
    name: str
    bad: bool


class Rider(msgspec.Struct):
    """Somebody of the posse."""

    name: str
    trade: str
    controller: str
    wild: bool
    pay: int
    horse: str | None = None
    hurt: bool = False
    wounds: list[Wound] = []


class PosseView(msgspec.Struct, frozen=True):
    town: str
    day: int
    night: bool
    rain: bool
    sheriff: str | None
    spent: dict[str, int]
    trail: list[str]
    riders: list[Rider]


class Posse(Game):
    """Riders are hired, and each shoots or ducks."""

    name = "posse"
    actions = (Hire, Ride, Shoot, Duck)

    riders: list[Rider] = []
    day: int = 0
    done: list[str] = []

    def play(self) -> Rules[None]:
        """Hiring, then a day for each rider."""
        while not self.day:
            answer = yield from self.ask(self.who_hires)
            if isinstance(answer, Hire):
                self.riders.append(Rider(answer.name, answer.trade, answer.controller, answer.wild, answer.pay))
                self.tell("PO-1", "hires", name=answer.name)
            else:
                self.day = 1
        while to_come := [rider for rider in self.riders if rider.name not in self.done]:
            answer = yield from self.ask(partial(self.who_shoots, to_come[0]))
            self.done.append(answer.name)
            if isinstance(answer, Shoot) and answer.twice:
                to_come[0].hurt = True
                to_come[0].wounds = [*to_come[0].wounds, Wound("Burnt hand", True)]
            self.tell("PO-3", "acts", name=answer.name)

    def who_hires(self) -> Ask:
        players = tuple(seat for seat in self.seats if seat != GM)
        fields = {
            "name": Text(taken=[rider.name for rider in self.riders]),
            "trade": OneOf(("gunslinger", "tracker", "doctor")),
            "wild": YesNo(),
            "pay": Whole(1, 9),
            "controller": OneOf(players, "seat"),
            "rival": OneOf(players, "seat"),
        }
        hire = Offer((GM,), Hire, fields, frozenset(("wild", "pay", "controller", "rival")))
        return Ask("hire", "PO-1", [hire, *([Offer((GM,), Ride)] if self.riders else [])], rest=True)

    def who_shoots(self, rider: Rider) -> Ask:
        by = tuple(dict.fromkeys((rider.controller, GM)))
        name = OneOf((rider.name,))
        return Ask(
            "shoot",
            "PO-3",
            [Offer(by, Shoot, {"name": name, "twice": YesNo()}), Offer(by, Duck, {"name": name})],
            {"name": rider.name},
        )

    def view(self, audience: str) -> PosseView:
        spent: dict[str, int] = {}
        for rider in self.riders:
            spent[rider.controller] = spent.get(rider.controller, 0) + rider.pay
        return PosseView("Red Gulch", self.day, False, bool(self.day), None, spent, [], list(self.riders))
