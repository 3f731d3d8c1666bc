"""A SQLite database's file: who may read it, who serves from it, and what happens if it goes away."""

import logging
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import admin_key_of
from cardhouse.server.persistence import sqlite_files
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.persistence.repository import READERS, Store
from cardhouse.server.persistence.sqlite_files import DatabaseFile, FileLost
from cardhouse.server.persistence.table_list import list_tables
from cardhouse.server.transcripts.transcript_export import export_transcript
from tests.server.starting import open_at_once, start
from tests.server.talking import FAST, Server, running
from tests.server.test_store import record, row
from tests.server.test_trouble import check_log, fail
from tests.thorough import in_soak


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for a database, in a process that keeps nothing from anybody."""
    before = os.umask(0)
    (tmp_path / "tables").mkdir()
    yield tmp_path / "tables"
    os.umask(before)


@pytest.fixture
def serving(folder: Path, tmp_path: Path) -> Iterator[Server]:
    with running(f"sqlite:///{folder}/cards.db", *FAST, log=tmp_path / "log") as found:
        yield found
    assert "Traceback" not in (tmp_path / "log").read_text()


def rights(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


# Who may read it.


def test_no_one_else_can_read_a_new_database_or_its_side_files(folder: Path) -> None:
    store = Store(f"sqlite:///{folder}/cards.db", serving=True)
    store.create(record("abcd2345"))
    store.append([row(1)])
    found = rights(folder)
    assert {"cards.db", "cards.db-wal", "cards.db-shm", "cards.db-lock"} <= set(found)
    assert set(found.values()) == {0o600}
    store.close()


def test_one_that_others_could_read_is_tightened_but_not_its_folder(folder: Path) -> None:
    url = f"sqlite:///{folder}/cards.db"
    Store(url).close()
    (folder / "cards.db").chmod(0o644)
    (folder / "cards.db-key").write_text("a key of its house")
    (folder / "cards.db-key").chmod(0o644)
    other = sqlite3.connect(folder / "cards.db")
    other.execute("SELECT count(*) FROM entries").fetchone()
    assert rights(folder)["cards.db-wal"] == rights(folder)["cards.db-key"] == 0o644
    store = Store(url)
    assert set(rights(folder).values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o777
    store.close()
    other.close()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can give files away")
def test_files_made_by_root_belong_to_the_folders_owner(folder: Path) -> None:
    """So an administrator's command doesn't keep a service out of its own tables."""
    os.chown(folder, 10001, 10002)
    hosts = folder.parent / "hosts"
    hosts.write_text("not its own")
    (folder / "cards.db-turn").symlink_to(hosts)
    (folder / "cards.db-marks").hardlink_to(hosts)
    url = f"sqlite:///{folder}/cards.db"
    assert admin_key_of(url).secret
    store = Store(url, serving=True)
    store.create(record("abcd2345"))
    store.close()
    assert hosts.stat().st_uid == 0
    own = [path for path in folder.iterdir() if not path.samefile(hosts)]
    assert {"cards.db", "cards.db-admin-key", "cards.db-lock", "cards.db-preparing"} <= {path.name for path in own}
    assert {(path.stat().st_uid, path.stat().st_gid) for path in own} == {(10001, 10002)}


def test_a_file_of_something_else_keeps_its_rights(folder: Path) -> None:
    (folder / "cards.db").write_bytes(b"notes " * 1000)
    (folder / "cards.db").chmod(0o644)
    with pytest.raises(CardhouseError, match=r"can't be used"):
        Store(f"sqlite:///{folder}/cards.db")
    assert rights(folder)["cards.db"] == 0o644


# Where it is.

MOUNTED = """\
21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 21 0:52 / {folder} rw,relatime shared:3 - {type} nas:/cards rw
41 21 0:53 / {folder}\\040local rw - ext4 /dev/vdb rw
"""


@pytest.mark.parametrize("type_", ["nfs4", "cifs", "smb3", "9p", "fuse.sshfs"])
def test_no_server_opens_a_file_on_a_network_share(type_: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = folder.with_name(f"{folder.name} local")
    local.mkdir()
    (folder.parent / "mounts").write_text(MOUNTED.format(folder=folder, type=type_))
    monkeypatch.setattr(sqlite_files, "MOUNTS", folder.parent / "mounts")
    with pytest.raises(CardhouseError, match=rf"network share \({type_}\).*--db, or use PostgreSQL"):
        Store(f"sqlite:///{folder}/cards.db", serving=True)
    assert not list(folder.iterdir())
    Store(f"sqlite:///{folder}/backup.db").close()  # a backup may be there
    (local / "cards.db").symlink_to(folder / "backup.db")
    with pytest.raises(CardhouseError, match="network share"):
        Store(f"sqlite:///{local}/cards.db", serving=True)
    (local / "cards.db").unlink()
    Store(f"sqlite:///{local}/cards.db", serving=True).close()


@pytest.mark.parametrize("type_", ["ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuseblk", "fuse.lxcfs"])
def test_a_file_on_a_disk_of_this_machine_is_on_no_share(
    type_: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "mounts").write_text(MOUNTED.format(folder=folder, type=type_))
    monkeypatch.setattr(sqlite_files, "MOUNTS", folder.parent / "mounts")
    assert DatabaseFile(str(folder / "cards.db")).share() is None
    monkeypatch.setattr(sqlite_files, "MOUNTS", folder / "none")  # as on other systems
    assert DatabaseFile(str(folder / "cards.db")).share() is None


# Who serves from it.


def refusal(folder: Path) -> str:
    """What a server says that will not start on this database."""
    log = folder / "refusal"
    process, address = start(["--port", "0", "--db", f"sqlite:///{folder}/cards.db"], log, {})
    process.join()
    assert (process.exitcode, address) == (1, "")
    return log.read_text()


def test_a_second_server_on_the_file_is_refused_until_the_first_is_dead(serving: Server, folder: Path) -> None:
    said = refusal(folder)
    assert said.startswith(f"Another server has the database {folder}/cards.db open")
    assert said.count("\n") == 1
    (folder / "other.db").symlink_to(folder / "cards.db")
    with pytest.raises(CardhouseError, match="Another server"):
        Store(f"sqlite:///{folder}/other.db", serving=True)
    table = serving.make_table()
    serving.kill()
    serving.start()
    table.sit("gm").do("add_character", name="Ada", card="HA")


def test_the_command_line_works_beside_a_server(serving: Server, folder: Path) -> None:
    table = serving.make_table()
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="HA")
    store = Store(f"sqlite:///{folder}/cards.db")
    assert [listed.id for listed in list_tables(store)] == [table.id]
    store.create(record("abcd2345"))
    assert store.append([row(1)]) == [True]
    assert store.delete("abcd2345")
    store.close()
    gm.do("add_character", name="Nan", card="HK")
    assert len(table.transcript()) == 3


def test_a_database_that_is_served_from_is_not_brought_to_another_form(folder: Path) -> None:
    url = f"sqlite:///{folder}/cards.db"
    first = Store(url, serving=True)
    with sqlite3.connect(folder / "cards.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    with pytest.raises(CardhouseError, match="Another server"):
        Store(url)
    first.close()


# Several programs create it at once.


class Waits(logging.Handler):
    """Sets `told` when the log says what a program waits for."""

    def __init__(self) -> None:
        super().__init__()
        self.told = Event()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage().startswith("Waiting for another program"):
            self.told.set()


def test_a_program_waits_while_another_migrates_the_database(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "NOTICE_SECONDS", 0)
    monkeypatch.setattr(sqlite_files, "LOCK_SECONDS", 0)
    waits = Waits()
    logging.getLogger("cardhouse.server").addHandler(waits)
    other = DatabaseFile(f"{folder}/cards.db")
    with ThreadPoolExecutor(1) as thread:
        with other.preparing():
            other.lock()  # as a program does that migrates it
            opening = thread.submit(Store, f"sqlite:///{folder}/cards.db")
            assert waits.told.wait(30)
            assert not opening.done()
            other.unlock()
        opening.result().close()
    logging.getLogger("cardhouse.server").removeHandler(waits)


def test_a_file_that_cannot_be_created_is_no_reason_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program has a lock on a file that can't exist, so none is waited for, nor blamed."""
    for seconds in ("NOTICE_SECONDS", "PREPARING_SECONDS", "LOCK_SECONDS"):
        monkeypatch.setattr(sqlite_files, seconds, 0)
    file = DatabaseFile("/proc/cards.db")
    with pytest.raises(OSError, match="No such file"), file.preparing():
        pass
    with pytest.raises(OSError, match="No such file"):
        file.lock()
    with pytest.raises(CardhouseError, match=r"Can't save the server key in /proc/cards\.db-admin-key"):
        admin_key_of("sqlite:////proc/cards.db")


