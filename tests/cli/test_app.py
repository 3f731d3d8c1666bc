import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer

import cardhouse
from cardhouse.cli.app import app
from tests.cli.conftest import Run

COMMANDS = (
    "serve", "replay", "odds", "verify", "roster", "tables", "games", "rules", "fuzz", "wounds", "deck", "judge",
    "print",
)  # fmt: skip
TABLES = ("list", "export", "import", "delete")


def test_its_version(run: Run):
    assert run("--version") == (0, f"cardhouse {cardhouse.__version__}\n", "")


def test_help_tells_what_there_is(run: Run):
    status, out, _ = run("--help")
    assert status == 0
    assert [command for command in COMMANDS if f"\n  {command} " not in out] == []
    assert run().out.strip() == out.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_teaches_by_example(run: Run, command: str):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f" cardhouse {command}" in out.partition("Usage:")[2].partition("\n")[2]


@pytest.mark.parametrize("command", TABLES)
def test_each_command_on_tables_does_too(run: Run, command: str):
    _, out, _ = run("tables", command, "--help")
    assert f" cardhouse tables {command}" in out.partition("Usage:")[2].partition("\n")[2]


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import cardhouse", {"cardhouse.engine", "msgspec", "typer"}),
        ("from cardhouse.cli import main; main(['--help'])", {"cardhouse.engine", "litestar", "sqlalchemy", "msgspec"}),
        ("from cardhouse.cli import main; main(['games'])", {"litestar", "sqlalchemy"}),
        ("import cardhouse.testing, cardhouse.testing.fuzzing", {"pytest", "hypothesis", "litestar"}),
    ],
)
def test_nothing_is_loaded_that_is_not_needed(code: str, unwanted: set[str]):
    """That is what makes it start fast."""
    code += f"; import sys; print(sorted({unwanted!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_games_there_are(run: Run):
    status, out, _ = run("games")
    assert status == 0
    assert "initiative    Card initiative. Who acts when" in out


def test_a_game_that_is_broken_does_not_hide_the_others(run: Run, install_game: Callable[[str, str], None]):
    install_game("broken", "import nothing_of_this_name")
    install_game("wordless", "from cardhouse import Game\n\nclass TheGame(Game):\n    name = 'wordless'\n")
    status, out, err = run("games")
    assert (status, err) == (0, "")
    said = " ".join(out.split())
    assert "broken The game broken can't be loaded: " in said
    assert "broken.py, line 1: ModuleNotFoundError: No module named " in said
    assert "initiative Card initiative." in said
    assert "wordless A game needs a rules.toml, and " in said


def test_a_rule(run: Run):
    status, out, err = run("rules", "initiative", "in-10")
    assert (status, err) == (0, "")
    assert out.startswith("IN-10  ")
    assert "IN-11" not in out


def test_all_rules(run: Run):
    _, out, _ = run("rules", "initiative")
    assert "Playing Card Based Initiative System" in out.partition("IN-1 ")[0]
    assert [line.split()[0] for line in out.splitlines() if line.startswith("IN-")] == [f"IN-{n}" for n in range(1, 23)]
    assert "Ruling: " in out


def test_rules_that_are_not_there(run: Run):
    assert run("rules", "chess").err.startswith("cardhouse: There is no game called chess. Installed: ")
    assert run("rules", "initiative", "IN-99").err.startswith(
        "cardhouse: initiative has no rule IN-99; its rules are IN-1, "
    )


def test_the_odds(run: Run, fight: object):
    status, out, err = run("odds", fight)
    assert (status, err) == (0, "")
    head, _, *rows = (line.split() for line in out.splitlines())
    assert head == ["Next", "Acts", "Turns", "before"]
    assert [row[0] for row in rows] == ["Nan", "Doc", "Mole"]


def test_the_odds_for_programs(run: Run, fight: object):
    told = run("odds", fight, "--json", "--seat", "gm").out
    assert told.startswith('{"game":"initiative","seat":"gm","odds":{"Nan":{"next":')
    assert "Mole" in told
    assert "Mole" not in run("odds", fight, "--json", "--seat", "ben").out


def every_command(command: Any, typed: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """What one types for each command there is, those of packages and of the lab among them."""
    yield typed
    if hasattr(command, "list_commands"):
        context = command.make_context("cardhouse", [], resilient_parsing=True)
        context.info_name = " ".join(("cardhouse", *typed))
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name), (*typed, name))


def test_all_help_fits_80_columns_in_whole_sentences(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    commands = list(every_command(typer.main.get_command(app)))
    assert len(commands) > 60
    for typed in commands:
        status, out, _ = run(*typed, "--help")
        assert status == 0, typed
        assert [line for line in out.splitlines() if len(line) > 80] == [], typed
        listed = out.partition("\nCommands:\n")[2].splitlines()
        assert [line for line in listed if line.endswith("...") or not line.startswith("  ")] == [], typed
