"""Whom to shoot: characters who are down first, aces before others, no one helpless or hidden."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cardhouse.engine import GM, STORY, Bot, Table
from cardhouse.games.gunfight.bots import early, gunfighter
from tests.games.gunfight.playing import game_of

FOES = {"Ace": "SA", "King": "SK", "Two": "S2"}


def a_turn(hurt: dict[str, int], cards: dict[str, str], *, prevents: bool = False, **hidden: bool) -> Table:
    """Ada's turn, once these have lost so many of their 8 hit points, and drawn these wounds; decks are of paper."""
    table = Table.new("gunfight", [GM, "ada"], decks={"initiative": "physical", "wounds": "physical"})
    people = {"Ada": "HQ", **FOES}
    for name, card in people.items():
        side, seat = ("Posse", "ada") if name == "Ada" else ("Gang", GM)
        who: dict[str, Any] = {"name": name, "card": card, "side": side, "controller": seat, "hp": 8, "max_hp": 8}
        table.answer(GM, {"do": "add_character", **who, "hidden": hidden.get(name, False)})
    for name, amount in hurt.items():
        table.answer(GM, {"do": "damage", "target": name, "amount": amount})
        if name in cards:
            table.answer(GM, {"draw": "wounds", "card": cards[name]})
    table.answer(GM, {"do": "start_round"})
    if table.asks()["key"] == "declare":
        table.answer(GM, {"do": "prevent", "name": "Two", "yes": prevents})
    table.answer(GM, {"draw": "initiative", "card": "HQ"})
    table.answer("ada", {"do": "act", "name": "Ada"})
    return table


def test_who_lies_there_comes_first_and_an_ace_before_its_equals():
    aim = a_turn({"Two": 10}, {"Two": "D3"}).odds("ada")["aim"]
    assert [one["name"] for one in aim] == ["Two", "Ace", "King"]
    assert 0 < aim[0]["dies"] < 1
    assert [one.keys() for one in aim[1:]] == [{"name"}, {"name"}]


def test_who_prevents_blood_loss_comes_last():
    aim = a_turn({"Two": 10}, {"Two": "D3"}, prevents=True).odds("ada")["aim"]
    assert [one["name"] for one in aim] == ["Ace", "King", "Two"]


def test_who_is_less_hurt_comes_later():
    assert [one["name"] for one in a_turn({"King": 3, "Two": 2}, {}).odds("ada")["aim"]] == ["King", "Two", "Ace"]


def test_who_hides_is_named_to_the_game_master_alone():
    table = a_turn({}, {}, King=True)
    assert [one["name"] for one in table.odds("ada")["aim"]] == ["Ace", "Two"]
    assert {one["name"] for one in table.odds(GM)["aim"]} == {*FOES}


@pytest.mark.parametrize("bot", [gunfighter, early])
def test_no_bot_ever_prevents_blood_loss(bot: Bot):
    table = Table.new("gunfight", [GM, "ada"], decks={"wounds": "physical"})
    table.answer(GM, {"do": "add_character", "name": "Ada", "card": "HQ", "hp": 8, "max_hp": 8, "controller": "ada"})
    table.answer(GM, {"do": "damage", "target": "Ada", "amount": 10})
    table.answer(GM, {"draw": "wounds", "card": "D3"})
    table.answer(GM, {"do": "start_round"})
    assert table.asks()["key"] == "declare"
    assert bot(table.seen("ada", STORY), Random(1)) == {"do": "prevent", "name": "Ada", "yes": False}


@pytest.mark.parametrize("seat", [GM, "ada"])
def test_nobody_is_named_when_it_is_nobodys_turn(seat):
    table = a_turn({}, {})
    table.answer("ada", {"do": "done", "name": "Ada"})
    assert game_of(table).order.acting is None
    assert "aim" not in table.odds(seat)
