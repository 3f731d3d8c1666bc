"""`cardhouse new` writes a complete package: it is installed, tested, listed, studied and played."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.walkthrough import install

NAME = "red_dog"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `cardhouse new red_dog` was run."""
    folder = tmp_path_factory.mktemp("new")
    command = [sys.executable, "-m", "cardhouse", "new", NAME]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert [line.strip() for line in told.splitlines()[1:]] == [
        f"pip install --editable {NAME}",
        f"pytest {NAME}",
        f"cardhouse dev {NAME}",
    ]
    return folder


@pytest.fixture(scope="module")
def python(folder: Path) -> Callable[..., str]:
    """Runs Python where the game is installed, and gives what it prints."""
    install(folder / "site", folder / NAME)
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH", ""))))

    def python(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return python


def test_every_name_in_it_is_replaced(folder: Path):
    written = [file for file in (folder / NAME).rglob("*") if file.is_file()]
    assert {folder / NAME / NAME / file for file in ("rules.toml", "page/index.js", "page/sign.svg")} <= set(written)
    assert not [file for file in written if "starter" in f"{file.relative_to(folder)} {file.read_text()}".lower()]


def test_its_page_comes_with_the_types_of_the_contract(folder: Path):
    types = files("cardhouse") / "views" / "contract.d.ts"
    assert (folder / NAME / NAME / "page" / "cardhouse.d.ts").read_text("utf-8") == types.read_text("utf-8")


@pytest.mark.soak
def test_its_own_tests_pass(python: Callable[..., str]):
    assert " passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", NAME)


def test_it_is_listed_with_its_rules(python: Callable[..., str]):
    assert "Red dog" in python("-m", "cardhouse", "games")
    assert python("-m", "cardhouse", "rules", NAME, "R-3").startswith("R-3")


def test_an_evening_is_replayed(python: Callable[..., str]):
    told = python("-m", "cardhouse", "replay", f"{NAME}/tests/evening.jsonl", "--seat", "ada")
    assert "Your turn, with 12 points: another card?" in told


def test_the_lab_answers_what_can_be_counted(python: Callable[..., str]):
    """With one point for enough, a turn is one card: it brings nothing with 12 of 52, and else 5.5 on the average."""
    told = python("-m", "cardhouse", "lab", NAME, "turn", "--enough", "1", "--seed", "1", "--json")
    found = {one["key"]: one for one in json.loads(told)["answers"][0]["findings"]}
    assert found["lost"]["low"] < 12 / 52 < found["lost"]["high"]
    assert found["mean"]["low"] < 5.5 * 40 / 52 < found["mean"]["high"]


def test_its_bot_plays(python: Callable[..., str]):
    told = python("-m", "cardhouse", "fuzz", NAME, "--evenings", "10", "--seed", "1")
    assert "found nothing wrong with red_dog" in told


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Red Dog", 'A game can\'t be called "Red Dog"'),
        ("class", 'A game can\'t be called "class"'),
        ("../red", 'A game can\'t be called "../red"'),
        ("initiative", "There is a game called initiative already"),
        ("json", "There is a Python package called json already"),
    ],
)
def test_a_name_that_cannot_be(run: Run, name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    status, _, said = run("new", name)
    assert status == 2
    assert why in said
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "mine.txt").write_text("mine")
    status, _, said = run("new", NAME)
    assert status == 2
    assert "red_dog exists already" in said
    assert [file.name for file in (tmp_path / NAME).iterdir()] == ["mine.txt"]
