"""Another package is a whole game: Cardhouse needs no edit for it, and its wheel doesn't name it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.cli.conftest import FIGHT
from tests.outside import install_outside, renamed
from tests.print.reading import read
from tests.serving import said_by

pytestmark = pytest.mark.soak

PLAY = """
from cardhouse.agents.pettingzoo import env

skirmish = env("skirmish", rounds=1)
skirmish.reset(seed=1)
for agent in skirmish.agent_iter():
    seen, reward, ended, _, _ = skirmish.last()
    skirmish.step(None if ended else int(seen["action_mask"].argmax()))
print(type(skirmish.unwrapped).__name__, skirmish.unwrapped.playing.transcript())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="module")
def env(folder: Path) -> dict[str, str]:
    """The environment in which Cardhouse's wheel and the game are installed, and nothing of the checkout."""
    return install_outside(folder)


@pytest.fixture
def python(folder: Path, env: dict[str, str]) -> Callable[..., str]:
    """Runs Python, and gives what it prints."""

    def python(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return python


@pytest.fixture
def cardhouse(python: Callable[..., str]) -> Callable[..., str]:
    """Runs a command, and gives what it prints."""
    return lambda *arguments: python("-m", "cardhouse", *arguments)


def test_the_wheel_finds_it(python, cardhouse, folder: Path):
    told = python("-c", "import cardhouse, skirmish; print(cardhouse.__file__, skirmish.__file__, sep='\\n')")
    assert [Path(line).parent.parent for line in told.splitlines()] == [folder / "site"] * 2
    assert "skirmish" in cardhouse("games")
    assert cardhouse("rules", "skirmish", "IN-3").startswith("IN-3")


def test_it_is_played_as_what_it_is_a_copy_of(cardhouse, folder: Path):
    (folder / "ours.jsonl").write_text(FIGHT)
    (folder / "theirs.jsonl").write_text(renamed(FIGHT))
    ours, theirs = (cardhouse("replay", f"{name}.jsonl", "--json") for name in ("ours", "theirs"))
    assert json.loads(theirs)["game"] == "skirmish"
    assert theirs == renamed(ours)


def test_it_is_played_over_the_server(folder: Path, env: dict[str, str]):
    with serving_house("--db", f"sqlite:///{folder / 'cards.db'}", env=env) as (_, said):
        address = said.splitlines()[0].split()[-1]
        wanted = {"game": "skirmish", "seats": ["ada"]}
        made = asking.post(f"{address}api/tables", json=wanted).raise_for_status().json()
        with connect(address.replace("http", "ws") + "ws") as socket:
            said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["gm"]}, "table")
            answers = [
                {"do": "add_character", "name": "Nan", "card": "HA", "controller": "ada"},
                {"do": "add_character", "name": "Doc", "card": "S10"},
                {"do": "start_round"},
            ]
            for at, answer in enumerate(answers):
                change = said_by(socket, {"t": "answer", "id": f"{at:022}", "at": at, "answer": answer}, "change")
            assert change["story"][0]["events"][0]["key"] == "round_begins"


def test_the_lab_is_asked(cardhouse):
    assert "order" in cardhouse("lab", "skirmish")
    few = ("--mine", "2", "--theirs", "2", "--wait", "never", "--their-wait", "never", "--trials", "2000")
    told = json.loads(cardhouse("lab", "skirmish", "order", *few, "--json"))
    assert told["answers"][0]["findings"]


def test_agents_play_it(python):
    told = python("-c", PLAY)
    assert told.startswith("SkirmishEnv")
    assert '"do":"act"' in told


def test_its_command_is_run(cardhouse):
    assert "List the tiers of a skirmish." in cardhouse("--help")
    assert cardhouse("tiers") == "elite leader experienced inexperienced\n"


def test_it_is_printed(cardhouse, folder: Path):
    assert "Print the tiers of a skirmish" in cardhouse("print", "--help")
    assert cardhouse("print", "tiers", "--paper", "letter").startswith("Wrote tiers.pdf.")
    (page,) = read((folder / "tiers.pdf").read_bytes())
    assert page.lines[1].text == "leader: K Q J 10"
