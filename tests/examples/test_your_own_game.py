"""docs/your-own-game.md builds Magpies: its code is the example's, and every command in it runs."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, install_example, runs
from tests.walkthrough import ROOT

DOCUMENT = ROOT / "docs" / "your-own-game.md"
SHOWN = re.compile(r"^`magpies/([^`\n]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    ((?:pip|pytest|cardhouse) .*)$", re.MULTILINE)
WHOLE = ("trick.py", "state.py", "rules.py", "bots.py", "rules.toml", "words.toml", "lab.py", "page/index.js")
"""What is shown to the last line; of the rest of the page it shows pieces."""

TEXT = DOCUMENT.read_text("utf-8")
PIECES = SHOWN.findall(TEXT)
COMMANDS = [block.removeprefix("$ ").partition("\n") for block in CONSOLE.findall(TEXT)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def python(folder: Path) -> Callable[..., str]:
    """Runs Python where what the document makes is installed."""
    return runs(folder, install_example("magpies", folder))


@pytest.mark.parametrize(("file", "text"), PIECES, ids=[f"{place} {file}" for place, (file, _) in enumerate(PIECES)])
def test_what_it_shows_is_the_examples(file: str, text: str):
    assert text in (EXAMPLES / "magpies" / file).read_text("utf-8")


@pytest.mark.parametrize("file", WHOLE)
def test_nothing_is_left_out_of_the_rules(file: str):
    shown = [text for name, text in PIECES if name == f"magpies/{file}"]
    whole = (EXAMPLES / "magpies" / "magpies" / file).read_text("utf-8")
    assert "".join(shown).split() == whole.split()


def test_it_begins_as_it_says(tmp_path: Path):
    command, *_ = COMMANDS[0]
    assert command == "cardhouse new magpies"
    subprocess.run([sys.executable, "-m", *shlex.split(command)], cwd=tmp_path, capture_output=True, check=True)
    begun = {file.relative_to(tmp_path) for file in tmp_path.rglob("*")}
    assert {Path("magpies/pyproject.toml"), Path("magpies/magpies/rules.toml")} <= begun


@pytest.mark.parametrize(("command", "printed"), [(command, printed) for command, _, printed in COMMANDS[1:]])
def test_its_commands_print_what_it_says(command: str, printed: str, python: Callable[..., str]):
    told = python("-m", *shlex.split(command))
    assert told.strip() == printed.strip() if printed else told


@pytest.mark.soak
def test_its_tests_pass(python: Callable[..., str]):
    assert "    pytest magpies\n" in TEXT
    assert " passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "magpies")


def test_there_are_no_other_commands(python: Callable[..., str]):
    """Installing is what the fixture does; a house that is served goes on until it is stopped, and is known."""
    others = [command for command in INDENTED.findall(TEXT) if not command.startswith(("pip install", "pytest"))]
    assert others == ["cardhouse serve --lan"]
    assert "--lan" in python("-m", "cardhouse", "serve", "--help")
    assert "FOLDER" in python("-m", "cardhouse", "dev", "--help")
