"""Administration over the web: an overview of all tables, and actions on them.

Nothing here reveals hidden information. A new link for a seat admits its holder, and disconnects the previous player
with the reason.
"""

import asyncio
import logging
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine import SCREEN, CardhouseError, Text
from cardhouse.engine.diagnostics.registry import game_packages
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.cluster.presence import Here
from cardhouse.server.core.game_pages import runs_scripts
from cardhouse.server.core.tokens import is_table_id
from cardhouse.server.management.table_documents import NOBODY
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.records import DOOR
from cardhouse.server.persistence.table_list import TableDetails, stored_total, table_details
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.wire import requests

AT_ONCE = 50
"""Most tables in one response."""
LONGEST_MESSAGE = 200
log = logging.getLogger("cardhouse.admin")

_ORDER = {"gm": 0, SCREEN: 2, DOOR: 3}


class SeatOverview(Struct, frozen=True, omit_defaults=True):
    """A seat: its player's name, the bot that plays it, and how many devices are connected by its link.

    The table screen and the invite (`door`) are included.
    """

    seat: str
    name: str = ""
    bot: str = ""
    here: int = 0


class TableOverview(Struct, frozen=True, omit_defaults=True):
    """A table, without anything hidden. Times are Unix seconds; `bytes` is the approximate size of its log.

    `used_at` is when it was last opened, to about a day, or answered; `kept_until` is when it will be deleted unless it
    is used.
    """

    table: str
    game: str
    name: str
    made_at: int
    used_at: int
    answers: int
    bytes: int
    seats: list[SeatOverview]
    campaign: str = ""
    kept_until: int = 0


class PackageOverview(Struct, frozen=True):
    """An installed package with games: whether browsers run `scripts` of it, which may do everything the page does."""

    name: str
    version: str
    games: list[str]
    scripts: bool


class HouseOverview(Struct, frozen=True):
    """The server: number and size of its tables, connected devices, and the announcement.

    `keep_days` is for how many days unused tables are kept, 0 for forever. `packages` are those with games, Cardhouse
    first. `found` is a page of tables, and `more` says that others follow.
    """

    version: str
    tables: int
    bytes: int
    here: int
    message: str
    keep_days: int
    packages: list[PackageOverview]
    found: list[TableOverview]
    more: bool


class LinkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Replace the link of a seat, or the invite (`door`)."""

    seat: Annotated[str, Meta(max_length=40)]


class AnnouncementRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Set the announcement; an empty message removes it."""

    message: str


class LinkResponse(Struct, frozen=True):
    """The secret of a seat's new link, or of the new invite."""

    seat: str
    token: str


async def look(manager: TableManager, version: str, keep_days: int, find: str, after: int) -> HouseOverview:
    """Return the overview, with the tables after the first `after` whose id or name contains `find`, last used first.

    Raises NotSaved.
    """
    store = manager.store
    tables, size = await manager.saver.read(stored_total, store)
    looked = await manager.saver.read(table_details, store, find, after, AT_ONCE + 1)
    here = await manager.cluster_presence.read()
    people = sum(sum(seats.values()) for seats in here.values())
    found = [table_at(one, here) for one in looked[:AT_ONCE]]
    more = len(looked) > AT_ONCE
    message = manager.announcements.message
    packages = await asyncio.to_thread(packages_here)
    return HouseOverview(version, tables, size, people, message, keep_days, packages, found, more)


def packages_here() -> list[PackageOverview]:
    """Return the installed packages with games, Cardhouse's own first."""
    return [
        PackageOverview(*package, games, any(map(runs_scripts, games))) for package, games in game_packages().items()
    ]


def table_at(looked: TableDetails, here: Here) -> TableOverview:
    """Return a table's overview with its connected devices."""
    header = msgspec.json.decode(looked.header)
    there = here.get(looked.id, {})
    seats = [
        SeatOverview(seat.seat or DOOR, seat.name, seat.bot, there.get(seat.seat, 0))
        for seat in sorted(looked.seats, key=lambda one: (_ORDER.get(one.seat or DOOR, 1), one.seat))
    ]
    about = header["game"], header.get("name", ""), looked.made_at, looked.used_at, looked.entries, looked.bytes
    return TableOverview(looked.id, *about, seats, looked.campaign, looked.goes_at)


async def renew(manager: TableManager, id: str, body: bytes) -> LinkResponse:
    """Replace a seat's link or the invite; when this returns, the old one is invalid.

    Raises CardhouseError if there is no such table or seat; NotSaved.
    """
    request = requests.read(body, LinkRequest)
    table = await manager.table(id)
    token = await table.settings.renew(request.seat)
    log.info("Administration: table %s, a new link for %s", id, request.seat)
    return LinkResponse(request.seat, token)


async def end(manager: TableManager, id: str) -> None:
    """End a table, with the same advance notice to its clients as when the game master ends it.

    Raises CardhouseError if there is none, or it has ended; NotSaved.
    """
    await (await manager.table(id)).settings.announce_end(on=True)
    log.info("Administration: table %s is ended", id)


async def delete(manager: TableManager, id: str) -> None:
    """Delete a table with all its data, and disconnect its clients.

    Raises TableDeleted if there is none; NotSaved.
    """
    if not is_table_id(id) or not await manager.saver.write(manager.store.delete, id):
        raise TableDeleted
    manager.let_go(id)
    log.info("Administration: table %s is deleted", id)


async def export(manager: TableManager, visitor: str, id: str) -> bytes:
    """Return the transcript, gzipped, of a table with nothing hidden.

    Raises CardhouseError while anything is hidden; NotSaved.
    """
    table = await manager.table(id)
    await _check_open(table)
    text = await manager.documents.write_transcript(visitor, table)
    await _check_open(table)  # the end may have been undone meanwhile
    log.info("Administration: table %s is exported", id)
    return text


async def _check_open(table: OpenTable) -> None:
    instead = " On the server's machine, cardhouse tables export prints it."
    await table.check_open(NOBODY, "The transcript shows hidden cards", instead)


async def say(manager: TableManager, body: bytes) -> None:
    """Set the announcement to everyone; an empty message removes it.

    Raises CardhouseError for text that can't be displayed, or is too long; NotSaved.
    """
    message = requests.read(body, AnnouncementRequest).message.strip()
    check_message(message)
    await manager.announcements.announce(message)
    log.info("Administration: %s", "the server notice is set" if message else "the server notice is removed")


def check_message(message: str) -> None:
    """Raises CardhouseError if the message can't be displayed, or is too long."""
    if message and (problem := Text(most=LONGEST_MESSAGE).wrong(message)):
        raise CardhouseError(f"The server notice {problem}.")
