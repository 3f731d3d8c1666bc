"""A store that lost saved entries: it is noticed at the next start."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from cardhouse.engine import Snapshot
from cardhouse.server.persistence.high_water_marks import COMPACT_BYTES, HighWaterMark, Marks
from cardhouse.server.persistence.integrity import Loss, find_losses
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.table_list import list_tables
from tests.server.talking import FAST, Person, Server, running
from tests.server.test_store import record, row

TABLE = "abcd2345"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    opened.create(record(TABLE))
    yield opened
    opened.close()


def snapshot(number: int) -> Snapshot:
    return Snapshot(number, 0, msgspec.Raw(f'{{"at":{number}}}'.encode()))


def test_copies_of_lost_entries_reveal_the_loss_and_are_deleted(store: Store) -> None:
    store.create(record("zzzz2345"))
    store.append([row(number) for number in (1, 2, 3)])
    store.save_snapshots([(TABLE, snapshot(number)) for number in (2, 200, 400)])
    assert find_losses(store) == [Loss(TABLE, 3, 397)]
    found = store.snapshot(TABLE, 10**6)
    assert found is not None
    assert found.number == 2
    assert find_losses(store) == []
    store.append([row(number) for number in range(4, 201)])
    store.save_snapshots([(TABLE, snapshot(200))])
    assert store.snapshot(TABLE, 200) == snapshot(200)


def test_entries_missing_in_between_are_counted(store: Store) -> None:
    store.append([row(number) for number in (1, 2, 5, 7)])
    for _ in range(2):
        assert find_losses(store) == [Loss(TABLE, 7, 3)]
        assert [listed.missing for listed in list_tables(store)] == [3]


def test_a_store_that_lost_nothing_says_nothing(store: Store) -> None:
    store.append([row(number) for number in (1, 2)])
    store.save_snapshots([(TABLE, snapshot(2))])
    assert find_losses(store) == []
    assert store.delete(TABLE)
    assert find_losses(store) == []


# What is noted beside a file.


def forget_since(path: Path, before: bytes) -> None:
    """Put a database file back as it was before, without the log."""
    path.write_bytes(before)
    for name in ("-wal", "-shm"):
        path.with_name(path.name + name).unlink(missing_ok=True)


def test_a_tail_that_was_lost_is_remembered(tmp_path: Path) -> None:
    path, url = tmp_path / "cards.db", f"sqlite:///{tmp_path}/cards.db"
    store = Store(url)
    for name in (TABLE, "kept2345"):
        store.create(record(name))
    store.append([row(1), row(2), row(1, table="kept2345")])
    store.close()
    before = path.read_bytes()
    store = Store(url)
    store.create(record("zzzz2345"))
    store.append([row(3), row(4), row(1, table="zzzz2345")])
    store.close()
    forget_since(path, before)
    store = Store(url)
    assert {listed.id: listed.missing for listed in list_tables(store)} == {TABLE: 2, "kept2345": 0}
    assert find_losses(store) == [Loss(TABLE, 2, 2), Loss("zzzz2345", 0, 1)]
    assert find_losses(store) == []
    store.append([row(number) for number in range(3, 10)])
    store.close()
    store = Store(url)
    assert find_losses(store) == []
    assert {listed.id: listed.missing for listed in list_tables(store)} == {TABLE: 2, "kept2345": 0}
    store.close()


def test_marks_outlive_a_line_that_was_cut_off_and_do_not_grow(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks")
    for number in (1, 2):
        marks.note(TABLE, number)
        marks.write()
    with (tmp_path / "marks").open("ab") as file:
        file.write(b'\n["abcd23')
    marks.note("zzzz2345", 5)
    marks.write()
    expected = {TABLE: HighWaterMark(TABLE, 2), "zzzz2345": HighWaterMark("zzzz2345", 5)}
    assert marks.read() == expected
    with (tmp_path / "marks").open("ab") as file:
        file.write(b'\n["gone2345",7]' * (COMPACT_BYTES // 10))
    marks.forget("gone2345")
    assert marks.read() == expected
    assert (tmp_path / "marks").stat().st_size < 100


# At a server.


def start_with(server: Server, gm: Person, entries: int) -> None:
    """Play, until it is noted that there are so many entries."""
    marks = Marks(Path(f"{server.database.removeprefix('sqlite:///')}-marks"))
    for number in range(gm.n, entries):
        gm.do("add_character", name=f"Ada {number}", card=f"H{number + 2}")
    while marks.read()[gm.table["table"]["id"]].number < entries:
        gm.sync()


@pytest.mark.soak
def test_a_log_deleted_while_no_server_ran_is_missed(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        start_with(server, table.sit("gm"), 2)
        server.stop()
        assert not (tmp_path / "cards.db-wal").exists()
        server.start()
        start_with(server, table.sit("gm"), 5)
        server.kill()
        (tmp_path / "cards.db-wal").unlink()
        assert "has lost" not in server.log.read_text()
        server.start()
        said = server.log.read_text()
        assert f"Table {table.id} has lost at least 3 entries that were saved; the last one left is number 2" in said
        gm = table.sit("gm")
        assert gm.n == 2
        gm.do("add_character", name="Nan", card="SK")
        assert "Traceback" not in server.log.read_text()


def test_a_table_with_a_gap_is_read_only(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, log=tmp_path / "log") as server:
        table = server.make_table()
        gm = table.sit("gm")
        for number in range(3):
            gm.do("add_character", name=f"Ada {number}", card=f"H{number + 2}")
        server.stop()
        with sqlite3.connect(tmp_path / "cards.db") as connection:
            connection.execute("DELETE FROM entries WHERE number = 2")
        connection.close()
        server.start()
        said = "Entry 2 of this table's log is missing. Nothing else is lost. "
        gm = table.sit("gm")
        assert gm.table["table"]["read_only"].startswith(said)
        assert (gm.n, [one["name"] for one in gm.doc["view"]["characters"]]) == (1, ["Ada 0"])
        assert gm.ask({"do": "start_round"})["code"] == "read_only"
        assert [line.get("name") for line in table.transcript()[1:]] == ["Ada 0", "Ada 2"]
        assert "Traceback" not in server.log.read_text()
