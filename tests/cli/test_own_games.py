"""The engine's errors for authors of games."""

import json
from collections.abc import Callable

import pytest

from cardhouse import Table
from cardhouse.engine import BadGame, Refused, game_names
from cardhouse.server.api.games import _games
from tests.cli.conftest import Run

HASTY = """\
import msgspec
from cardhouse.cards import STANDARD, Deck
from cardhouse.engine import Game

class TheGame(Game):
    name = "hasty"
    decks = {"cards": "deck"}
    deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD))

    def play(self):
        yield from self.draw("cards")
"""

SHORT = """\
from cardhouse.engine import GM, Action, Ask, Game, Offer

class Stop(Action, frozen=True):
    pass

class Ring(Action, frozen=True):
    pass

class TheGame(Game):
    name = "short"
    actions = (Stop, Ring)
    rung: int = 0

    def play(self):
        yield from self.ask(lambda: Ask("stop", "S-1", (Offer((GM,), Stop),), rest=True))

    def at_any_time(self):
        return (Offer((GM,), Ring),)

    def meanwhile(self, action):
        self.rung += 1
        return
        yield
"""

Install = Callable[[str, str], None]


def test_a_game_must_ask_before_it_draws(install_game: Install):
    install_game("hasty", HASTY)
    with pytest.raises(BadGame, match=r"must ask a question before it first draws"):
        Table.new("hasty")


def test_a_game_that_cannot_be_loaded_is_not_offered(install_game: Install):
    install_game("broken", "import nothing_of_that_name\n")
    listed = json.loads(_games().copies["identity"])
    assert "broken" in game_names()
    assert [game["name"] for game in listed] == [name for name in game_names() if name != "broken"]


def test_nothing_is_offered_when_a_game_is_over(install_game: Install):
    install_game("short", SHORT)
    table = Table.new("short")
    table.answer("gm", {"do": "ring"})
    table.answer("gm", {"do": "stop"})
    assert table.asks()["kind"] == "over"
    with pytest.raises(Refused, match=r'"ring" is not open to gm now\. Nothing is asked'):
        table.answer("gm", {"do": "ring"})
    table.answer("gm", {"undo": 1})
    table.answer("gm", {"do": "ring"})


def test_a_game_whose_module_is_broken_is_named(run: Run, install_game: Install, tmp_path):
    install_game("cracked", "1 / 0")
    file = tmp_path / "cracked.jsonl"
    file.write_text('{"cardhouse":1,"game":"cracked","seats":["gm"]}')
    status, _, err = run("replay", file)
    assert status == 2
    assert err == (
        f"cardhouse: {file}: Line 1: The game cracked can't be loaded: "
        f"{tmp_path.name}/cracked.py, line 1: ZeroDivisionError: division by zero\n"
    )
