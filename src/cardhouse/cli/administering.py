"""The administrator's commands for tables, which also work while the server runs; the admin page offers the same."""

import asyncio
import os
import time
from datetime import UTC, datetime
from urllib.parse import quote

import typer
from rich.text import Text

from cardhouse.cli import words
from cardhouse.cli.tables import no_table, open_tables, opened
from cardhouse.cli.transcripts import print_json
from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import ADMIN_FROM, admin_key_of
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.cluster.presence import all_attending
from cardhouse.server.management import announcements
from cardhouse.server.management.administration import TableOverview, check_message, table_at
from cardhouse.server.persistence.records import DOOR
from cardhouse.server.persistence.table_list import table_details

HEARD_SECONDS = round(announcements.LOOK_SECONDS)
"""A running server notices the change after this long at most."""


def show(db: str, table: str, json: bool) -> None:
    """Print a table's facts and seats, without anything hidden."""
    with opened(db) as store:
        found = [one for one in table_details(store, table, 0, 1) if one.id == table]
        if not found:
            raise no_table(table)
        overview = table_at(found[0], all_attending(store, int(time.time())))
    if json:
        print_json(overview)
        return
    about = words.grid(4, None)
    for name, value in _about(overview):
        about.add_row(name, Text(value))
    words.console().print(about)
    seats = [
        {"seat": one.seat, "name": one.name, "bot": one.bot, "here": one.here}
        for one in overview.seats
        if one.seat != DOOR
    ]
    words.console().print(words.table_of(seats, {}))


def _about(overview: TableOverview) -> list[tuple[str, str]]:
    rows = [
        ("Game", overview.game),
        ("Name", overview.name or "-"),
        ("Made", _day(overview.made_at)),
        ("Last used", _day(overview.used_at)),
        ("Kept", f"{words.count(overview.answers, 'answer', 'answers')}, {overview.bytes / 1000:,.1f} kB"),
    ]
    return [*rows, ("Kept until", _day(overview.kept_until))] if overview.kept_until else rows


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().date().isoformat()


def renew(db: str, table: str, seat: str) -> None:
    """Replace the link of a seat, or the invite, and print the new one."""

    async def work() -> str:
        async with open_tables(db) as tables:
            try:
                return await (await tables.table(table)).settings.renew(seat)
            except TableDeleted:
                raise no_table(table) from None

    token = asyncio.run(work())
    typer.echo(f"/{'j' if seat == DOOR else 't'}/{table}#{token}")
    typer.echo(
        f"Put your server's address in front of this new link. The old link no longer works; its player is "
        f"disconnected within {HEARD_SECONDS} seconds.",
        err=True,
    )


def end(db: str, table: str) -> None:
    """End a table at once, which publishes its seed."""

    async def work() -> None:
        async with open_tables(db) as tables:
            try:
                await (await tables.table(table)).end_now()
            except TableDeleted:
                raise no_table(table) from None

    asyncio.run(work())
    typer.echo(f"Table {table} has ended.")


def say(db: str, message: str | None) -> None:
    """Set the announcement to everyone, remove it (empty), or print it (None)."""
    with opened(db) as store:
        if message is None:
            typer.echo(announcements.read_announcement(store) or "There is no server notice.")
            return
        message = message.strip()
        check_message(message)
        announcements.store_announcement(store, message)
    if message:
        typer.echo(f"Everyone sees it within {HEARD_SECONDS} seconds, until you remove it:")
        typer.echo('cardhouse tables say ""')
    else:
        typer.echo("The notice is removed.")


def page(db: str, address: str) -> None:
    """Print the admin link."""
    key = admin_key_of(db)
    if not key.secret:
        raise CardhouseError(f"Servers that share a database take the admin key from {ADMIN_FROM}. Set it.")
    typer.echo(f"{address.rstrip('/')}/house#{quote(key.secret)}")
    if not os.environ.get(ADMIN_FROM):
        typer.echo("Keep this link private: it can end and delete every table.", err=True)
