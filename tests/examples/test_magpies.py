"""Magpies, installed next to Cardhouse's wheel: its own tests, bots, lab question, print and page."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.examples.installing import EXAMPLES, install_example, runs
from tests.print.reading import read
from tests.serving import said_by

HERE = EXAMPLES / "magpies"
COUNTED = ("rules.py", "state.py", "trick.py", "rules.toml", "words.toml")
"""What a game is: rules, state, view and words."""


PLANTED = {
    "a leak": (
        '"points": points_of(self.prizes)}, rest=True)',
        '"points": sum(worth(self.choice_of(seat).card) for seat in self.in_secret)}, rest=True)',
        r"can tell what \S+ chose in secret, before it is revealed: question.with.points",
    ),
    "a crash": (
        "cards, winner)\n",
        "cards, winner)\n        1 / (2 - len(alike))\n",
        r"The game crashed at magpies/rules.py, line \d+: ZeroDivisionError",
    ),
    "a dead end": (
        "[Offer(tuple(self.seats), Deal)]",
        "[Offer(tuple(self.seats) if self.deals < 1 else (), Deal)]",
        r"The question deal of Magpies has nobody to answer it",
    ),
}
"""What is changed in its rules, and what random play says of it."""
AGENTS = """
from cardhouse.agents.pettingzoo import env

magpies = env("magpies", answers=60)
magpies.reset(seed=1)
steps = 0
for agent in magpies.agent_iter():
    seen, reward, ended, cut, _ = magpies.last()
    steps += 1
    magpies.step(None if ended or cut else int(seen["action_mask"].argmax()))
print(type(magpies.unwrapped.playing.table.game).__name__, steps, len(magpies.possible_agents))
"""

SHIPPED = {file.name: file.read_text() for file in (HERE / "magpies" / "page").glob("index.*")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("magpies")


@pytest.fixture(scope="module")
def env(folder: Path) -> dict[str, str]:
    """The environment in which the wheel and the game are installed, and nothing of the checkout."""
    return install_example("magpies", folder)


@pytest.fixture
def python(folder: Path, env: dict[str, str]) -> Callable[..., str]:
    return runs(folder, env)


@pytest.fixture
def cardhouse(python: Callable[..., str]) -> Callable[..., str]:
    """Runs a command, and gives what it prints."""
    return lambda *arguments: python("-m", "cardhouse", *arguments)


def test_it_is_small():
    assert sum(len((HERE / "magpies" / name).read_text().splitlines()) for name in COUNTED) < 400


def test_it_is_found_where_it_was_installed(python, folder: Path):
    """Its own tests, and random play that finds nothing, are run where the document shows them."""
    where = python("-c", "import cardhouse, magpies; print(cardhouse.__file__, magpies.__file__)").split()
    assert [Path(file).parent.parent for file in where] == [folder / "site"] * 2


def test_it_is_listed_with_its_rules(cardhouse):
    assert "Magpies" in cardhouse("games")
    assert "cancel each other" in cardhouse("rules", "magpies", "MP-5")


@pytest.mark.parametrize("what", PLANTED)
def test_random_play_finds_what_is_planted(folder: Path, env: dict[str, str], tmp_path: Path, what: str):
    right, wrong, said = PLANTED[what]
    package = shutil.copytree(folder / "site" / "magpies", tmp_path / "magpies")
    rules = (package / "rules.py").read_text("utf-8")
    assert rules.count(right) == 1
    (package / "rules.py").write_text(rules.replace(right, wrong), "utf-8")
    first = {**env, "PYTHONPATH": os.pathsep.join((str(tmp_path), env["PYTHONPATH"]))}
    command = [sys.executable, "-m", "cardhouse", "fuzz", "magpies", "--evenings", "30", "--seed", "1"]
    done = subprocess.run(command, cwd=tmp_path, env=first, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert re.search(said, done.stdout + done.stderr), done.stdout + done.stderr
    assert len((tmp_path / "magpies-fuzz.jsonl").read_text().splitlines()) < 60


def test_agents_play_it_with_no_scene_of_its_own(python):
    kind, steps, agents = python("-c", AGENTS).split()
    assert (kind, agents) == ("Magpies", "3")
    assert int(steps) > 20


def test_the_lab_agrees_with_what_can_be_counted(cardhouse):
    told = json.loads(cardhouse("lab", "magpies", "alone", "--trials", "4000", "--seed", "1", "--json"))
    found = {one["key"]: one for one in told["answers"][0]["findings"]}
    assert found["cancelled"]["low"] < found["cancelled"]["exact"] < found["cancelled"]["high"]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_score_sheet_is_printed(cardhouse, folder: Path, paper: str):
    assert cardhouse("print", "magpies", "--paper", paper).startswith("Wrote magpies.pdf.")
    (page,) = read((folder / "magpies.pdf").read_bytes())
    texts = [line.text for line in page.lines]
    assert "Magpies" in texts
    assert texts.count("In all") == 2


@pytest.mark.soak
def test_bots_play_it_over_the_server(folder: Path, env: dict[str, str]):
    """One person and two bots: the bots choose by themselves, and nobody is told what before all have."""
    with serving_house("--db", f"sqlite:///{folder / 'cards.db'}", env=env) as (_, said):
        address = said.splitlines()[0].split()[-1]
        bots = {"ada": "shrewd", "ben": "hoarder"}
        wanted = {"game": "magpies", "seats": ["ada", "ben"], "bots": bots, "options": {"hand": 3, "deals": 1}}
        made = asking.post(f"{address}api/tables", json=wanted).raise_for_status().json()
        with connect(address.replace("http", "ws") + "ws") as socket:
            said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["gm"]}, "table")
            deal = {"t": "answer", "id": "d" * 22, "at": 0, "answer": {"do": "deal"}}
            mine = said_by(socket, deal, "change")["offers"][0]["fields"]["card"]["enum"][0]
            told: list[dict[str, str]] = []
            while len(told) < 2:
                change = json.loads(socket.recv())
                told += [event for entry in change.get("story", ()) for event in entry["events"]]
            assert [(event["key"], event["seat"]) for event in told] == [("has_chosen", "ada"), ("has_chosen", "ben")]
            assert not any("card" in event for event in told)
            answer = {"t": "answer", "id": "c" * 22, "at": 3, "answer": {"do": "choose", "card": mine}}
            events = said_by(socket, answer, "change")["story"][0]["events"]
            assert {event["seat"] for event in events if event["key"] in ("played", "cancelled")} == {
                "gm",
                "ada",
                "ben",
            }


def test_its_page_is_served(folder: Path, env: dict[str, str]):
    with serving_house("--db", f"sqlite:///{folder / 'page.db'}", env=env) as (_, said):
        address = said.splitlines()[0].split()[-1]
        view = asking.get(f"{address}api/games/magpies").json()["page"]["view"]
        for file in (view["module"], *view["styles"]):
            assert asking.get(f"{address.rstrip('/')}{file}").raise_for_status().text == SHIPPED[Path(file).name]
