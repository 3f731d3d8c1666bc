"""Commands for the stored tables: list, export, import, delete, back up."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import typer
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from cardhouse.cli import words
from cardhouse.cli.transcripts import naming, print_json, read_file
from cardhouse.engine import CardhouseError
from cardhouse.server.cluster.presence import Here, all_attending
from cardhouse.server.management.table_manager import NewTable, TableManager
from cardhouse.server.persistence import backup, backup_manifest
from cardhouse.server.persistence.database import Database, connect
from cardhouse.server.persistence.records import DOOR
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.sqlite_files import FileLost
from cardhouse.server.persistence.table_list import TableSummary, list_tables
from cardhouse.server.transcripts.transcript_export import transcript_of
from cardhouse.server.transcripts.transcript_import import read_in


def print_list(db: str, json: bool) -> None:
    """Print all tables, the last played first."""
    with opened(db) as store:
        listed, there = list_tables(store), all_attending(store, int(time.time()))
    missing = any(other.missing for other in listed)
    tables = [_described(one, there, missing=missing) for one in listed]
    if json:
        for table in tables:
            print_json(table)
    elif tables:
        words.console().print(words.table_of(tables, {}))
    else:
        typer.echo("There are no tables yet.")


def _described(listed: TableSummary, there: Here, *, missing: bool) -> dict[str, Any]:
    """Return a table's row; `there` are the connected seats of all tables, `missing` adds a column of lost entries."""
    header = msgspec.json.decode(listed.header)
    played = datetime.fromtimestamp(listed.saved_at or listed.made_at, UTC).astimezone()
    return {
        "table": listed.id,
        "game": header["game"],
        "name": header.get("name", ""),
        "entries": listed.entries,
        "last_played": played.isoformat(" ", "minutes"),
        **({"here": sum(there.get(listed.id, {}).values())} if there else {}),
        **({"missing": listed.missing} if missing else {}),
    }


def export(db: str, table: str) -> None:
    """Print a table's transcript."""
    with opened(db) as store:
        record = store.table(table)
        if record is None:
            raise no_table(table)
        typer.echo(transcript_of(store, record), nl=False)


def import_file(db: str, file: str, *, unverified: bool = False) -> None:
    """Create a table that goes on where a transcript ends, and print its links; or add the tables of a backup."""
    if file != "-" and backup.is_backup(Path(file)):
        _add(db, file, unverified=unverified)
        return
    with naming(file):
        read = read_in(b"\n".join(read_file(file)))

    async def work() -> NewTable:
        async with open_tables(db, make=True) as tables:
            return await tables.add(read)

    made = asyncio.run(work())
    typer.echo(f"Table {made.table} is created. Put your server's address in front of these links:")
    rows = words.grid(6, None)
    for seat, token in made.links.items():
        rows.add_row(seat, f"/{'j' if seat == DOOR and seat not in read.seats else 't'}/{made.table}#{token}")
    words.console().print(rows)


def _add(db: str, file: str, *, unverified: bool) -> None:
    """Add everything in a backup that isn't stored yet."""
    with open_database(db, make=True) as database:
        added = backup.add(Path(file), database, unverified=unverified)
    there = f" {words.count(added.there, 'table is', 'tables are')} there already, and unchanged." * bool(added.there)
    campaigns = f" and {words.count(len(added.campaigns), 'campaign')}" if added.campaigns else ""
    tables = words.count(len(added.tables), "table")
    typer.echo(f"{tables}{campaigns} added from {file}. Existing links keep working.{there}")
    for table in added.tables:
        typer.echo(table)


def delete(db: str, table: str, sure: bool) -> None:
    """Delete a table with all its data."""
    with opened(db) as store:
        found = next((listed for listed in list_tables(store) if listed.id == table), None)
        if found is None:
            raise no_table(table)
        entries = words.count(found.entries, "entry", "entries")
        if not sure and not typer.confirm(f"Delete table {table} with its {entries} permanently?", err=True):
            raise CardhouseError("Nothing was deleted.")
        store.delete(table)
    typer.echo(f"Table {table} is deleted.")


def back_up(db: str, file: str) -> None:
    """Write everything into one backup file."""
    with open_database(db) as database:
        summary = backup.back_up(database, Path(file))
    size = Path(file).stat().st_size / 1e6
    typer.echo(f"{file} has {_summary(summary)}. Size: {size:,.1f} MB. The copy was checked.")
    typer.echo(f"Fingerprint: {backup_manifest.fingerprint(Path(file))}")
    typer.echo(
        f"Keep {file} secret: it holds hidden cards, seeds and notes, so only your account may read it. "
        "The server key and the admin key are not in it: back them up yourself.",
        err=True,
    )


def restore(db: str, file: str, table: str, *, unverified: bool = False) -> None:
    """Restore everything in a backup, or one table of it, with its links."""
    with open_database(db, make=True) as database:
        if table:
            summary = backup.restore_table(Path(file), table, database, unverified=unverified)
        else:
            summary = backup.restore(Path(file), database, unverified=unverified)
    typer.echo(f"Restored from {file}: {_summary(summary)}. Existing links keep working.")
    if fingerprint := backup_manifest.fingerprint(Path(file)):
        typer.echo(f"Fingerprint of the backup: {fingerprint}")
    else:
        typer.echo(f"{file} has no manifest, so it was not verified.", err=True)


def _summary(summary: backup.BackupSummary) -> str:
    campaigns = f", and {words.count(summary.campaigns, 'campaign')}" if summary.campaigns else ""
    return f"{words.count(summary.tables, 'table')} with {words.count(summary.entries, 'entry', 'entries')}{campaigns}"


def no_table(table: str) -> CardhouseError:
    """Return the error for an unknown table."""
    return CardhouseError(f"There is no table {table}. See cardhouse tables list.", "no_such_table")


@contextmanager
def opened(db: str, *, make: bool = False) -> Iterator[Store]:
    """Open the store for a `with` block; a missing file is only created with `make`.

    Raises CardhouseError if it can't be used.
    """
    _must_be_there(db, make=make)
    store = Store(db)
    with _failing_in_a_sentence(store.close):
        yield store


@contextmanager
def open_database(db: str, *, make: bool = False) -> Iterator[Database]:
    """Open the database itself, like `opened`.

    Raises CardhouseError if it can't be used.
    """
    _must_be_there(db, make=make)
    database = connect(db)
    with _failing_in_a_sentence(database.close):
        yield database


def _must_be_there(db: str, *, make: bool) -> None:
    try:
        url = make_url(db)
    except ArgumentError:
        return  # opening the database reports this better
    file = url.database if url.get_backend_name() == "sqlite" else None
    if file and not make and not Path(file).exists():
        raise CardhouseError(f"There is no database {file}. Start cardhouse serve to create it.")


@contextmanager
def _failing_in_a_sentence(close: Callable[[], None]) -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, FileLost) as error:
        raise CardhouseError(f"The database failed: {str(error).partition(chr(10))[0]}") from None
    finally:
        close()


@asynccontextmanager
async def open_tables(db: str, *, make: bool = False) -> AsyncIterator[TableManager]:
    """Open all tables for an `async with` block."""
    with opened(db, make=make) as store:
        tables = TableManager(store)
        try:
            yield tables
        finally:
            await tables.close()
