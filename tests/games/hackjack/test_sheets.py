"""Sheets: what a character takes along, and that every such character can be played (HJ-32)."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.cards import STANDARD
from cardhouse.engine import GM, PHYSICAL, SeededDealer, Table
from cardhouse.games.hackjack.sheets import problem_of, read_roster
from cardhouse.games.hackjack.state import HIT_DICE, Sheet
from cardhouse.games.hackjack.wounds.schema import ABILITIES
from cardhouse.testing import ask_somebody, shown
from tests.games.hackjack.playing import someone
from tests.thorough import in_soak

GAMES = ("hackjack", "gunfight")
CARDS: dict[str, dict[str, Any]] = {"hackjack": {}, "gunfight": {"card": "SA"}}
OF_THE_TABLE: dict[str, dict[str, Any]] = {
    "S2": {"ends": "hours", "details": [{"what": "hours", "dice": "9d20"}]},
    "S4": {"ends": "rest", "details": [{"what": "side", "dice": "1d2", "means": ["left", "right"]}]},
    "H5": {"ends": "rest"},
    "CA": {"ends": "check", "check": {"failed": "unconscious"}},
}
"""A table's own wounds, of which another knows other details and checks."""


def any_sheet(rng: Random, name: str) -> Sheet:
    """Whatever a file may say of somebody."""
    down = rng.random() < 0.5
    amount = lambda most: rng.choice([0, 1, rng.randint(0, most), most])  # noqa: E731
    return msgspec.convert(
        {
            "name": name,
            "hp": 0 if down else amount(1000),
            "max_hp": max(1, amount(1000)),
            "scores": {ability: rng.randint(1, 99) for ability in ABILITIES if rng.random() < 0.5},
            "hit_die": rng.choice([None, *HIT_DICE]),
            "to_hit": rng.choice([None, "+2"]),
            "death_score": amount(25),
            "blood": amount(8),
            "trauma": rng.randint(0, 6),
            "down": down,
            "alive": rng.random() < 0.8,
            "unconscious": rng.random() < 0.3,
            "wounds": [any_wound(rng) for _ in range(rng.choice([0, 1, 3, 12]))],
            "marks": [
                {"card": rng.choice(STANDARD), "lasting": {"text": "A scar.", "conditions": ["scar"]}}
                for _ in range(rng.choice([0, 0, 1, 3]))
            ],
            "recovery": rng.choice(
                [None, {"trauma": rng.randint(1, 6), "amount": 7, "unit": "weeks", "rolled_for": 1}]
            ),
        },
        Sheet,
    )


def any_wound(rng: Random) -> dict[str, Any]:
    return {
        "card": rng.choice([*STANDARD, *OF_THE_TABLE, "S4", "SJ", "H3", "H5", "C2"]),
        "found": [rng.choice([0, 1, 2, 4, 5, 1000]) for _ in range(rng.choice([0, 0, 1, 2, 5]))],
        "drops": {ability: rng.randint(0, 9) for ability in ABILITIES if rng.random() < 0.2},
        "check": rng.choice([None, "open", "failed"]),
        "let": rng.random() < 0.8,
        "worn": rng.choice([0, 0, 3]),
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("wounds", [{}, *in_soak(OF_THE_TABLE)], ids=["standard", "own"])
def test_whoever_a_file_may_hold_can_be_brought_and_played_with(game: str, wounds: dict[str, Any]) -> None:
    for seed in range(60):
        rng = Random(seed)
        own = {card: {"name": "Our own", "text": "It hurts.", **wound} for card, wound in wounds.items()}
        options = {"wounds": own, "pain": True, "critical_draw": True}
        table = Table.new(game, (GM, "ada"), options, SeededDealer(seed))
        for name in ("Ada", "Ben"):
            sheet = any_sheet(rng, name)
            assert problem_of(sheet) is None
            join = {"tier": "leader"} if game == "gunfight" else {}
            answer = {"do": "bring_character", "sheet": msgspec.to_builtins(sheet), "controller": "ada", **join}
            table.answer(GM, answer)
        kept = table.roster()
        for _ in range(30):
            shown(table, "ada")
            table.view("screen")
            if (asked := ask_somebody(table, rng, anytime=0.7)) is None:
                break
            table.answer(*asked)
        read_roster(table.roster())
        assert [sheet.name for sheet in read_roster(kept)] == ["Ada", "Ben"]


@pytest.mark.parametrize("game", GAMES)
def test_whoever_has_been_through_a_fight_comes_to_the_next_as_they_left_it(game: str) -> None:
    """A file is read as it was written, and brings to any table what it was written from."""
    for seed in range(40):
        rng = Random(seed)
        table = Table.new(game, (GM, "ada", "ben"), {}, SeededDealer(seed))
        for number in range(3):
            join = {"tier": "leader"} if game == "gunfight" else {}
            table.answer(GM, {**someone(rng, f"Nan {number}"), **join})
        for _ in range(40):
            if (asked := ask_somebody(table, rng, anytime=0.8)) is not None:
                table.answer(*asked)
        sheets = read_roster(table.roster())
        for other in GAMES:
            again = Table.new(other, (GM, "ada"), {}, SeededDealer(0), decks={"wounds": PHYSICAL})
            for sheet, rank in zip(sheets, range(2, 10), strict=False):
                join = {"card": f"S{rank}", "side": "Posse"} if other == "gunfight" else {}
                again.answer(GM, {"do": "bring_character", "sheet": msgspec.to_builtins(sheet), **join})
            assert read_roster(again.roster())[: len(sheets)] == sheets[:8]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("before", "after", "alive"), [(13, 20, True), (14, 0, True), (15, 22, False)])
def test_in_the_middle_of_a_hit_a_roster_holds_what_would_arrive(game, before, after, alive):
    """The seven of clubs asks for more cards before the hit is judged, and arriving at a table judges it (HJ-6)."""
    table = Table.new(game, decks={"wounds": PHYSICAL})
    table.answer(GM, {"do": "add_character", "name": "Ada", "hp": 0, "max_hp": 7, **CARDS[game]})
    table.answer(GM, {"put_right": "down", "of": "Ada", "to": True})
    table.answer(GM, {"put_right": "death_score", "of": "Ada", "to": before})
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 1})
    table.answer(GM, {"draw": "wounds", "card": "C7"})
    assert table.asks()["kind"] == "draw"
    later = Table.new(game)
    for answer in table.game.come_again():
        later.answer(GM, answer)
    found = later.game.roster() or []
    assert table.game.roster() == found
    assert [(one["death_score"], one["alive"]) for one in found] == [(after, alive)]
