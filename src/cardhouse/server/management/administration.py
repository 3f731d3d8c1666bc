"""What whoever runs the house does over the web: look at its tables from outside, and see to them.

Nothing here tells what is hidden at a table. A new link for a seat lets in whoever holds it, and shuts out whoever sat
there, who is told so.
"""

import logging
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine import SCREEN, CardhouseError, Text
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.cluster.presence import Here
from cardhouse.server.core.tokens import is_table_id
from cardhouse.server.management.house import NOBODY, House
from cardhouse.server.persistence.records import DOOR
from cardhouse.server.persistence.table_list import Looked, kept_in_all, look_at
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.wire import requests

AT_ONCE = 50
"""So many tables are told of at once."""
LONGEST_MESSAGE = 200
log = logging.getLogger("cardhouse.admin")

_ORDER = {"gm": 0, SCREEN: 2, DOOR: 3}


class SeatAt(Struct, frozen=True, omit_defaults=True):
    """A seat, what the one in it is called, which bot plays it, and how many devices are there by its link now.

    The table screen and the door are among them.
    """

    seat: str
    name: str = ""
    bot: str = ""
    here: int = 0


class TableAt(Struct, frozen=True, omit_defaults=True):
    """A table from outside. Times are Unix seconds; `bytes` is about what its log takes.

    `used_at` is when somebody last opened it, to about a day, or answered there, `kept_until` when it is deleted unless
    somebody does.
    """

    table: str
    game: str
    name: str
    made_at: int
    used_at: int
    answers: int
    bytes: int
    seats: list[SeatAt]
    campaign: str = ""
    kept_until: int = 0


class HouseAt(Struct, frozen=True):
    """The house: how many tables it keeps and bytes that takes, how many devices are there, and what is said to all.

    `keep_days` is for how long tables are kept that nobody uses, 0 for ever. `found` are some of the tables, and
    `more` says that others come behind them.
    """

    version: str
    tables: int
    bytes: int
    here: int
    message: str
    keep_days: int
    found: list[TableAt]
    more: bool


class LinkWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose link: a seat, or the table's `door`."""

    seat: Annotated[str, Meta(max_length=40)]


class MessageWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be said to all; nothing takes back what was said."""

    message: str


class LinkMade(Struct, frozen=True):
    """The secret of a seat's new link, or of the door's."""

    seat: str
    token: str


async def look(house: House, version: str, keep_days: int, find: str, after: int) -> HouseAt:
    """The house, and some of its tables: behind so many, the last used first, those with a text in id or name.

    Raises NotSaved.
    """
    store = house.store
    tables, size = await house.saver.read(kept_in_all, store)
    looked = await house.saver.read(look_at, store, find, after, AT_ONCE + 1)
    here = await house.attendance.read()
    people = sum(sum(seats.values()) for seats in here.values())
    found = [table_at(one, here) for one in looked[:AT_ONCE]]
    more = len(looked) > AT_ONCE
    return HouseAt(version, tables, size, people, house.bulletin.message, keep_days, found, more)


def table_at(looked: Looked, here: Here) -> TableAt:
    """A table from outside, and who is there."""
    header = msgspec.json.decode(looked.header)
    there = here.get(looked.id, {})
    seats = [
        SeatAt(seat.seat or DOOR, seat.name, seat.bot, there.get(seat.seat, 0))
        for seat in sorted(looked.seats, key=lambda one: (_ORDER.get(one.seat or DOOR, 1), one.seat))
    ]
    about = header["game"], header.get("name", ""), looked.made_at, looked.used_at, looked.entries, looked.bytes
    return TableAt(looked.id, *about, seats, looked.campaign, looked.goes_at)


async def renew(house: House, id: str, body: bytes) -> LinkMade:
    """A new link for a seat of a table, or for its door; the old one opens nothing any more when this is told.

    Raises CardhouseError if there is no such table or seat; NotSaved.
    """
    wanted = requests.read(body, LinkWanted)
    table = await house.table(id)
    token = await table.settings.renew(wanted.seat)
    log.info("Administration: table %s, a new link for %s", id, wanted.seat)
    return LinkMade(wanted.seat, token)


async def end(house: House, id: str) -> None:
    """End a table, which is announced to those at it for a moment, as when its game master ends it.

    Raises CardhouseError if there is none, or it has ended; NotSaved.
    """
    await (await house.table(id)).settings.announce_end(on=True)
    log.info("Administration: table %s is ended", id)


async def delete(house: House, id: str) -> None:
    """Delete a table and all that is kept of it; whoever is there is sent away.

    Raises Gone if there is none; NotSaved.
    """
    if not is_table_id(id) or not await house.saver.write(house.store.delete, id):
        raise TableDeleted
    house.let_go(id)
    log.info("Administration: table %s is deleted", id)


async def export(house: House, visitor: str, id: str) -> bytes:
    """The transcript of a table that hides nothing any more, packed.

    Raises CardhouseError while it does; NotSaved.
    """
    table = await house.table(id)
    await _check_open(table)
    text = await house.write_transcript(visitor, table)
    await _check_open(table)  # meanwhile the end may have been taken back
    log.info("Administration: table %s is exported", id)
    return text


async def _check_open(table: OpenTable) -> None:
    if (whose := await table.whose(NOBODY)) is not None:
        raise CardhouseError(
            f"The transcript has hidden data, so it is {whose}. On the server's machine, cardhouse tables export "
            "prints it.",
            "not_yours",
        )


async def say(house: House, body: bytes) -> None:
    """Say something to all, until it is taken back.

    Raises CardhouseError for what can't be shown, or is too long; NotSaved.
    """
    message = requests.read(body, MessageWanted).message.strip()
    check_message(message)
    await house.bulletin.say(message)
    log.info("Administration: %s", "the server notice is set" if message else "the server notice is removed")


def check_message(message: str) -> None:
    """Raises CardhouseError if it can't be shown, or is too long."""
    if message and (problem := Text(most=LONGEST_MESSAGE).wrong(message)):
        raise CardhouseError(f"The server notice {problem}.")
