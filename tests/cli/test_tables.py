import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.cli.conftest import FIGHT, Run
from tests.thorough import in_soak


@pytest.fixture(params=["sqlite", *in_soak("postgresql")])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database where nothing is kept yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'cards.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


def imported(run: Run, db: str, file: Path) -> str:
    """The id of a table that was taken in."""
    status, out, err = run("tables", "import", file, "--db", db)
    assert (status, err) == (0, "")
    return out.split()[1]


def test_a_table_goes_in_and_comes_out(run: Run, db: str, fight: Path):
    table = imported(run, db, fight)
    assert run("tables", "export", table, "--db", db) == (0, FIGHT, "")


def test_the_links_to_its_seats(run: Run, db: str, fight: Path):
    _, out, _ = run("tables", "import", fight, "--db", db)
    table = out.split()[1]
    rows = [line.split() for line in out.splitlines()[1:]]
    assert [seat for seat, _ in rows] == ["gm", "ada", "ben", "screen", "door"]
    assert len({link for _, link in rows}) == 5
    assert all(link.startswith(f"/{'j' if seat == 'door' else 't'}/{table}#") for seat, link in rows)


def test_the_list(run: Run, db: str, fight: Path):
    tables = {imported(run, db, fight) for _ in range(2)}
    status, out, _ = run("tables", "list", "--db", db)
    assert status == 0
    head, _, *rows = out.splitlines()
    assert head.split() == ["Table", "Game", "Name", "Entries", "Last", "played"]
    assert {row.split()[0] for row in rows} == tables
    told = [json.loads(line) for line in run("tables", "list", "--db", db, "--json").out.splitlines()]
    assert {row["table"] for row in told} == tables
    assert {(row["game"], row["name"], row["entries"]) for row in told} == {("initiative", "Red Gulch", 7)}


def test_lost_entries_are_reported(run: Run, db: str, fight: Path):
    table, other = imported(run, db, fight), imported(run, db, fight)
    engine = create_engine(db.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM entries WHERE table_id = :table AND number IN (2, 3)"), {"table": table})
    engine.dispose()
    told = [json.loads(line) for line in run("tables", "list", "--db", db, "--json").out.splitlines()]
    assert {row["table"]: row["missing"] for row in told} == {table: 2, other: 0}


def test_deleting(run: Run, db: str, fight: Path):
    table, other = imported(run, db, fight), imported(run, db, fight)
    assert run("tables", "delete", table, "--yes", "--db", db) == (0, f"Table {table} is deleted.\n", "")
    assert [json.loads(line)["table"] for line in run("tables", "list", "--db", db, "--json").out.splitlines()] == [
        other
    ]
    gone = f"cardhouse: There is no table {table}. See cardhouse tables list.\n"
    assert run("tables", "delete", table, "--yes", "--db", db) == (2, "", gone)
    assert run("tables", "export", table, "--db", db) == (2, "", gone)


@pytest.mark.parametrize(("answer", "status", "left"), [("y\n", 0, 0), ("n\n", 2, 1), ("", 1, 1)])
def test_deleting_is_asked_about(run: Run, fight: Path, tmp_path: Path, answer: str, status: int, left: int):
    db = f"sqlite:///{tmp_path / 'cards.db'}"
    table = imported(run, db, fight)
    done = subprocess.run(
        [sys.executable, "-m", "cardhouse", "tables", "delete", table, "--db", db],
        input=answer,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status
    assert f"Delete table {table} with its 7 entries permanently?" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(run("tables", "list", "--db", db, "--json").out.splitlines()) == left


def test_a_transcript_that_cannot_be_applied_makes_no_table(run: Run, db: str, fight: Path):
    imported(run, db, fight)
    fight.write_text(FIGHT + '{"by":"ben","do":"fly"}\n', "utf-8")
    status, out, err = run("tables", "import", fight, "--db", db)
    assert (status, out) == (2, "")
    assert 'jsonl: Line 11: There is no "fly" in this game. ' in err
    assert len(run("tables", "list", "--db", db, "--json").out.splitlines()) == 1


def test_a_house_without_tables(run: Run, postgres_url: str):
    assert run("tables", "list", "--db", postgres_url) == (0, "There are no tables yet.\n", "")


def test_a_file_that_is_not_there_is_not_made(run: Run, tmp_path: Path):
    file = tmp_path / "typo.db"
    status, _, err = run("tables", "list", "--db", f"sqlite:///{file}")
    assert (status, err) == (2, f"cardhouse: There is no database {file}. Start cardhouse serve to create it.\n")
    assert not file.exists()


def test_a_file_that_is_no_database(run: Run, tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("These are notes. " * 100)
    status, _, err = run("tables", "list", "--db", f"sqlite:///{file}")
    assert status == 2
    assert err.startswith(f"cardhouse: The database sqlite:///{file} can't be used: ")
    assert "Traceback" not in err


def test_the_environment_names_the_database(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fight: Path):
    monkeypatch.setenv("CARDHOUSE_DATABASE", f"sqlite:///{tmp_path / 'cards.db'}")
    assert run("tables", "import", fight).status == 0
    assert (tmp_path / "cards.db").exists()


def test_else_it_is_a_file_of_ones_own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fight: Path):
    monkeypatch.delenv("CARDHOUSE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run("tables", "import", fight).status == 0
    assert (tmp_path / "cardhouse" / "cardhouse.db").exists()
    assert stat.S_IMODE((tmp_path / "cardhouse").stat().st_mode) == 0o700


def test_a_backup_is_restored_in_another_place(run: Run, db: str, fight: Path, tmp_path: Path):
    table, file, other = imported(run, db, fight), tmp_path / "friday.db", f"sqlite:///{tmp_path / 'other.db'}"
    status, out, err = run("tables", "backup", file, "--db", db)
    assert (status, out.startswith(f"{file} has 1 table with 7 entries. Size: 0.1 MB. The copy was checked.")) == (
        0,
        True,
    )
    fingerprint = out.rpartition("Fingerprint: ")[2].strip()
    assert len(fingerprint.replace(" ", "")) == 32
    assert "it holds hidden cards, seeds and notes" in err
    assert "The server key and the admin key are not in it" in err
    told = (
        f"Restored from {file}: 1 table with 7 entries. Existing links keep working.\n"
        f"Fingerprint of the backup: {fingerprint}\n"
    )
    assert run("tables", "restore", file, "--db", other) == (0, told, "")
    assert run("tables", "export", table, "--db", other) == (0, FIGHT, "")
    status, _, err = run("tables", "restore", file, "--db", other)
    assert status == 2
    assert err.startswith("cardhouse: This database isn't empty")
    run("tables", "delete", table, "--yes", "--db", other)
    assert run("tables", "restore", file, "--table", table, "--db", other) == (0, told, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_backup_without_a_manifest_needs_a_word(run: Run, fight: Path, tmp_path: Path):
    copy, other = tmp_path / "copy.db", f"sqlite:///{tmp_path / 'other.db'}"
    imported(run, f"sqlite:///{copy}", fight)
    for word in ("restore", "import"):
        status, _, err = run("tables", word, copy, "--db", other)
        assert (status, "has no manifest" in err, "add --unverified" in err) == (2, True, True)
    status, out, err = run("tables", "restore", copy, "--unverified", "--db", other)
    assert (status, out.startswith(f"Restored from {copy}: 1 table")) == (0, True)
    assert err == f"{copy} has no manifest, so it was not verified.\n"
