"""The game from CONTRIBUTING.md: installed as written there, tested, replayed and served."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.serving import said_by
from tests.walkthrough import install_highest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("walkthrough")


@pytest.fixture(scope="module")
def env(folder: Path) -> dict[str, str]:
    """The environment in which the game is installed."""
    return install_highest(folder)


def python(*arguments: str, folder: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)


def test_it_passes_its_own_tests(folder: Path, env: dict[str, str]):
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "highest", folder=folder, env=env)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_found_by_its_entry_point(folder: Path, env: dict[str, str]):
    assert "highest       Highest card wins." in python("-m", "cardhouse", "games", folder=folder, env=env).stdout
    assert python("-m", "cardhouse", "rules", "highest", "H-3", folder=folder, env=env).stdout.startswith("H-3")


def test_it_is_replayed(folder: Path, env: dict[str, str]):
    done = python("-m", "cardhouse", "replay", "highest/evening.jsonl", "--json", folder=folder, env=env)
    told = json.loads(done.stdout)
    assert (told["state"]["round"], told["state"]["deck_left"]) == (2, 51)
    assert told["state"]["players"][0] == {"seat": "gm", "card": "DA", "wins": 1}
    assert told["asks"]["seats"] == ["ada"]


@pytest.mark.soak
def test_it_is_served_and_played(folder: Path, env: dict[str, str]):
    with serving_house("--db", f"sqlite:///{folder / 'cards.db'}", env=env) as (_, said):
        address = said.splitlines()[0].split()[-1]
        assert "highest" in [game["name"] for game in asking.get(f"{address}api/games").json()]
        told = asking.get(f"{address}api/games/highest").json()
        assert told["options"]["properties"]["rounds"]["default"] == 3
        wanted = {"game": "highest", "seats": ["ada"], "options": {"rounds": 1}}
        made = asking.post(f"{address}api/tables", json=wanted).raise_for_status().json()
        with connect(address.replace("http", "ws") + "ws") as socket:
            table = said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["gm"]}, "table")
            assert [offer["do"] for offer in table["offers"]] == ["take"]
            answer = {"t": "answer", "id": "a" * 22, "at": 0, "answer": {"do": "take"}}
            change = said_by(socket, answer, "change")
            assert [event["key"] for event in change["story"][0]["events"]] == ["takes"]
        with connect(address.replace("http", "ws") + "ws") as socket:  # one who has not heard of it isn't too late
            said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["ada"]}, "table")
            change = said_by(socket, {**answer, "id": "b" * 22}, "change")
            # The house shuffles as it likes: once in seventeen times the two cards are worth the same.
            taken, outcome, over = [event["key"] for event in change["story"][0]["events"]]
            assert (taken, over) == ("takes", "over")
            assert outcome in ("wins", "tie")
