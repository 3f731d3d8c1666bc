"""Who is connected, at all servers of a house: each writes down who is there with it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

import msgspec
from sqlalchemy import delete, insert, select

from cardhouse.server.core.clock import Clock
from cardhouse.server.core.tokens import new_token
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.repository import Store

WRITE_SECONDS = 5.0
"""It is written down so often at most, if it has changed."""
ANEW_SECONDS = 60.0
"""And so often at least as long as somebody is there, for a server that was killed writes nothing any more."""
STALE_SECONDS = 3 * ANEW_SECONDS

Here = dict[str, dict[str, int]]
"""By table, how many sit in each seat."""


class Attendance:
    """Writes down who is at this server's tables. `seated` has each table and the seats of all who are there now."""

    def __init__(self, saver: Saver, clock: Clock, seated: Callable[[], Iterable[tuple[str, Iterable[str]]]]) -> None:
        self._saver = saver
        self._clock = clock
        self._seated = seated
        self._me = new_token()
        self._written: Here = {}
        self._written_at = float("-inf")

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            now = self._clock.time()
            there = self._here()
            if there == self._written and not (there and abs(now - self._written_at) >= ANEW_SECONDS):
                continue
            try:
                await self._saver.write(_write, self._saver.store, self._me, int(now), there)
                self._written, self._written_at = there, now
            except NotSaved:
                pass  # the next time

    async def read(self) -> Here:
        """Who is there, at this server now, and at others as they wrote it last.

        Raises NotSaved.
        """
        others = await self._saver.read(attending, self._saver.store, int(self._clock.time()), self._me)
        return _added([self._here(), *others])

    def _here(self) -> Here:
        here: Here = {}
        for table, seats in self._seated():
            many: dict[str, int] = {}  # a Counter would take ten times as long, while ten thousand people wait
            for seat in seats:
                many[seat] = many.get(seat, 0) + 1
            if many:
                here[table] = many
        return here


def attending(store: Store, now: int, but: str = "") -> list[Here]:
    """Who is there with each server, as it wrote it not long before `now`, in Unix seconds; without one server."""
    servers = schema.servers.c
    query = select(servers.here).where(servers.id != but, servers.seen_at > now - STALE_SECONDS)
    with store.engine.connect() as connection:
        return [msgspec.json.decode(row.here, type=Here) for row in connection.execute(query)]


def all_attending(store: Store, now: int) -> Here:
    """The same, of all servers together."""
    return _added(attending(store, now))


def _added(several: Iterable[Here]) -> Here:
    total: Here = {}
    for here in several:
        for table, seats in here.items():
            there = total.setdefault(table, {})
            for seat, many in seats.items():
                there[seat] = there.get(seat, 0) + many
    return total


def _write(store: Store, me: str, now: int, here: Mapping[str, Mapping[str, int]]) -> None:
    servers = schema.servers.c
    with store.changing() as connection:
        connection.execute(delete(schema.servers).where((servers.id == me) | (servers.seen_at < now - STALE_SECONDS)))
        if here:
            values = {"id": me, "seen_at": now, "here": msgspec.json.encode(here).decode()}
            connection.execute(insert(schema.servers).values(values))
