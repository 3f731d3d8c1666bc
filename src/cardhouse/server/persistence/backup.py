"""A copy of everything a house keeps, in one file, made while it runs; and a house made of such a copy.

The file is a database of SQLite in the house's own form, from whichever kind of database it was made. It holds seeds,
hidden cards, notes, and the hashes of links, so it is as secret as the database, and nobody else may read it. The
server key and the admin key are not in it. A manifest in it lets a restore find damage.
"""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, delete, exc, func, insert, select, text, true, update

from cardhouse.engine import CardhouseError
from cardhouse.server.persistence import backup_manifest, schema
from cardhouse.server.persistence.database import Database, connect

AT_ONCE = 500
"""So many rows are held in memory."""
COPIED = [table for table in schema.metadata.sorted_tables if table not in (schema.probe, schema.servers)]
"""In such an order that what a row belongs to is there before it."""
_MAGIC = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-lock", "-preparing")


class BackupSummary(msgspec.Struct, frozen=True):
    """How much there is of everything."""

    tables: int
    entries: int
    campaigns: int


def back_up(source: Database, file: Path) -> BackupSummary:
    """Copy everything into a new file, as it is at one moment, and check the copy.

    Raises CardhouseError if the file is there already or can't be written, or what is kept is broken.
    """
    if file.exists():
        raise CardhouseError(f"{file} is there already; give the backup a name of its own.")
    part = file.with_name(f"{file.name}.part")
    try:
        _remove(part)
        with _opened(f"sqlite:///{part}") as copy:
            with _snapshot(source) as reading, copy.changing.begin() as writing:
                kept = _copy(reading, writing)
            _check(copy, kept)
        backup_manifest.write(part)
        part.replace(file)
    except OSError as error:
        raise CardhouseError(f"{file} can't be written: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise CardhouseError(f"Nothing was backed up: {error}.") from None
    except exc.DBAPIError as error:
        raise CardhouseError(f"Nothing was backed up: {error.orig}.") from None
    finally:
        with suppress(OSError):
            _remove(part)
    return kept


def restore(file: Path, target: Database, *, unverified: bool = False) -> BackupSummary:
    """Take everything from a backup, also one of an older Cardhouse, into an empty database: all of it or nothing.

    With `unverified` a backup without a manifest will do. Raises CardhouseError if the file is no backup or is damaged,
    or something is kept in the database.
    """
    with (
        _opened_copy(file, unverified=unverified) as source,
        _snapshot(source) as reading,
        target.changing.begin() as writing,
    ):
        _no_time_limits(writing)
        kept = _count(writing)
        if kept.tables or kept.campaigns:
            raise CardhouseError(
                "This database isn't empty. Name an empty one with --db, or restore a single table with --table."
            )
        _copy(reading, writing)
        writing.execute(update(schema.house).values(message=""))  # it was said on another day
        return _count(reading)


def restore_table(file: Path, table: str, target: Database, *, unverified: bool = False) -> BackupSummary:
    """Take one table from a backup into a database, with its links and its commitment.

    It stays in its campaign, and beside the tables before and after it, where those are kept in the database.
    Raises CardhouseError as `restore` does, and if the file has no such table, or the database has it.
    """
    with (
        _opened_copy(file, unverified=unverified) as source,
        _snapshot(source) as reading,
        target.changing.begin() as writing,
    ):
        if not _has(reading, schema.tables, table):
            raise CardhouseError(f"{file} has no table {table}.", "no_such_table")
        if _has(writing, schema.tables, table):
            raise CardhouseError(f"Table {table} is there already; cardhouse tables delete {table} makes room for it.")
        kept = _copy(reading, writing, table)
        _forget_what_is_missing(writing, table)
        return kept


class Added(msgspec.Struct, frozen=True):
    """The tables and campaigns that were taken in, by their ids, and how many tables were there already."""

    tables: list[str]
    campaigns: list[str]
    there: int


def add(file: Path, target: Database, *, unverified: bool = False) -> Added:
    """Take whatever the database hasn't got from a backup, with its links and commitments: all of it or nothing.

    What is there stays as it is. Raises CardhouseError if the file is no backup or is damaged.
    """
    with (
        _opened_copy(file, unverified=unverified) as source,
        _snapshot(source) as reading,
        target.changing.begin() as writing,
    ):
        _no_time_limits(writing)
        campaigns = _missing(reading, writing, schema.campaigns)
        for campaign in campaigns:
            row = reading.execute(select(schema.campaigns).where(schema.campaigns.c.id == campaign)).mappings().one()
            writing.execute(insert(schema.campaigns), dict(row))
        tables = _missing(reading, writing, schema.tables)
        for table in tables:
            _copy(reading, writing, table)
        for table in tables:  # when all of them are there
            _forget_what_is_missing(writing, table)
        return Added(tables, campaigns, _count(reading).tables - len(tables))


def _missing(reading: Connection, writing: Connection, kind: Table) -> list[str]:
    """The ids of what is in the one and isn't in the other."""
    found = reading.execute(select(kind.c.id).order_by(kind.c.id)).scalars()
    return [one for one in found if not _has(writing, kind, one)]


def is_backup(file: Path) -> bool:
    """Whether a file is a database of SQLite, as backups are."""
    try:
        with file.open("rb") as content:
            return content.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _copy(reading: Connection, writing: Connection, only: str = "") -> BackupSummary:
    """Copy every row, or those of one table."""
    for table in COPIED:
        which = _belongs(table, only)
        if which is None:
            continue
        if table is schema.house:  # every database has its own
            writing.execute(delete(table))
        with reading.execution_options(yield_per=AT_ONCE).execute(select(table).where(which)) as rows:
            for some in rows.mappings().partitions(AT_ONCE):
                writing.execute(insert(table), [dict(row) for row in some])
    return _count(reading, only)


def _belongs(table: Table, only: str) -> ColumnElement[bool] | None:
    """Which rows of a table of the database are to be copied; None if it has nothing of a single table's."""
    if not only:
        return true()
    column = table.c.id if table is schema.tables else table.c.get("table_id")
    return None if column is None else column == only


def _count(connection: Connection, only: str = "") -> BackupSummary:
    def rows(table: Table) -> int:
        which = _belongs(table, only)
        return 0 if which is None else connection.scalar(select(func.count()).select_from(table).where(which)) or 0

    return BackupSummary(rows(schema.tables), rows(schema.entries), rows(schema.campaigns))


def _has(connection: Connection, table: Table, id: str) -> bool:
    return connection.scalar(select(func.count()).select_from(table).where(table.c.id == id)) == 1


def _forget_what_is_missing(writing: Connection, table: str) -> None:
    """The table belongs to no campaign and leads to no table that aren't there."""
    links = {"followed_by": schema.tables, "follows": schema.tables, "campaign": schema.campaigns}
    row = writing.execute(select(schema.tables).where(schema.tables.c.id == table)).mappings().one()
    missing = [name for name, where in links.items() if row[name] and not _has(writing, where, row[name])]
    found_here = {**dict.fromkeys(missing, ""), "goes_at": 0, "goes_day": 0}  # days are counted otherwise here
    writing.execute(update(schema.tables).where(schema.tables.c.id == table).values(found_here))


def _check(copy: Database, kept: BackupSummary) -> None:
    """Raises CardhouseError unless the copy is sound and has everything in it."""
    with copy.engine.connect() as connection:
        found: Sequence[str] = connection.execute(text("PRAGMA integrity_check")).scalars().all()
        strays = connection.execute(text("PRAGMA foreign_key_check")).all()
        if list(found) != ["ok"] or strays or _count(connection) != kept:
            raise CardhouseError(f"The copy is broken, and isn't kept: {', '.join(found)}.")


@contextmanager
def _snapshot(database: Database) -> Iterator[Connection]:
    """A connection that sees everything as it is at one moment, and makes nobody wait."""
    level = "REPEATABLE READ" if database.file is None else "SERIALIZABLE"
    with database.engine.connect().execution_options(isolation_level=level) as connection, connection.begin():
        _no_time_limits(connection)
        yield connection


def _no_time_limits(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """A database, in the present form; once it is closed, SQLite has all of it in its one file."""
    database = connect(url)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _opened_copy(file: Path, *, unverified: bool) -> Iterator[Database]:
    """A backup that was verified, brought to the present form if it is older; the file itself stays as it is."""
    if not file.is_file():
        raise CardhouseError(f"File not found: {file}")
    with TemporaryDirectory(prefix="cardhouse-") as folder:
        copied = Path(folder) / "backup.db"
        try:
            shutil.copyfile(file, copied)
        except OSError as error:
            raise CardhouseError(f"{file} can't be read: {error.strerror or error}.") from None
        if not is_backup(copied):
            raise CardhouseError(f"{file} isn't a backup. cardhouse tables backup makes one.")
        backup_manifest.verify(copied, file, unverified=unverified)
        with _opened(f"sqlite:///{copied}") as database:
            yield database


def _remove(file: Path) -> None:
    for name in (file, *(file.with_name(f"{file.name}{more}") for more in _BESIDE)):
        name.unlink(missing_ok=True)
