"""A backup is made while people play, and a server restored from it is the same."""

import asyncio
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from cardhouse.engine import CardhouseError
from cardhouse.server.persistence import backup_manifest, schema
from cardhouse.server.persistence.backup import COPIED, Added, BackupSummary, add, back_up, restore, restore_table
from cardhouse.server.persistence.database import Database, connect
from cardhouse.server.persistence.repository import Store
from tests.server.hammering import Hammer, check_nothing_lost
from tests.server.talking import FAST, Person, Server, running
from tests.server.test_campaign import begun, shown
from tests.server.test_store import record, row


@pytest.fixture
def other_database(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database of the other kind."""
    if database.startswith("sqlite"):
        url: str = request.getfixturevalue("empty_postgres_url")
        return url
    return f"sqlite:///{tmp_path}/other.db"


def backed_up(url: str, file: Path) -> BackupSummary:
    database = connect(url)
    try:
        return back_up(database, file)
    finally:
        database.close()


def restored(file: Path, url: str, table: str = "") -> BackupSummary:
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


@pytest.mark.soak
def test_a_house_goes_on_in_another_kind_of_database(database: str, other_database: str, tmp_path: Path) -> None:
    file = tmp_path / "friday.db"
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = server.make_table(game="hackjack", seats=["ada", "ben"])
        table.sit("gm").do("add_character", name="Ada 👒", hp=3, max_hp=3, controller="ada")
        campaign, token = begun(table)
        hammer = Hammer(server.make_table(), seed=1)

        async def play_while_it_is_copied() -> BackupSummary:
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
        assert restored(file, url, table.id) == BackupSummary(1, 1, 0)
        assert Person(other, table.id, table.links["p1"]).table["table"]["commitment"] == table.commitment
        gm = Person(other, table.id, table.links["gm"])
        assert gm.table["table"].get("campaign", "") == "", "its campaign is elsewhere"
        gm.do("add_character", name="Ben", card="SK")
        assert "door" not in gm.table["table"], "its join code is hashed with the other database's salt"
        gm.say(t="reissue", seat="door")
        assert other.post("/api/doors", {"code": gm.hear("link")["token"]}) == (200, {"table": table.id})
        assert own.sit("gm").seat == "gm"
        with pytest.raises(CardhouseError, match="is there already"):
            restored(file, url, table.id)
        with pytest.raises(CardhouseError, match="has no table nonsense"):
            restored(file, url, "nonsense")
        with pytest.raises(CardhouseError, match="This database isn't empty"):
            restored(file, url)


def test_a_backup_adds_missing_tables(database: str, tmp_path: Path) -> None:
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
        assert server.post("/api/doors", {"code": lost.links["door"]}) == (200, {"table": lost.id})
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


@pytest.fixture(scope="module")
def friday(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a house with a table and five entries."""
    folder = tmp_path_factory.mktemp("friday")
    store = Store(f"sqlite:///{folder}/house.db")
    store.create(record("abcd2345"))
    store.append([row(number) for number in range(1, 6)])
    store.close()
    backed_up(f"sqlite:///{folder}/house.db", folder / "friday.db")
    return folder / "friday.db"


def changed_by(statement: str) -> Callable[[Path], None]:
    """What a forger does, who knows SQL."""

    def change(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(statement)

    return change


def with_bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """What a bad disk does, or half a download."""
    return lambda file: (file.write_bytes(change(file.read_bytes())), None)[1]


@pytest.mark.parametrize(
    "damage",
    [
        changed_by("DELETE FROM entries WHERE number = 3"),
        changed_by("UPDATE entries SET text = '{}' WHERE number = 3"),
        changed_by("UPDATE tables SET seed = 'ff'"),
        changed_by("UPDATE seats SET token = 'ff' WHERE seat = 'gm'"),
        changed_by("INSERT INTO campaigns VALUES ('x', 'y', 'z', '', 0, '[]')"),
        changed_by("CREATE TRIGGER later AFTER INSERT ON entries BEGIN DELETE FROM tables; END"),
        changed_by("DROP TABLE rests"),
        changed_by("DELETE FROM backup_manifest WHERE name = 'entries'"),
        changed_by("DELETE FROM backup_manifest"),
        changed_by("DROP TABLE backup_manifest"),
        changed_by("UPDATE backup_manifest SET row_count = 'many'"),
        with_bytes(lambda content: content[: len(content) // 2]),
        with_bytes(lambda content: content[:-4096]),
        with_bytes(lambda content: content[:-8192] + bytes(8192)),
        with_bytes(lambda content: content.replace(b'{"by":', b'{"yb":')),
        with_bytes(lambda content: content[:100]),
    ],
)
def test_a_damaged_or_forged_backup_is_told_from_a_sound_one(
    friday: Path, damage: Callable[[Path], None], tmp_path: Path
) -> None:
    file = tmp_path / "forged.db"
    shutil.copyfile(friday, file)
    damage(file)
    with pytest.raises(CardhouseError, match=r"is damaged or was changed|has no manifest"):
        backup_manifest.verify(file, file, unverified=False)


def test_nothing_is_restored_from_a_forged_backup(friday: Path, tmp_path: Path) -> None:
    file, url = tmp_path / "forged.db", f"sqlite:///{tmp_path}/house.db"
    shutil.copyfile(friday, file)
    changed_by("DELETE FROM entries WHERE number = 3")(file)
    for table in ("", "abcd2345"):
        with pytest.raises(CardhouseError, match=r"doesn't match the content of entries\. Nothing was restored"):
            restored(file, url, table)
    assert everything(url)["tables"] == []


def test_a_sound_backup_is_restored_and_nobody_else_may_read_it(friday: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(friday.stat().st_mode) == 0o600
    url = f"sqlite:///{tmp_path}/house.db"
    assert restored(friday, url) == BackupSummary(1, 5, 0)
    backed_up(url, tmp_path / "again.db")
    same = {backup_manifest.fingerprint(file) for file in (friday, tmp_path / "again.db")}
    assert len(same) == 1, "two backups of the same content have the same fingerprint"


@pytest.mark.parametrize("content", [b"", b"a diary", b"SQLite format 3\0" + b"\0" * 4000])
def test_a_file_that_is_no_backup_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(CardhouseError):
        restored(file, f"sqlite:///{tmp_path}/house.db")
    kept = everything(f"sqlite:///{tmp_path}/house.db")
    assert kept.pop("house")[0][:-1] == ("house", 0, 0, ""), "before the salt"
    assert kept == {table.name: [] for table in COPIED if table is not schema.house}
    with pytest.raises(CardhouseError, match="File not found"):
        restored(tmp_path / "nothing", f"sqlite:///{tmp_path}/house.db")


def test_everything_that_is_kept_is_copied() -> None:
    assert {*COPIED} == {*schema.metadata.sorted_tables} - {schema.probe, schema.servers}
