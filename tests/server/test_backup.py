"""A backup is made while people play, and a house made of it is the same house."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from cardhouse.engine import CardhouseError
from cardhouse.server import schema
from cardhouse.server.backup import COPIED, Added, Kept, add, back_up, restore, restore_table
from cardhouse.server.database import Database, connect
from tests.server.hammering import Hammer, check_nothing_lost
from tests.server.talking import FAST, Person, Server, running
from tests.server.test_campaign import begun, shown


@pytest.fixture
def other_database(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database of the other kind."""
    if database.startswith("sqlite"):
        url: str = request.getfixturevalue("empty_postgres_url")
        return url
    return f"sqlite:///{tmp_path}/other.db"


def backed_up(url: str, file: Path) -> Kept:
    database = connect(url)
    try:
        return back_up(database, file)
    finally:
        database.close()


def restored(file: Path, url: str, table: str = "") -> Kept:
    database = connect(url)
    try:
        return restore_table(file, table, database) if table else restore(file, database)
    finally:
        database.close()


def everything(url: str) -> dict[str, list[Any]]:
    database: Database = connect(url)
    try:
        with database.engine.connect() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=lambda row: tuple(map(str, row)))
                for table in COPIED
            }
    finally:
        database.close()


def test_a_house_goes_on_in_another_kind_of_database(database: str, other_database: str, tmp_path: Path) -> None:
    file = tmp_path / "friday.db"
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = server.make_table(game="hackjack", seats=["ada", "ben"])
        table.sit("gm").do("add_character", name="Ada 👒", hp=3, max_hp=3, controller="ada")
        campaign, token = begun(table)
        hammer = Hammer(server.make_table(), seed=1)

        async def play_while_it_is_copied() -> Kept:
            playing = asyncio.create_task(hammer.play(server, enough=200))
            kept = await asyncio.to_thread(backed_up, database, file)
            await playing
            return kept

        kept = asyncio.run(play_while_it_is_copied())
        assert (kept.tables, kept.campaigns) == (2, 1)
        assert backed_up(database, tmp_path / "later.db").entries >= kept.entries + 1, "people went on meanwhile"
        before, log = everything(database), table.transcript()
    assert restored(tmp_path / "later.db", other_database).tables == 2
    assert everything(other_database) == before
    with running(other_database, *FAST, log=tmp_path / "other-log") as other:
        moved = Person(other, table.id, table.links["ada"])
        assert (moved.seat, moved.table["table"]["commitment"]) == ("ada", table.commitment)
        assert shown(other, campaign, token)["name"] == "Red Gulch"
        hammer.table.server = table.server = other
        assert table.transcript() == log
        check_nothing_lost(hammer.table, [hammer])
        table.sit("gm").do("damage", target="Ada 👒", amount=1)


def test_one_table_comes_back_with_its_links(server: Server, tmp_path: Path) -> None:
    table = server.make_table()
    table.sit("gm").do("add_character", name="Ada", card="SA")
    begun(table)
    file, url = tmp_path / "friday.db", f"sqlite:///{tmp_path}/house.db"
    backed_up(server.database, file)
    with running(url, *FAST, log=tmp_path / "log") as other:
        own = other.make_table()
        assert restored(file, url, table.id) == Kept(1, 1, 0)
        assert Person(other, table.id, table.links["p1"]).table["table"]["commitment"] == table.commitment
        gm = Person(other, table.id, table.links["gm"])
        assert gm.table["table"].get("campaign", "") == "", "its campaign is elsewhere"
        gm.do("add_character", name="Ben", card="SK")
        assert own.sit("gm").seat == "gm"
        with pytest.raises(CardhouseError, match="is there already"):
            restored(file, url, table.id)
        with pytest.raises(CardhouseError, match="There is no table nonsense in"):
            restored(file, url, "nonsense")
        with pytest.raises(CardhouseError, match="into an empty database"):
            restored(file, url)


def test_what_a_house_has_not_got_comes_from_a_backup(database: str, tmp_path: Path) -> None:
    file = tmp_path / "friday.db"
    with running(database, *FAST, log=tmp_path / "log") as server:
        first, lost = server.make_table(), server.make_table()
        first.sit("gm").do("add_character", name="Ada", card="SA")
        campaign, token = begun(lost)
        backed_up(database, file)
        ben = first.sit("gm")
        ben.do("add_character", name="Ben", card="SK")
        kept = connect(database)
        try:
            with kept.changing.begin() as connection:
                connection.execute(delete(schema.tables).where(schema.tables.c.id == lost.id))
                connection.execute(delete(schema.campaigns))
            assert add(file, kept) == Added([lost.id], [campaign], 1)
            assert add(file, kept) == Added([], [], 2)
        finally:
            kept.close()
        ben.do("add_character", name="Cy", card="SQ")
        assert Person(server, lost.id, lost.links["p1"]).table["table"]["commitment"] == lost.commitment
        assert shown(server, campaign, token)["name"] == "Red Gulch"
        assert Person(server, lost.id, token).seat == "gm"


def test_nothing_is_written_over_and_nothing_half_made_is_left(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/house.db"
    connect(url).close()
    there = tmp_path / "there.db"
    there.write_text("a diary")
    with pytest.raises(CardhouseError, match="is there already; give the backup a name of its own"):
        backed_up(url, there)
    assert there.read_text() == "a diary"
    with pytest.raises(CardhouseError, match="There is no folder"):
        backed_up(url, tmp_path / "nowhere" / "friday.db")
    with sqlite3.connect(tmp_path / "house.db") as broken:  # an entry of a table that isn't there
        broken.execute("INSERT INTO entries VALUES ('gone', 1, NULL, '{}', 0)")
    broken.close()
    with pytest.raises(CardhouseError, match="Nothing was backed up: FOREIGN KEY constraint failed"):
        backed_up(url, tmp_path / "friday.db")
    assert not list(tmp_path.glob("friday*"))


@pytest.mark.parametrize("content", [b"", b"a diary", b"SQLite format 3\0" + b"\0" * 4000])
def test_what_is_no_backup_is_told_from_one(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(CardhouseError):
        restored(file, f"sqlite:///{tmp_path}/house.db")
    kept = everything(f"sqlite:///{tmp_path}/house.db")
    assert kept == {table.name: [] for table in COPIED} | {"house": [("house", 0, 0, "")]}
    with pytest.raises(CardhouseError, match="There is no file"):
        restored(tmp_path / "nothing", f"sqlite:///{tmp_path}/house.db")


def test_everything_that_is_kept_is_copied() -> None:
    assert {*COPIED} == {*schema.metadata.sorted_tables} - {schema.probe, schema.servers}
