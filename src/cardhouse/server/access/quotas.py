"""Quotas: how many tables and bytes a server keeps, and the guards of routes that create tables."""

import asyncio
import re
import time
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Guard
from msgspec import Struct

from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import may_make_tables
from cardhouse.server.access.rate_limits import charge, rate_limited
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.table_list import stored_total
from cardhouse.server.wire.protocol import FRAME_BYTES

LOOK_SECONDS = 5.0
"""The shortest interval between two counts of the stored data; tables made in between are added."""
TABLE_BYTES = 50_000_000
"""Approximate limit of one table's log; no one plays that long."""
TABLE_LOOKED_AT = 100
"""The number of answers before a log is first measured, and the least number between two measurements."""
AN_ENTRY_BYTES = 2 * FRAME_BYTES
"""Approximate upper bound of an entry's size: an answer, and the chance events it caused."""
_SIZE = re.compile(r"(\d{1,7})(MB|GB|TB)")
_BYTES = {"MB": 10**6, "GB": 10**9, "TB": 10**12}


class Quota(Struct, frozen=True):
    """The most `tables` a server keeps, and the most `bytes` they take; 0 for no limit."""

    tables: int = 0
    bytes: int = 0


def quota_of(tables: int, size: str | None) -> Quota:
    """Parse a quota: a number of tables, 0 for any, and a size like `500MB` or `20GB`, or None.

    Raises CardhouseError if the size is invalid.
    """
    if size is None:
        return Quota(tables)
    found = _SIZE.fullmatch(size)
    if found is None or not int(found[1]):
        raise CardhouseError(f'"{size[:40]}" isn\'t a size. Write it like 500MB or 20GB.')
    return Quota(tables, int(found[1]) * _BYTES[found[2]])


class Room:
    """The server's room for further tables."""

    def __init__(self, saver: Saver, quota: Quota) -> None:
        self._saver = saver
        self._quota = quota
        self._tables = 0
        self._bytes = 0
        self._counted_at = float("-inf")
        self._counting = asyncio.Lock()

    async def check(self) -> None:
        """Count in one more table. Raises CardhouseError if there is no room for it; NotSaved."""
        if self._quota == Quota():
            return
        await self._measure()
        self.check_further(1)

    async def check_bytes(self) -> None:
        """Raises CardhouseError if the quota of bytes is used up; NotSaved."""
        if self._quota.bytes:
            await self._measure()
            self._check(self._bytes, self._quota.bytes, self._of_bytes())

    async def _measure(self) -> None:
        async with self._counting:
            if time.monotonic() - self._counted_at >= LOOK_SECONDS:
                self._tables, self._bytes = await self._saver.read(stored_total, self._saver.store)
                self._counted_at = time.monotonic()

    def check_further(self, count: int) -> None:
        """Count in `count` more tables of a request whose first one `check` counted. Raises CardhouseError if full.

        It measures nothing: the database doesn't have the first one yet, and a new measurement would forget it.
        """
        self._check(self._tables + count - 1, self._quota.tables, f"{self._quota.tables:,} tables")
        self._check(self._bytes, self._quota.bytes, self._of_bytes())
        self._tables += count

    def _of_bytes(self) -> str:
        return f"{self._quota.bytes / 10**6:,.0f} MB of tables"

    def _check(self, kept: int, most: int, resource: str) -> None:
        if most and kept >= most:
            raise CardhouseError(
                f"This server is full: it keeps at most {resource}. Existing tables continue. Ask the administrator to "
                f"make room.",
                "full",
            )

    def add_bytes(self, count: int) -> None:
        """Count bytes saved since the database was last measured."""
        self._bytes += count


class TableRoom:
    """A table's room for further answers; ending the table is always possible."""

    def __init__(self, saver: Saver, id: str) -> None:
        self._saver = saver
        self._id = id
        self._measured_from = TABLE_LOOKED_AT  # the number of an entry
        self._is_full = False

    async def check(self, number: int, answer: bytes) -> None:
        """Check the room for `answer`, as JSON, after entry `number`.

        Raises CardhouseError if there is none; NotSaved.
        """
        if number >= self._measured_from:  # measuring reads the whole log, so not before it can have grown that much
            self._measured_from = number + TABLE_LOOKED_AT
            left = TABLE_BYTES - await self._saver.read(self._saver.store.size, self._id)
            self._measured_from = number + max(TABLE_LOOKED_AT, left // AN_ENTRY_BYTES)
            self._is_full = left <= 0
        if self._is_full and not _ends(answer):
            size = f"{TABLE_BYTES / 10**6:,.0f} MB"
            raise CardhouseError(
                f"This table's log has reached its limit of {size}. End the table, and play again.", "full"
            )


def _ends(answer: bytes) -> bool:
    try:
        return "end" in msgspec.json.decode(answer, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return False


async def has_room(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """A guard for routes that create a table."""
    room: Room = connection.app.state["room"]
    await room.check()


def charge_further_tables(connection: ASGIConnection, count: int) -> None:  # type: ignore[type-arg]
    """Charge for tables that a request creates besides the one its guards charged for, before any is created.

    Raises CardhouseError if they are too many.
    """
    if count:
        charge(connection, "tables in a day", count)
        room: Room = connection.app.state["room"]
        room.check_further(count)


def makes_tables(kind: str = "tables", *, own: bool = False) -> list[Guard]:
    """Return the guards for routes that create a table, charged as `kind` as well.

    With `own`, for people who already have a table and need no key.
    """
    return [rate_limited(kind), *([] if own else [may_make_tables]), rate_limited("tables in a day"), has_room]
