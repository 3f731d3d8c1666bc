"""Presence across servers: each server stores who is connected to it."""

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
"""The shortest interval between two writes, which happen only after a change."""
ANEW_SECONDS = 60.0
"""The longest interval while anyone is connected; a killed server writes nothing, so old rows are ignored."""
STALE_SECONDS = 3 * ANEW_SECONDS

Here = dict[str, dict[str, int]]
"""The number of clients per seat, by table."""


class ClusterPresence:
    """Stores who is at this server's tables. `seated` yields each table with the seats of its clients."""

    def __init__(self, saver: Saver, clock: Clock, seated: Callable[[], Iterable[tuple[str, Iterable[str]]]]) -> None:
        self._saver = saver
        self._clock = clock
        self._seated = seated
        self._me = new_token()
        self._written: Here = {}
        self._written_at = float("-inf")

    async def run(self) -> None:
        """Write until cancelled."""
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
                pass  # try again next time

    async def read(self) -> Here:
        """Return who is connected: to this server now, to others as of their last write.

        Raises NotSaved.
        """
        others = await self._saver.read(attending, self._saver.store, int(self._clock.time()), self._me)
        return _added([self._here(), *others])

    def _here(self) -> Here:
        here: Here = {}
        for table, seats in self._seated():
            many: dict[str, int] = {}  # a Counter would take ten times as long, for ten thousand clients
            for seat in seats:
                many[seat] = many.get(seat, 0) + 1
            if many:
                here[table] = many
        return here


def attending(store: Store, now: int, but: str = "") -> list[Here]:
    """Return each server's clients, if it wrote them shortly before `now` (Unix seconds); without the server `but`."""
    servers = schema.servers.c
    query = select(servers.here).where(servers.id != but, servers.seen_at > now - STALE_SECONDS)
    with store.engine.connect() as connection:
        return [msgspec.json.decode(row.here, type=Here) for row in connection.execute(query)]


def all_attending(store: Store, now: int) -> Here:
    """Return the clients of all servers together."""
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
