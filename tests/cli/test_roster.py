"""The roster of a table on the command line."""

import io
import json
import sys
from pathlib import Path

import pytest

from cardhouse.games.hackjack.sheets import read_roster
from tests.cli.conftest import FIGHT, Run

HURT = """\
{"cardhouse":1,"game":"hackjack","seats":["gm","ada"],"name":"Red Gulch"}
{"by":"gm","do":"add_character","name":"Ada","hp":7,"max_hp":7,"controller":"ada"}
{"by":"gm","do":"add_character","name":"Ben","hp":5,"max_hp":9}
{"by":"gm","do":"damage","target":"Ada","amount":12}
{"draw":"wounds","card":"CK"}
"""


@pytest.fixture
def hurt(tmp_path: Path) -> Path:
    """A fight in which Ada has gone down."""
    file = tmp_path / "hurt.jsonl"
    file.write_text(HURT, "utf-8")
    return file


def test_it_teaches_by_example(run: Run):
    said = run("roster", "--help").out
    assert " cardhouse roster fight.jsonl -o " in said
    assert " cardhouse roster --table " in said


def test_a_roster_is_written(run: Run, hurt: Path, tmp_path: Path):
    status, out, err = run("roster", hurt)
    assert (status, err) == (0, "")
    ada, ben = read_roster(out.encode())
    assert (ada.name, ada.hp, ada.death_score, ada.blood, ada.trauma, ada.down) == ("Ada", 0, 10, 2, 3, True)
    assert [taken.card for taken in ada.wounds] == ["CK"]
    assert (ben.name, ben.hp, ben.max_hp, ben.wounds) == ("Ben", 5, 9, [])
    assert run("roster", hurt, "-o", tmp_path / "posse.json") == (0, "", "")
    assert (tmp_path / "posse.json").read_text("utf-8") == out


def test_missing_draws_are_dealt_from_the_seed(run: Run, hurt: Path):
    hurt.write_text(HURT.rpartition('{"draw"')[0], "utf-8")
    found = {read_roster(run("roster", hurt, "--seed", seed).out.encode())[0].wounds[0].card for seed in range(8)}
    assert len(found) > 1


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HURT.encode())))
    assert len(json.loads(run("roster", "-").out)["characters"]) == 2


def test_a_table_that_a_server_keeps(run: Run, hurt: Path, tmp_path: Path):
    db = f"sqlite:///{tmp_path / 'cards.db'}"
    table = run("tables", "import", hurt, "--db", db).out.split()[1]
    kept = run("roster", "--table", table, "--db", db)
    assert kept == run("roster", hurt)
    gone = "cardhouse: There is no table nowhere9. See cardhouse tables list.\n"
    assert run("roster", "--table", "nowhere9", "--db", db) == (2, "", gone)


def test_a_game_that_keeps_none(run: Run, fight: Path, tmp_path: Path):
    none = "cardhouse: The game initiative has no roster.\n"
    assert run("roster", fight) == (2, "", none)
    db = f"sqlite:///{tmp_path / 'cards.db'}"
    table = run("tables", "import", fight, "--db", db).out.split()[1]
    assert run("roster", "--table", table, "--db", db) == (2, "", none)


def test_what_cannot_be_read_or_written(run: Run, hurt: Path, tmp_path: Path):
    either = "cardhouse: Give either a transcript's FILE, or --table with a table's id.\n"
    assert run("roster") == (2, "", either)
    assert run("roster", hurt, "--table", "k3v9x2ab") == (2, "", either)
    nowhere = tmp_path / "no.jsonl"
    assert run("roster", nowhere) == (2, "", f"cardhouse: File not found: {nowhere}\n")
    assert run("roster", hurt, "-o", tmp_path).err == f"cardhouse: {tmp_path} can't be written: Is a directory.\n"
    hurt.write_text(HURT + '{"by":"ada","do":"fly"}\n', "utf-8")
    assert 'jsonl: Line 6: There is no "fly" in this game.' in run("roster", hurt).err
    hurt.write_text(FIGHT.replace("initiative", "chess", 1), "utf-8")
    assert run("roster", hurt).status == 2
