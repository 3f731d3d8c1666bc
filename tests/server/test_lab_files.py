"""Files for a study, and files made to order, over HTTP: for our games and for another package's."""

import asyncio
import json
import threading
import tomllib
from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import pytest
from msgspec import Meta

from cardhouse.engine import CardhouseError
from cardhouse.engine.authoring.forms import find_form
from cardhouse.lab.questions.design import Design, DesignedFile, MadeClaim, SoFar, order
from cardhouse.lab.running.study import Study
from cardhouse.server.files.forms import evaluate_form
from cardhouse.server.lab.requests import Order, decode_study
from cardhouse.server.lab.responses import join_pieces, list_questions
from cardhouse.server.lab.service import LabService
from tests.server.talking import Server
from tests.server.test_lab import begin, follow, over, stop

DESIGN = "/api/designs/dogpile/design"
SMALL = {"cards": "24", "pairs": "30%", "stack": "35%", "players": "2", "hand_size": "2", "alike": "2", "rounds": "200"}


def changed_wounds(**fields: Any) -> str:
    """The house's wounds as the page's form writes them, with these fields of the two of clubs."""
    (start,) = find_form("hackjack", "wounds").starts().values()
    filled = {**start, "C2": {**start["C2"], **fields}}
    read = evaluate_form("hackjack", "wounds", json.dumps({"filled": filled}).encode())
    assert read.mistakes == []
    return read.file


def test_a_changed_file_is_asked_about_beside_the_houses_own() -> None:
    files = {"wounds-changed.toml": changed_wounds(blood=9)}
    wanted = {"settings": {"wounds": "wounds-changed.toml"}, "vs": {"wounds": "standard"}, "files": files}
    study, (command, *_) = decode_study("hackjack", "deadly", json.dumps(wanted).encode())
    assert isinstance(study, Study)
    (cell,) = study.cells
    here: Any = cell.question
    there: Any = cell.versus
    assert (list(here.wounds), here.wounds["C2"]["blood"], there.wounds) == (["C2"], 9, {})
    assert "--wounds wounds-changed.toml --vs wounds=standard" in command


def test_several_files_are_asked_about_by_their_names() -> None:
    wanted = {"settings": {"deck": "standard, dogs"}}
    study, (command, *_) = decode_study("dogpile", "hard", json.dumps(wanted).encode())
    assert isinstance(study, Study)
    assert [cell.label for cell in study.cells] == [{"deck": "standard"}, {"deck": "dogs"}]
    assert "--deck standard,dogs" in command


def test_the_lab_lists_what_can_be_changed_and_made() -> None:
    games = {game.name: game for game in list_questions().games}
    wounds, deck = (
        next(one for one in games[game].questions[0].settings if one.name == name)
        for game, name in (("hackjack", "wounds"), ("dogpile", "deck"))
    )
    assert (wounds.has_form, wounds.usual, wounds.choices) == (True, "standard", ("standard",))
    assert (deck.has_form, deck.choices) == (True, ("standard", "dogs", "two-decks"))
    (design,) = games["dogpile"].designs
    assert (design.name, design.option, design.has_form) == ("design", "deck", True)
    assert all(setting.text for setting in design.settings)
    assert not games["hackjack"].designs


@pytest.mark.soak
def test_a_deck_is_made_to_order_and_played_with(server: Server) -> None:
    run = begin(server, DESIGN, settings={**SMALL, "starts": "1"})
    assert run["of"] == 1 + 7
    run = follow(server, run, over)
    assert (run["problem"], run["why_stopped"], run["result"]) == ("", "", None)
    assert run["headline"]["text"].startswith("dogs that join")
    made = run["made"]
    assert [claim["how"] for claim in made["claims"]] == ["counted", "counted"]
    assert len(made["tables"][0]["rows"]) == 7
    assert made["file"].startswith(f"# {run['command']}")
    assert "--pairs 30%" in run["command"]
    assert tomllib.loads(made["file"])["cards"] == made["value"]["cards"]
    status, table = server.post("/api/tables", {"game": "dogpile", "options": {"deck": made["value"], "hand_size": 2}})
    assert status == 201, table
    assert server.get(f"/api/lab/runs/{run['id']}/report.html")[0] == 404


