from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhouse import Table
from cardhouse.engine import GM, catalogue_of
from cardhouse.testing import Conformance, Pair, ask_somebody, excused
from cardhouse.testing.golden import goldens, named, play, rule_of
from cardhouse.testing.twins import undo_both
from showdown.rules import Showdown
from showdown.state import NERVES

TRANSCRIPTS = Path(__file__).with_name("transcripts")


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS), ids=named)
def test_golden(path: Path):
    play(path)


def fill(table: Table, rng: Random) -> Table:
    """Some characters and extras, all of them seen."""
    for number in range(rng.choice([1, 2, 3, 5, 8])):
        someone = {"name": f"{number}", "nerve": rng.choice(NERVES), "controller": rng.choice(table.seats)}
        extras = {"many": rng.randint(2, 5)} if rng.random() < 0.2 else {}
        table.answer(GM, {"do": "add_character", **someone, **extras})
    return table


class TestShowdown(Conformance):
    game = "showdown"
    everything = True
    unreached = excused(rule="SD-3", event="deck_empty")  # how cards compare; after so many rounds without a joker

    def start(self, rng: Random) -> Table:
        return fill(super().start(rng), rng)

    def check(self, table: Table) -> None:
        """No card is lost, and none is there twice."""
        game = table.game
        assert isinstance(game, Showdown)
        held = [card for who in game.characters for card in who.cards]
        assert len({*game.deck.cards(), *game.discard, *held}) == len(game.deck) + len(game.discard) + len(held) == 54
        assert {*game.stack} <= {who.name for who in game.seen}

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Two tables in lockstep; somebody else hides at each, under another name, with another nerve (SD-10)."""
        one = fill(Table.new(self.game, [GM, "ada", "ben", "eve"], {}), rng)
        other = Table.read(one.transcript().splitlines())
        hidden: dict[str, str] = {}
        for number in range(self.answers):
            if number == 0 or (len(hidden) < 3 and rng.random() < 0.05):
                hides(one, other, hidden, rng)
            elif rng.random() < 0.1:
                undo_both(one, other, GM, 1)
            elif not lockstep(one, other, hidden, rng):
                return
            yield Pair(one, other, ["ada", "ben"])


def hides(one: Table, other: Table, hidden: dict[str, str], rng: Random) -> None:
    """Somebody comes into hiding at both, played by Eve or the game master."""
    names = ["".join(rng.choices("xyz", k=rng.randint(9, 12))) for _ in range(2)]
    for table, name in zip((one, other), names, strict=True):
        someone = {"nerve": rng.choice(NERVES), "many": rng.randint(1, 3), "controller": rng.choice([GM, "eve"])}
        table.answer(GM, {"do": "add_character", "name": name, "hidden": True, **someone})
    hidden[names[0]] = names[1]


def lockstep(one: Table, other: Table, hidden: dict[str, str], rng: Random) -> bool:
    """The same answer with the same chance at both; False when nobody is left to say anything."""
    while True:
        asked = ask_somebody(one, rng, 0.15)
        if asked is None:
            return False
        seat, answer = asked
        brings_to_light = answer.get("name") in hidden and answer.get("controller") in ("ada", "ben")
        if answer.get("do") != "show" and not answer.get("hidden") and not brings_to_light:
            break
    said: dict[str, Any] = (
        {**answer, "name": hidden.get(answer["name"], answer["name"])} if "name" in answer else answer
    )
    chance = one.answer(seat, answer).lines[1:]
    other.answer(seat, said, chance=chance)
    return True


def test_every_rule_has_a_golden_transcript():
    shown = {rule_of(path) for path in goldens(TRANSCRIPTS)}
    assert shown == set(catalogue_of(Showdown).rules)
