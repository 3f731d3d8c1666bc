"""Thousands of random rounds, compared with a ledger of the actions due and taken."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, SCREEN, Event, RemoveCharacter, SeededDealer, Show, Table
from cardhouse.games.initiative.state import AddCharacter
from cardhouse.testing import shown
from tests.games.initiative.playing import game_of, step
from tests.games.initiative.test_conformance import no_card_is_lost
from tests.thorough import many


class Ledger:
    """What every character still owes this round, kept from the story alone."""

    def __init__(self) -> None:
        self.owed: Counter[str] = Counter()
        self.acted: Counter[str] = Counter()
        self.gone: set[str] = set()
        self.rounds = 0

    def begin(self, names_and_cards: dict[str, str]) -> None:
        self.acted.clear()
        self.gone.clear()
        self.owed = Counter({name: 2 if card[1:] == "A" else 1 for name, card in names_and_cards.items()})

    def note(self, event: Event) -> None:
        name = event.about.get("name", "")
        if event.key == "acts":
            assert name not in self.gone
            self.acted[name] += 1
            assert self.acted[name] <= self.owed[name], f"{name} acts too often"
        elif event.key == "burns":  # IN-9: all that it had not done yet
            lost = self.owed[name] - self.acted[name]
            assert event.about["actions"] == lost >= 1
            self.owed[name] -= lost
        elif event.key == "leaves" and event.is_told(GM, GM):
            self.gone.add(name)
        elif event.key in ("joins", "joins_side", "joins_hidden"):
            self.owed[name] = 2 if event.about["card"][1:] == "A" else 1
        elif event.key == "round_over":
            self.rounds += 1
            for someone, owed in self.owed.items():
                assert self.acted[someone] == owed or someone in self.gone, f"{someone} acted {self.acted[someone]}"


@pytest.mark.parametrize("seed", range(many(45, 10)))
def test_everybody_acts_as_often_as_the_rules_say(seed):
    rng = Random(seed)
    table = Table.new("initiative", options={"join_now": seed % 2 == 0}, dealer=SeededDealer(seed))
    for number, card in enumerate(rng.sample(STANDARD, rng.randint(1, 20))):
        table.answer(GM, AddCharacter(f"{number}", card, hidden=rng.random() < 0.1))
    ledger = Ledger()
    waits = rng.random()
    for answer in range(1500):
        if rng.random() < 0.02:
            come_or_go(table, rng, f"new {answer}")
        else:
            step(table, rng, waits)
        for event in table.entries[-1].events:
            if event.key == "round_begins":
                ledger.begin({c.name: c.card for c in game_of(table).characters})
            ledger.note(event)
        no_card_is_lost(game_of(table))
        if rng.random() < 0.01:
            undo_and_answer_again(table, rng.randint(1, 30))
    assert ledger.rounds > 20
    again = Table.read(table.transcript().splitlines())
    for seat in (GM, SCREEN):
        assert shown(again, seat) == shown(table, seat)


def undo_and_answer_again(table: Table, count: int) -> None:
    """The same answers with the same chance lead to the same state."""
    standing = [entry for entry in table.entries if entry.counts]
    taken, before = standing[-count:], msgspec.json.encode(table.game)
    table.answer(GM, {"undo": len(taken)})
    for entry in taken:
        answer = {key: value for key, value in entry.lines[0].items() if key != "by"}
        assert table.answer(GM, answer, chance=entry.lines[1:]).events == entry.events
    assert msgspec.json.encode(table.game) == before


def come_or_go(table: Table, rng: Random, name: str) -> None:
    """Somebody joins, leaves or is shown; two at least stay."""
    game = game_of(table)
    hidden = [c for c in game.characters if c.hidden]
    if hidden and rng.random() < 0.3:
        table.answer(GM, Show(rng.choice(hidden).name))
    elif len(game.characters) > 2 and rng.random() < 0.5:
        table.answer(GM, RemoveCharacter(rng.choice(game.characters).name))
    else:
        taken = {c.card for c in game.characters} | {gone.card for gone in game.gone if gone.round == game.round}
        free = [card for card in STANDARD if card not in taken]
        table.answer(GM, AddCharacter(name, rng.choice(free), hidden=rng.random() < 0.2))


def test_all_acting_at_once_everybody_acts_once_and_aces_twice_but_for_the_black_joker():
    """No comings and goings: per round, all actions but what the black joker took."""
    rng = Random(0)
    table = Table.new("initiative", dealer=SeededDealer(0))
    for card in rng.sample(STANDARD, 20):
        table.answer(GM, AddCharacter(card, card))
    owed = Counter({c.card: 2 if c.card[1:] == "A" else 1 for c in game_of(table).characters})
    lost = 0
    for _ in range(3000):
        step(table, rng, 0)
        for event in table.entries[-1].events:
            if event.key == "round_begins":
                lost = 0
            elif event.key == "burns":
                lost = event.about["actions"]
            elif event.key == "round_over":
                order = Counter(game_of(table).order)
                assert not order - owed
                assert (owed - order).total() == lost
