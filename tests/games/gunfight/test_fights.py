"""Whole gunfights, four a side, to the end: everyone able acts, the dead don't, no card is lost."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, SCREEN, Ask, Entry, OneOf, SeededDealer, Table
from cardhouse.testing import shown
from tests.games.gunfight.playing import game_of
from tests.games.gunfight.test_conformance import TestGunfight as Suite
from tests.games.hackjack.playing import BLOWS, SWITCHES, someone
from tests.games.initiative.test_rounds import Ledger
from tests.thorough import many

SIDES = {"Law": "H", "Gang": "S"}
LONGEST = 60
"""Rounds that no fight takes."""

both_games_are_sound = Suite().check


def gunfight(seed: int) -> Table:
    """A table with four on each side; some of the gang lie in wait."""
    rng = Random(seed)
    options = {switch: rng.random() < 0.2 for switch in SWITCHES}
    table = Table.new("gunfight", (GM, "ada", "ben"), options, SeededDealer(seed))
    for side, suit in SIDES.items():
        for number, card in enumerate(rng.sample([card for card in STANDARD if card[0] == suit], 4)):
            hidden = side == "Gang" and rng.random() < 0.2
            table.answer(GM, {**someone(rng, f"{side} {number}"), "card": card, "side": side, "hidden": hidden})
    return table


class Fight:
    """A gunfight being fought, and what the story says of everybody in it."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = gunfight(seed)
        self.ledger = Ledger()
        self.dead: set[str] = set()
        self.out_cold: set[str] = set()
        self.broken: set[str] = set()
        self.told: Counter[str] = Counter()

    def fight(self) -> None:
        """Until one side is no more."""
        while len(self.standing()) == len(SIDES):
            self.note(self.table.answer(GM, self.what_next()))
        assert self.ledger.rounds < LONGEST

    def standing(self) -> set[str | None]:
        """The sides of which somebody lives."""
        return {character.side for character in game_of(self.table).order.characters}

    def what_next(self) -> dict[str, Any]:
        """The game master answers for everybody; whoever has a turn shoots at the other side, or wakes a friend."""
        question = self.table.question
        assert isinstance(question, Ask)
        about = question.about
        if question.key == "between":
            # A stray bullet for somebody: there may be nobody left who could shoot.
            return {"do": "start_round"} if self.rng.random() < 0.8 else self.shot_at(self.living())
        if question.key == "declare":
            return {"do": "prevent", "name": self.rng.choice(about["names"]), "yes": self.rng.random() < 0.5}
        if question.key == "choose":
            return {"do": "choose_wound", "name": about["name"], "card": self.rng.choice(about["cards"])}
        if question.key == "check":
            wounds = question.offers[0].fields["wound"]
            assert isinstance(wounds, OneOf)
            return {"do": "check", "name": about["name"], "wound": self.rng.choice(wounds.values)}
        if question.key == "turn":
            return self.turn(about["name"])
        return {"do": self.rng.choice(["act", "wait"]), "name": about["name"]}

    def turn(self, name: str) -> dict[str, Any]:
        chance = self.rng.random()
        if chance < 0.6:
            return {"do": "done", "name": name}
        if chance < 0.7 and (asleep := sorted(self.out_cold - self.dead)):
            return {"do": "wake", "target": self.rng.choice(asleep)}
        return self.shot_at([other for other in self.living() if other.split()[0] != name.split()[0]])

    def living(self) -> list[str]:
        return [character.name for character in game_of(self.table).order.characters]

    def shot_at(self, names: list[str]) -> dict[str, Any]:
        return {"do": "damage", "target": self.rng.choice(names), "amount": self.rng.choice(BLOWS)}

    # What the story says.

    def note(self, entry: Entry) -> None:
        """Nobody dead acts, nobody who can do nothing is asked for more than a check, and all cards are there."""
        for event in entry.events:
            name = event.about.get("name", "")
            if event.key == "round_begins":
                self.ledger.begin({c.name: c.card for c in game_of(self.table).order.characters})
            self.ledger.note(event)
            self.told[event.key] += 1
            if event.key in ("drawn", "acts", "waits", "waiting_acts", "passes", "out_cold", "to_the_bottom"):
                assert name not in self.dead
            if event.key in ("passes", "out_cold"):
                assert name in {"passes": self.broken - self.out_cold, "out_cold": self.out_cold}[event.key]
            self.change(event.key, name, event.about.get("card"))
        asked = self.table.asks()
        if asked["key"] in ("first", "either", "turn"):
            assert asked["with"]["name"] not in self.dead | self.out_cold | self.broken
        assert {fighter.name for fighter in game_of(self.table).fight.characters if not fighter.alive} == self.dead
        both_games_are_sound(self.table)

    def change(self, key: str, name: str, card: str | None) -> None:
        """Who is dead, has passed out or is broken (SK) after an event."""
        if key == "dies":
            self.dead.add(name)
        elif key == "passes_out":
            self.out_cold.add(name)
        elif key == "wakes":
            self.out_cold.discard(name)
        elif key == "wounded" and card == "SK":
            self.broken.add(name)


@pytest.mark.parametrize("seed", range(many(300, 120)))
def test_to_the_last_man_standing(seed):
    fight = Fight(seed)
    fight.fight()
    if seed % 10 == 0:
        again = Table.read(fight.table.transcript().splitlines())
        for seat in (GM, "ada", SCREEN):
            assert shown(again, seat) == shown(fight.table, seat)


@pytest.mark.soak
def test_in_many_fights_everything_happens():
    """So that what the other test looks for is there to be found."""
    told: Counter[str] = Counter()
    for seed in range(1000, 1100):
        fight = Fight(seed)
        fight.fight()
        told += fight.told
    expected = "passes out_cold killed_outright too_much exactly prevents fights_on bleeds_out revealed check_passed"
    assert set(expected.split()) <= set(told)