@pytest.mark.soak
def test_a_stopped_design_returns_the_best_so_far(server: Server) -> None:
    run = follow(server, begin(server, DESIGN, settings={**SMALL, "starts": "200"}), lambda run: run["done"] > 0)
    assert run["headline"]["number"]["shown"]
    run = stop(server, run)
    assert run["why_stopped"] == "It was stopped."
    assert run["made"]["stopped"]
    assert len(run["made"]["value"]["cards"]) == 24


@pytest.mark.parametrize(
    ("path", "settings", "said"),
    [
        ("/api/designs/chess/design", {}, "chess"),
        ("/api/designs/hackjack/design", {}, 'Nothing called "design" can be designed of hackjack'),
        (DESIGN, {}, "Nothing is wanted of this deck"),
        (DESIGN, {"pairs": "many"}, "pairs takes a percentage such as 18%, not many"),
        (DESIGN, {"pairs": "nan"}, "pairs takes a chance between 0% and 100%"),
        (DESIGN, {"cards": "1e3", "pairs": "18%"}, "cards takes a whole number from 2 to 300, not 1e3"),
        (DESIGN, {"players": "9", "pairs": "18%"}, "players takes numbers from 1 to 8"),
        (DESIGN, {"bot": "reader", "pairs": "18%"}, "reader plays a few dozen rounds a second"),
        (DESIGN, {"bot": "best", "suits": "5-8", "pairs": "18%"}, "4 suits and 62 kinds of card at most"),
        (DESIGN, {"hat": "1"}, 'design has no setting "hat"'),
        (DESIGN, {"starts": "201", "pairs": "18%"}, "starts takes a whole number from 1 to 200"),
    ],
)
def test_impossible_orders_are_refused_at_once(server: Server, path: str, settings: dict[str, str], said: str) -> None:
    status, told = server.post(path, {"settings": settings})
    assert status == 400
    assert said in told["message"]


class Coins(Design, frozen=True, kw_only=True):
    """So many coins, as a stranger's game might have them made."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "coins"
    option: ClassVar[str] = "coins"
    title: ClassVar[str] = "Coins to order"
    about: ClassVar[str] = "A bag of coins."

    coins: Annotated[int, Meta(ge=1, le=9, description="coins in the bag")] = 2
    lasting: bool = False

    @property
    def steps(self) -> int:
        return self.coins

    def make(
        self,
        *,
        workers: int | None = None,
        tell: Callable[[SoFar], None] = lambda far: None,
        halt: Callable[[], bool] = lambda: False,
    ) -> DesignedFile | None:
        for done in range(self.coins):
            tell(SoFar(done + 1, str(done + 1), "coins"))
        while self.lasting and not halt():
            threading.Event().wait(0.01)
        claims = (MadeClaim("coins", str(self.coins), str(self.coins), "counted", met=True),)
        return (
            None if self.lasting else DesignedFile({"coins": self.coins}, "coins = 2\n", "A bag", "Of coins.", claims)
        )


@pytest.mark.soak
def test_a_strangers_order_is_made_and_stopped_by_the_same_process() -> None:
    lab = LabService()
    try:
        wanted = order(Coins, {"coins": "3"})
        assert wanted.command == "cardhouse lab initiative coins --coins 3"
        run = lab.start(Order(wanted))
        assert run.done.wait(60)
        made = join_pieces(run.pieces)
        assert isinstance(made, DesignedFile)
        assert (made.value, made.met, run.problem) == ({"coins": 3}, True, "")
        assert run.far.headline is not None
        assert (run.far.done, run.far.headline.number.shown, run.far.headline.text) == (3, "3", "coins")
        lasting = lab.start(Order(order(Coins, {"lasting": "yes"})))
        while not lasting.far.done:
            assert not lasting.done.wait(0.01)
        lab.stop(lasting)
        assert lasting.done.wait(60)
        assert not lasting.pieces
        with pytest.raises(CardhouseError, match="coins takes a whole number from 1 to 9, not ten"):
            order(Coins, {"coins": "ten"})
    finally:
        asyncio.run(lab.close())
