"""Backups: a copy of all stored data in one file, made while the server runs, and restoring from it.

The file is a SQLite database with the server's own schema, whichever database it came from. It holds seeds, hidden
cards, notes, and hashes of links. So it is as secret as the database, and only its owner can read it. It does not
contain the server key and the admin key. Its manifest lets a restore detect damage.
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
from cardhouse.server.persistence.records import DOOR_ROW

AT_ONCE = 500
"""Rows held in memory at once."""
COPIED = [table for table in schema.metadata.sorted_tables if table not in (schema.probe, schema.servers)]
"""The copied tables, ordered so that rows come after those they refer to."""
_MAGIC = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-lock", "-preparing")


class BackupSummary(msgspec.Struct, frozen=True):
    """The number of rows copied or found."""

    tables: int
    entries: int
    campaigns: int


def back_up(source: Database, file: Path) -> BackupSummary:
    """Copy everything into a new file, as one consistent snapshot, and check the copy.

    Raises CardhouseError if the file exists or can't be written, or if the stored data is damaged.
    """
    if file.exists():
        raise CardhouseError(f"{file} is there already; give the backup a name of its own.")
    part = file.with_name(f"{file.name}.part")
    try:
        _remove(part)
        with _opened(f"sqlite:///{part}") as copy:
            with _snapshot(source) as reading, copy.changing.begin() as writing:
                summary = _copy(reading, writing)
            _check(copy, summary)
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
    return summary


def restore(file: Path, target: Database, *, unverified: bool = False) -> BackupSummary:
    """Load a backup, also one of an older Cardhouse, into an empty database: all of it or nothing.

    `unverified` accepts a backup without a manifest. Raises CardhouseError if the file is no backup or is damaged, or
    if the database isn't empty.
    """
    with (
        _opened_copy(file, unverified=unverified) as source,
        _snapshot(source) as reading,
        target.changing.begin() as writing,
    ):
        _no_time_limits(writing)
        summary = _count(writing)
        if summary.tables or summary.campaigns:
            raise CardhouseError(
                "This database isn't empty. Name an empty one with --db, or restore a single table with --table."
            )
        _copy(reading, writing)
        writing.execute(update(schema.house).values(message=""))  # the old announcement is out of date
        return _count(reading)


def restore_table(file: Path, table: str, target: Database, *, unverified: bool = False) -> BackupSummary:
    """Restore one table from a backup, with its links and its commitment.

    It keeps its campaign and its neighbouring tables if the database has them. Raises CardhouseError as `restore` does,
    and if the backup lacks the table or the database already has it.
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
        summary = _copy(reading, writing, table)
        _clear_dangling(writing, table)
        _drop_foreign_code(reading, writing, table)
        return summary


class Added(msgspec.Struct, frozen=True):
    """The ids of the added tables and campaigns, and the number of tables that were there already."""

    tables: list[str]
    campaigns: list[str]
    there: int


def add(file: Path, target: Database, *, unverified: bool = False) -> Added:
    """Add all tables and campaigns that the database lacks, with links and commitments: all of them or none.

    Existing tables stay unchanged. Raises CardhouseError if the file is no backup or is damaged.
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
        for table in tables:  # after all of them exist
            _clear_dangling(writing, table)
            _drop_foreign_code(reading, writing, table)
        return Added(tables, campaigns, _count(reading).tables - len(tables))


def _missing(reading: Connection, writing: Connection, kind: Table) -> list[str]:
    """Return the ids that `reading` has and `writing` lacks."""
    found = reading.execute(select(kind.c.id).order_by(kind.c.id)).scalars()
    return [one for one in found if not _has(writing, kind, one)]


def is_backup(file: Path) -> bool:
    """Return whether a file is a SQLite database, as backups are."""
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
        if table is schema.house:  # every database has its row already
            writing.execute(delete(table))
        with reading.execution_options(yield_per=AT_ONCE).execute(select(table).where(which)) as rows:
            for some in rows.mappings().partitions(AT_ONCE):
                writing.execute(insert(table), [dict(row) for row in some])
    return _count(reading, only)


def _belongs(table: Table, only: str) -> ColumnElement[bool] | None:
    """Return the condition for the rows to copy; None if this database table has no rows of single tables."""
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


def _clear_dangling(writing: Connection, table: str) -> None:
    """Remove a table's references to a campaign and to neighbouring tables that don't exist here."""
    links = {"followed_by": schema.tables, "follows": schema.tables, "campaign": schema.campaigns}
    row = writing.execute(select(schema.tables).where(schema.tables.c.id == table)).mappings().one()
    missing = [name for name, where in links.items() if row[name] and not _has(writing, where, row[name])]
    found_here = {**dict.fromkeys(missing, ""), "goes_at": 0, "goes_day": 0}  # each database counts its own days
    writing.execute(update(schema.tables).where(schema.tables.c.id == table).values(found_here))


def _drop_foreign_code(reading: Connection, writing: Connection, table: str) -> None:
    """Remove a copied table's join code if it was hashed with another database's salt: it would open nothing."""
    salts = {one.scalar(select(schema.house.c.salt)) for one in (reading, writing)}
    if len(salts) > 1:
        seats = schema.seats.c
        writing.execute(delete(schema.seats).where(seats.table_id == table, seats.seat == DOOR_ROW))


def _check(copy: Database, summary: BackupSummary) -> None:
    """Raises CardhouseError unless the copy is intact and complete."""
    with copy.engine.connect() as connection:
        found: Sequence[str] = connection.execute(text("PRAGMA integrity_check")).scalars().all()
        strays = connection.execute(text("PRAGMA foreign_key_check")).all()
        if list(found) != ["ok"] or strays or _count(connection) != summary:
            raise CardhouseError(f"The copy is broken, and isn't kept: {', '.join(found)}.")


@contextmanager
def _snapshot(database: Database) -> Iterator[Connection]:
    """Open a connection that sees one consistent snapshot and blocks nobody."""
    level = "REPEATABLE READ" if database.file is None else "SERIALIZABLE"
    with database.engine.connect().execution_options(isolation_level=level) as connection, connection.begin():
        _no_time_limits(connection)
        yield connection


def _no_time_limits(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """Open a database, migrated; after it is closed, SQLite has everything in its one file."""
    database = connect(url)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _opened_copy(file: Path, *, unverified: bool) -> Iterator[Database]:
    """Open a verified copy of a backup, migrated if it is older; the file itself stays unchanged."""
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