def test_a_program_that_waits_too_long_says_for_what(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "NOTICE_SECONDS", 0)
    monkeypatch.setattr(sqlite_files, "PREPARING_SECONDS", 0)
    with (
        DatabaseFile(f"{folder}/cards.db").preparing(),
        pytest.raises(CardhouseError, match=r"has been creating or migrating the database .*/cards\.db for"),
    ):
        Store(f"sqlite:///{folder}/cards.db")
    Store(f"sqlite:///{folder}/cards.db").close()


@pytest.mark.soak
def test_eight_programs_create_one_database_at_once(tmp_path: Path) -> None:
    for number in range(10):
        assert open_at_once(f"sqlite:///{tmp_path}/{number}.db", 8) == [0] * 8, f"in round {number}"


# Whether it is there.


@pytest.mark.soak
@pytest.mark.parametrize("instead", ["a copy", *in_soak("nothing")])
def test_nothing_is_acknowledged_into_a_file_that_was_moved_away(serving: Server, folder: Path, instead: str) -> None:
    table = serving.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("add_character", name="Ada", card="HA")
    cards, away = folder / "cards.db", folder / "away.db"
    cards.rename(away)
    if instead == "a copy":
        shutil.copy(away, cards)
    before = cards.read_bytes() if cards.exists() else None
    same = fail(gm)
    fail(gm)
    assert p1.hear("trouble")["message"]
    assert ("Another file is now at" if before else "has been moved away or deleted") in serving.log.read_text()
    assert (cards.read_bytes() if cards.exists() else None) == before
    away.replace(cards)
    for person in (gm, p1):
        while person.hear("trouble")["message"] is not None:
            pass
    again = gm.ask({"do": "add_character", "name": "Nan", "card": "HK"}, id=same)
    assert again["t"] in ("ack", "change")
    gm.do("start_round")
    p1.catch_up(gm.n)
    check_log(table, gm, p1)
    serving.kill()
    serving.start()
    check_log(table, gm, p1)


