"""`cardhouse roster`: a table's characters as a file for another table."""

import asyncio
from pathlib import Path

import typer

from cardhouse.cli.transcripts import read_table
from cardhouse.engine import GM, CardhouseError


def write(file: str, table: str, output: str, seed: int, db: str) -> None:
    """Write the roster file of a transcript's table, or of a stored one.

    Raises CardhouseError if neither or both are given, its game has no roster, or the file can't be written.
    """
    if bool(file) == bool(table):
        raise CardhouseError("Give either a transcript's FILE, or --table with a table's id.")
    text = kept(db, table) if table else read_table(file, GM, seed, json=False).roster()
    write_file(text, output)


def write_file(text: bytes, output: str) -> None:
    """Write a roster file, or print it for `-`.

    Raises CardhouseError if it can't be written.
    """
    if output == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(output).write_bytes(text)
    except OSError as error:
        raise CardhouseError(f"{output} can't be written: {error.strerror}.") from None


def kept(db: str, table: str) -> bytes:
    """Return the roster file of a stored table."""
    from cardhouse.cli.tables import no_table, open_tables
    from cardhouse.server.cluster.leased_record import TableDeleted
    from cardhouse.server.jobs.tasks import roster_of

    async def work() -> bytes:
        async with open_tables(db) as tables:
            try:
                opened = await tables.table(table)
                return roster_of(await opened.table_state(), opened.record.now.faces_drawn)
            except TableDeleted:
                raise no_table(table) from None

    return asyncio.run(work())
