"""A typed program that uses the library: it runs, and a type checker finds its mistakes."""

import subprocess
import sys
from typing import assert_type, get_type_hints

import msgspec
import pytest

from cardhouse.engine import SCREEN, OfferDoc, QuestionDoc, Table, find_game, game_names
from cardhouse.games.initiative.view import InitiativeView
from tests.examples.installing import EXAMPLES
from tests.outside import install_outside

CLIENT = EXAMPLES / "client" / "client.py"
MISTAKES = {
    'offer["do"], **': 'offer["does"], **',
    'asks["seats"]': 'asks["seat"]',
    "view.under_way": "view.underway",
    "refused.offers]": "refused.offered]",
    "table.answer(seat, answer)": "table.answer(offer, answer)",
}


def test_it_plays():
    done = subprocess.run([sys.executable, CLIENT], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    moves, order = done.stdout.splitlines()
    assert moves.startswith("gm start_round, ")
    assert {*order.split()} <= {"H9", "HK", "S2"}


def test_the_types_of_a_table_are_those_of_the_protocol():
    """`mypy` checks the assertions; running them checks nothing."""
    table = Table.new("initiative")
    assert_type(table.asks(), QuestionDoc)
    assert_type(table.offers("gm"), list[OfferDoc])
    assert assert_type(table.view("gm", InitiativeView), InitiativeView).round == 0


@pytest.mark.parametrize("game", game_names())
def test_each_view_has_its_type(game: str):
    kind = get_type_hints(find_game(game).view)["return"]
    table = Table.new(game)
    for seat in (*table.seats, SCREEN):
        assert msgspec.to_builtins(table.view(seat, kind)) == table.view(seat)


@pytest.mark.soak
def test_the_wheels_types_find_each_mistake(tmp_path):
    env = install_outside(tmp_path)
    text = CLIENT.read_text("utf-8")
    for number, (right, wrong) in enumerate([("", ""), *MISTAKES.items()]):
        assert right in text
        file = tmp_path / f"client{number}.py"
        file.write_text(text.replace(right, wrong, 1) if right else text)
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "types", file]
        done = subprocess.run(command, cwd=tmp_path, env={**env, "MYPYPATH": ""}, capture_output=True, text=True)
        assert done.returncode == (1 if right else 0), f"{wrong}: {done.stdout}{done.stderr}"