@pytest.mark.parametrize("instead", [None, b"", "theirs"])
def test_no_worker_makes_another_file_where_it_was_moved_away(folder: Path, instead: bytes | str | None) -> None:
    path = folder / "cards.db"
    Store(f"sqlite:///{path}").close()
    path.rename(folder / "away.db")
    if instead == "theirs":
        sqlite3.connect(path).executescript("CREATE TABLE theirs (a)")
    elif isinstance(instead, bytes):
        path.write_bytes(instead)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(NotSaved, match="can't save right now"):
        export_transcript(f"sqlite:///{path}", record("abcd2345"))
    assert (path.read_bytes() if path.exists() else None) == before
    path.unlink(missing_ok=True)
    (folder / "away.db").rename(path)
    assert export_transcript(f"sqlite:///{path}", record("abcd2345"))


@pytest.mark.soak
def test_it_is_missed_though_nobody_answers(serving: Server, folder: Path) -> None:
    table = serving.make_table()
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="HA")
    (folder / "cards.db").unlink()
    assert gm.hear("trouble")["message"]
    assert table.transcript()[1]["name"] == "Ada"
    assert serving.get("/api/health")[0] == 503


def test_one_that_has_gone_can_be_read_again_and_again(folder: Path) -> None:
    store = Store(f"sqlite:///{folder}/cards.db", serving=True)
    store.create(record("abcd2345"))
    assert store.append([row(1)]) == [True]
    (folder / "cards.db").unlink()
    with pytest.raises(FileLost):
        store.append([row(2)])
    with pytest.raises(FileLost):
        store.probe()
    for _ in range(READERS + 1):
        assert [number for number, _ in store.entries("abcd2345")] == [1, 2]
    store.close()


@pytest.mark.parametrize("lost", [("-wal",), *in_soak((("-shm",),), (("-wal", "-shm"),))], ids="".join)
def test_a_log_that_was_deleted_is_saved_into_the_database(
    serving: Server, folder: Path, lost: tuple[str, ...]
) -> None:
    table = serving.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("add_character", name="Ada", card="HA")
    for name in lost:
        (folder / f"cards.db{name}").unlink()
    same = fail(gm)
    for person in (gm, p1):
        while person.hear("trouble")["message"] is not None:
            pass
    assert gm.ask({"do": "add_character", "name": "Nan", "card": "HK"}, id=same)["t"] in ("ack", "change")
    gm.do("start_round")
    p1.catch_up(gm.n)
    serving.kill()
    assert {"cards.db-wal", "cards.db-shm"} <= set(rights(folder))
    serving.start()
    check_log(table, gm, p1)


def test_a_log_of_something_else_is_not_touched(folder: Path) -> None:
    store = Store(f"sqlite:///{folder}/cards.db", serving=True)
    store.create(record("abcd2345"))
    log = folder / "cards.db-wal"
    log.unlink()
    log.write_bytes(b"another")
    with pytest.raises(FileLost, match="Remove it"):
        store.append([row(1)])
    with pytest.raises(FileLost, match="Remove it"):
        store.probe()
    assert log.read_bytes() == b"another"
    log.unlink()
    store.probe()
    assert store.append([row(1), row(2)]) == [False, True]
    store.close()
    assert [number for number, _ in Store(f"sqlite:///{folder}/cards.db").entries("abcd2345")] == [1, 2]
