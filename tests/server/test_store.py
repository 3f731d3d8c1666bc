"""The contract of the database, on SQLite and PostgreSQL."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from cardhouse.engine import CardhouseError, Snapshot
from cardhouse.server.core.tokens import hash_of
from cardhouse.server.management.table_manager import NewTable
from cardhouse.server.persistence import database as databases
from cardhouse.server.persistence import sqlite_files
from cardhouse.server.persistence.records import DOOR_ROW, Row, SeatRecord, TableRecord
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.schema import VERSION, metadata
from cardhouse.server.persistence.table_list import list_tables, table_details
from tests.server.insiders import open_house


@pytest.fixture(params=("sqlite", "postgres"))
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without any tables, as a new server finds it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/cards.db"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()


def record(name: str) -> TableRecord:
    seats = [SeatRecord("gm", "a" * 64), SeatRecord("p1", "b" * 64, "Ada 👒")]
    return TableRecord(name, '{"cardhouse":1}', "00" * 32, "gm", 0, seats)


@pytest.fixture
def table(store: Store) -> TableRecord:
    made = record("abcd2345")
    store.create(made)
    return made


def row(number: int, id: str | None = None, table: str = "abcd2345", snapshot: Snapshot | None = None) -> Row:
    return Row(table, number, id, f'{{"by":"gm","n":{number}}}', snapshot)


def test_a_table_comes_back_as_it_was_made(store: Store, table: TableRecord) -> None:
    assert store.table(table.id) == table
    assert store.table("nowhere2") is None


def test_entries_come_back_in_order(store: Store, table: TableRecord) -> None:
    assert store.append([row(2), row(1), row(3)]) == [True, True, True]
    assert store.entries(table.id) == [(number, row(number).text) for number in (1, 2, 3)]
    assert [number for number, _ in store.entries(table.id, after=2)] == [3]
    assert store.last_number(table.id) == 3
    assert store.last_number("nowhere2") == 0


def test_a_number_or_an_id_is_taken_once(store: Store, table: TableRecord) -> None:
    store.create(record("zzzz2345"))
    assert store.append([row(1, "x"), row(1, "y"), row(2, "x"), row(2, "z"), row(1, "x", "zzzz2345")]) == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert store.entry_with_id(table.id, "x") == (1, row(1).text)
    assert store.entry_with_id(table.id, "y") is None
    assert store.append([row(2, "new"), row(3, "x"), row(3, "new")]) == [False, False, True]
    assert store.append([row(4), row(5)]) == [True, True]  # any number of entries may have no id


def test_a_row_at_fault_fails_alone(store: Store, table: TableRecord) -> None:
    saved = store.append([row(1), row(1, table="gone2345"), row(2)])
    assert saved[0] is saved[2] is True
    assert isinstance(saved[1], IntegrityError)
    assert store.last_number(table.id) == 2


def test_the_next_table_is_saved_with_its_first_entries_or_not_at_all(store: Store, table: TableRecord) -> None:
    with pytest.raises(IntegrityError):
        store.follow(table.id, record("zzzz2345"), [row(1, table="zzzz2345"), row(1, table="zzzz2345")])
    found = store.table(table.id)
    assert (store.table("zzzz2345"), found and found.followed_by) == (None, "")
    assert store.follow(table.id, record("zzzz2345"), [row(1, table="zzzz2345")]) == "zzzz2345"
    assert store.last_number("zzzz2345") == 1


def test_readers_make_no_one_wait(store: Store, table: TableRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "SECONDS", 0.01)  # so long one waits for another, if there is one to wait for
    with store.engine.connect() as reading:
        before = reading.execute(text("SELECT count(*) FROM entries")).scalar()
        assert store.append([row(1)]) == [True]
        store.create(record("zzzz2345"))
        assert reading.execute(text("SELECT count(*) FROM tables")).scalar()
    assert before == 0


def test_many_rows_at_once(store: Store, table: TableRecord) -> None:
    assert store.append([row(number, str(number)) for number in range(1, 2501)]) == [True] * 2500
    assert store.last_number(table.id) == 2500


def test_rests(store: Store, table: TableRecord) -> None:
    snapshots = [Snapshot(number, number * 2, msgspec.Raw(f'{{"at":{number}}}'.encode())) for number in (200, 400)]
    store.save_snapshots([(table.id, snapshot) for snapshot in snapshots])
    store.save_snapshots([(table.id, snapshots[0])])  # another server may have kept it too
    assert store.snapshot(table.id, 199) is None
    for upto, expected in ((200, 0), (399, 0), (400, 1), (10**6, 1)):
        found = store.snapshot(table.id, upto)
        assert found is not None
        assert (found.number, found.draws, bytes(found.game)) == (
            snapshots[expected].number,
            snapshots[expected].draws,
            bytes(snapshots[expected].game),
        )


def test_changes_of_names_links_and_settings_are_counted(store: Store, table: TableRecord) -> None:
    store.set_name(table.id, "gm", "מו")
    store.set_token(table.id, "p1", "c" * 64)
    store.set_token(table.id, "p2", "d" * 64)
    store.set_odds(table.id, "all")
    store.set_bot(table.id, "p1", "rex")
    store.set_bot(table.id, "p2", "rex")
    store.set_bot(table.id, "p2", "")
    found = store.table(table.id)
    assert found is not None
    assert (found.odds, found.changed) == ("all", 7)
    assert found.seats == [
        SeatRecord("gm", "a" * 64, "מו"),
        SeatRecord("p1", "c" * 64, "Ada 👒", "rex"),
        SeatRecord("p2", "d" * 64, ""),
    ]
    store.append([row(1), row(2)])
    assert store.news([table.id, "nowhere2"]) == {table.id: (2, 7)}
    assert store.news([]) == {}
    assert store.changed([table.id, "nowhere2"]) == {table.id: 7}
    assert store.changed([]) == {}


def test_a_bot_plays_a_seat_of_one_table(store: Store, table: TableRecord) -> None:
    other = record("zzzz2345")
    store.create(msgspec.structs.replace(other, seats=[SeatRecord("p1", "b" * 64, "", "rex")]))
    store.set_bot(table.id, "gm", "lassie")
    store.set_bot(table.id, "nobody", "lassie")
    store.set_token(table.id, "gm", "c" * 64)  # a new link changes nothing in that
    bots = [
        [(seat.seat, seat.bot) for seat in found.seats] for found in map(store.table, (table.id, other.id)) if found
    ]
    assert bots == [[("gm", "lassie"), ("p1", "")], [("p1", "rex")]]


def test_a_free_seat_is_claimed_once_by_the_door_there_is(store: Store, table: TableRecord) -> None:
    door, other, token = "d" * 64, "e" * 64, "1" * 64
    store.set_token(table.id, "p2", "2" * 64)
    assert not store.claim(table.id, door, "p2", token, "Nan"), "there is no door"
    store.set_token(table.id, DOOR_ROW, door)
    for secret, seat in ((other, "p2"), ("", "p2"), (door, "p1"), (door, "p3")):
        assert not store.claim(table.id, secret, seat, token, "Nan"), (secret, seat)
    before = store.table(table.id)
    assert before is not None
    assert before.door == door
    assert store.claim(table.id, door, "p2", token, "Nan 🎩")
    assert not store.claim(table.id, door, "p2", "3" * 64, "Ben")
    found = store.table(table.id)
    assert found is not None
    assert found.changed == before.changed + 1
    assert found.seats[-1] == SeatRecord("p2", "2" * 64, "Nan 🎩", "", token)
    store.set_name(table.id, "p2", "")  # it is taken though its name is gone
    assert not store.claim(table.id, door, "p2", "3" * 64, "Ben")
    store.set_token(table.id, "p2", "4" * 64)
    store.set_bot(table.id, "p2", "rex")
    assert store.claim(table.id, door, "p2", token, "Ben")
    found = store.table(table.id)
    assert found is not None
    assert found.seats[-1] == SeatRecord("p2", "4" * 64, "Ben", "", token), "the bot plays there no more"
    store.set_name(table.id, "p2", "")
    store.set_token(table.id, "p2", "4" * 64)
    store.close_door(table.id)
    assert not store.claim(table.id, door, "p2", token, "Ben")
    found = store.table(table.id)
    assert found is not None
    assert (found.door, found.seats[-1]) == ("", SeatRecord("p2", "4" * 64))


def test_one_of_many_servers_claims_a_seat(database: str) -> None:
    stores = [Store(database) for _ in range(4)]
    seats = [SeatRecord(f"p{number}", "a" * 64) for number in range(20)]
    stores[0].create(TableRecord("abcd2345", "{}", "00", "gm", 0, [*seats, SeatRecord(DOOR_ROW, "d" * 64)]))
    for seat in seats:
        ready = threading.Barrier(len(stores))

        def claim(number: int, ready: threading.Barrier = ready, seat: str = seat.seat) -> bool:
            ready.wait()
            return stores[number].claim("abcd2345", "d" * 64, seat, str(number) * 64, f"Ada {number}")

        with ThreadPoolExecutor(len(stores)) as threads:
            won = list(threads.map(claim, range(len(stores))))
        assert sum(won) == 1
        found = stores[0].table("abcd2345")
        assert found is not None
        kept = next(one for one in found.seats if one.seat == seat.seat)
        assert (kept.claimed, kept.name) == (str(won.index(True)) * 64, f"Ada {won.index(True)}")
    for one in stores:
        one.close()


def test_a_door_that_is_being_closed_elsewhere_lets_nobody_in(postgres_url: str) -> None:
    store = Store(postgres_url)
    seats = [SeatRecord("p1", "a" * 64), SeatRecord(DOOR_ROW, "d" * 64)]
    store.create(TableRecord("abcd2345", "{}", "00", "gm", 0, seats))
    waits = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with ThreadPoolExecutor(1) as thread, store.engine.connect() as closing, store.engine.connect() as looking:
        closing.execute(text("DELETE FROM seats WHERE token = :door"), {"door": "d" * 64})
        claiming = thread.submit(store.claim, "abcd2345", "d" * 64, "p1", "1" * 64, "Ada")
        while not claiming.done() and not looking.scalar(waits):
            looking.rollback()
        closing.commit()
        assert claiming.result() is False
    found = store.table("abcd2345")
    assert found is not None
    assert found.seats == seats[:1]
    store.close()


def test_link_secrets_are_stored_as_hashes(database: str) -> None:
    async def make() -> NewTable:
        async with open_house(database) as house:
            return await house.create("initiative", ["gm", "p1"], odds="off")

    made = asyncio.run(make())
    store = Store(database)
    with store.engine.connect() as connection:
        kept = [str(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(table.select())]
    store.close()
    assert len(kept) >= 4
    assert not any(secret in row for secret in made.links.values() for row in kept)


def test_list_and_delete(store: Store, table: TableRecord) -> None:
    store.create(record("zzzz2345"))
    store.append([row(1), row(2)])
    store.save_snapshots([(table.id, Snapshot(2, 0, msgspec.Raw(b"{}")))])
    assert {listed.id: listed.entries for listed in list_tables(store)} == {table.id: 2, "zzzz2345": 0}
    assert store.delete(table.id)
    assert not store.delete(table.id)
    assert store.table(table.id) is None
    assert store.entries(table.id) == []
    assert store.snapshot(table.id, 2) is None
    assert [listed.id for listed in list_tables(store)] == ["zzzz2345"]


def test_the_administrators_list_begins_with_the_table_last_used(store: Store, table: TableRecord) -> None:
    """Creating, opening and answering all count, as in the times that it shows."""
    store.create(record("zzzz2345"))
    store.append([row(1)])
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE tables SET made_at = 10"))
        connection.execute(text("UPDATE tables SET opened_at = 20 WHERE id = 'zzzz2345'"))
        connection.execute(text("UPDATE entries SET saved_at = 30"))
    assert [(one.id, one.used_at) for one in table_details(store, "", 0, 5)] == [(table.id, 30), ("zzzz2345", 20)]


def test_probe_leaves_nothing_behind(store: Store) -> None:
    store.probe()
    store.probe()
    with store.engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM probe")) == 0


# The database's form.


def test_the_migrations_lead_to_the_schema(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_newest_migration_is_the_version() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(databases.__file__).with_name("migrations")))
    assert ScriptDirectory.from_config(config).get_heads() == [VERSION]


def test_an_older_database_is_brought_up_with_all_that_it_holds(database: str) -> None:
    engine = databases._open(database).engine
    values: dict[str, dict[str, Any]] = {
        "tables": {"id": "abcd2345", "header": "{}", "seed": "00", "odds": "gm", "changed": 3, "made_at": 1},
        "seats": {"table_id": "abcd2345", "seat": "p1", "token": "b" * 64, "name": "Ada 👒"},
        "entries": {"table_id": "abcd2345", "number": 1, "id": "x", "text": row(1).text, "saved_at": 2},
        "rests": {"table_id": "abcd2345", "number": 1, "draws": 5, "game": "{}"},
    }
    code = {**values["seats"], "seat": DOOR_ROW, "token": hash_of("abcd2345"), "name": ""}
    with engine.begin() as connection:
        databases._migrate(connection, "0001")
        for name, fields in values.items():
            places = ", ".join(f":{field}" for field in fields)
            rows = [fields, code] if name == "seats" else [fields]
            connection.execute(text(f"INSERT INTO {name} ({', '.join(fields)}) VALUES ({places})"), rows)
    engine.dispose()
    for _ in range(2):
        store = Store(database)
        found = store.table("abcd2345")
        assert found is not None
        hashed = asyncio.run(store.codes.hash_of("abcd2345"))
        seats = [SeatRecord("", hashed, mark=found.door_mark), SeatRecord("p1", "b" * 64, "Ada 👒")]
        assert found == TableRecord("abcd2345", "{}", "00", "gm", 3, seats)
        assert len(found.door_mark) == 16
        assert store.table_of_door(hashed) == "abcd2345", "the code is still valid"
        assert store.entries("abcd2345") == [(1, row(1).text)]
        assert store.snapshot("abcd2345", 1) is None  # it didn't say where the log stood, and is made again
        store.close()
    store = Store(database)
    store.set_bot("abcd2345", "p1", "rex")
    assert store.append([row(2)]) == [True]
    found = store.table("abcd2345")
    assert found is not None
    assert [seat.bot for seat in found.seats] == ["", "rex"]
    store.set_token("abcd2345", DOOR_ROW, "d" * 64)
    store.set_token("abcd2345", "p2", "2" * 64)
    assert store.claim("abcd2345", "d" * 64, "p2", "1" * 64, "Nan")
    store.close()


def test_a_newer_database_is_refused_by_name(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    store.close()
    with pytest.raises(CardhouseError, match=r"newer Cardhouse: its version is 0099, this one knows up to") as refused:
        Store(database)
    assert refused.value.code == "newer"


def test_a_database_of_something_else_is_left_alone(database: str) -> None:
    engine = databases._open(database).engine
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE tables (legs INTEGER)"))
    with pytest.raises(CardhouseError, match=r"something else"):
        Store(database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT legs FROM tables")).all() == []
    engine.dispose()


def test_a_database_of_no_encoding_is_refused_in_a_sentence(postgres_url: str) -> None:
    name = f"cardhouse_ascii_{token_hex(6)}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(CardhouseError, match="must be one of encoding UTF8"):
                Store(f"{postgres_url.rpartition('/')[0]}/{name}")
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_many_servers_may_start_at_once(database: str) -> None:
    problems: list[Exception] = []

    def start() -> None:
        try:
            Store(database).close()
        except Exception as error:  # noqa: BLE001
            problems.append(error)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "isn't a database URL"),
        ("mysql://root@127.0.0.1/x", "not in mysql"),
        ("sqlite://", "a file"),
        ("sqlite:///:memory:", "a file"),
        ("sqlite:////no/such/folder/cards.db", "no folder"),
        ("postgresql://nobody:secret@127.0.0.1:1/x", "can't be used"),
    ],
)
def test_urls_that_lead_nowhere(url: str, says: str) -> None:
    with pytest.raises(CardhouseError, match=says) as refused:
        Store(url)
    assert "secret" not in refused.value.message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "cards.db").write_bytes(b"not a database at all, but long enough to look at" * 100)
    with pytest.raises(CardhouseError, match=r"can't be used"):
        Store(f"sqlite:///{tmp_path}/cards.db")


# "database is locked": SQLite turns on its write-ahead log at once or not at all.


def written_to(path: Path) -> sqlite3.Connection:
    """A connection that is writing to a new database, without a write-ahead log."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE theirs (number INTEGER)")
    return connection


def test_sqlite_itself_does_not_wait_to_turn_on_its_log(tmp_path: Path) -> None:
    """Why one of several servers that opened a new file at once failed; the timeout of an hour is not waited for."""
    other = written_to(tmp_path / "cards.db")
    ours = sqlite3.connect(tmp_path / "cards.db", timeout=3600, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        ours.execute("PRAGMA journal_mode = WAL")
    for connection in (ours, other):
        connection.close()


def test_the_log_is_turned_on_when_another_program_has_written(tmp_path: Path) -> None:
    other = written_to(tmp_path / "cards.db")
    said: list[str] = []

    class Ours(sqlite3.Connection):
        """The other program is done as soon as we wait for it."""

        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            said.append(sql)
            if sql == "BEGIN IMMEDIATE":
                other.execute("COMMIT")
            return super().execute(sql, *parameters)

    ours = sqlite3.connect(tmp_path / "cards.db", timeout=3600, isolation_level=None, factory=Ours)
    databases.use_write_ahead_log(ours)
    assert said == ["PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA journal_mode = WAL"]
    assert ours.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    for connection in (ours, other):
        connection.close()
