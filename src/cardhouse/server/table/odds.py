"""The odds of one table, computed for the clients that want and may see them."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from cardhouse.engine import GM, CardhouseError, Table
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.queue import ODDS, Task
from cardhouse.server.jobs.tasks import TableState, odds_of, table_state
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.table.parts import TableParts
from cardhouse.server.wire import protocol

_SLOW_SECONDS = 0.003
"""Odds that take longer are computed by a worker process."""
RETRY_SECONDS = 0.5
"""The pause before a retry, after odds could not be computed or sent."""
log = logging.getLogger("cardhouse.server")


class _Wanted(NamedTuple):
    """The odds needed after an entry: `audiences` by seat, and the audiences `missing` in `odds`."""

    table: Table
    number: int
    audiences: dict[str, str]
    missing: list[str]
    odds: dict[str, bytes]


class OddsSender:
    """Sends the odds of the latest state; entries in between are skipped."""

    def __init__(self, parts: TableParts, workers: Workers, clients: Callable[[], set[Client]]) -> None:
        self.task: asyncio.Task[None] | None = None
        """Running while anything is to be sent."""
        self._cache, self._lock, self._record = parts.cache, parts.lock, parts.record
        self._workers = workers
        self._clients = clients
        self._odds: dict[str, bytes] = {}
        self._odds_of: tuple[Table | None, int] = None, 0
        self._asked = False
        self._slow = False
        self._took = 0.0

    def want(self, client: Client, *, on: bool) -> None:
        """Subscribe a client to the odds, or unsubscribe it."""
        client.odds_wanted, client.odds_told = on, None
        self.update()

    def table_changed(self) -> None:
        """Send new odds, because the previous ones are out of date."""
        self.update()

    def update(self) -> None:
        """Send the odds to those who don't have them yet."""
        self._asked = True
        if self.task is None and any(map(self._sees, self._clients())):
            self.task = asyncio.get_running_loop().create_task(self._tell())

    def _sees(self, client: Client) -> bool:
        shown_to = self._record.now.odds
        return client.odds_wanted and (shown_to == "all" or (shown_to == "gm" and client.seat == GM))

    async def _tell(self) -> None:
        try:
            while self._asked:
                self._asked, self._took = False, 0.0
                if not await self._is_up_to_date():
                    self._asked = any(map(self._sees, self._clients()))
                    await asyncio.sleep(RETRY_SECONDS)
                await asyncio.sleep(self._took)  # leaves time for other tables and tasks
        except CardhouseError as error:
            log.info("The odds of table %s were not worked out: %s", self._record.now.id, error)
        except Exception:
            log.exception("The odds of a table could not be worked out")
        finally:
            self.task = None

    async def _is_up_to_date(self) -> bool:
        """Return whether the odds could be computed and sent; False if too many jobs wait, so that it is tried again.

        Raises CardhouseError if they can't be computed at all.
        """
        try:
            return await self._compute()
        except CardhouseError as error:
            if error.code != "too_many":
                raise
            return False

    async def _may_tell(self) -> bool:
        try:
            await self._record.confirm()
        except CardhouseError:  # permissions are unknown now, or the table was deleted
            return False
        return True

    async def _compute(self) -> bool:
        """Compute the odds of the table's present state and send them, even if there are newer entries by then.

        Otherwise, if answers come faster than odds are computed, clients would never get any. The lock is only held to
        read the state. Returns False if it is unknown at present who may see them.
        """
        async with self._lock:
            wanted = self._wanted()
            at = table_state(wanted.table) if wanted is not None and wanted.missing else None
        if wanted is not None and at is not None:
            wanted = await self._compute_in_worker(wanted, at)
        if wanted is None:
            return True
        if self._cache.table is not wanted.table:  # reloaded, possibly with a different log
            self._asked = True
            return True
        if not await self._may_tell():
            return False
        self._send(wanted)
        return True

    def _wanted(self) -> _Wanted | None:
        """Return the odds needed now, computing those that are fast. Hold the lock."""
        table = self._cache.table
        if table is None:
            return None
        if (table, table.number) != self._odds_of:
            self._odds_of, self._odds = (table, table.number), {}
        audiences = {client.seat: table.game.audience(client.seat) for client in self._clients()}
        missing = sorted({audiences[client.seat] for client in filter(self._sees, self._clients())} - set(self._odds))
        if not (self._slow or table.kind.odds_take_long):
            for audience in missing:
                self._odds[audience] = self._at_once(table, audience)
            missing = []
        return _Wanted(table, table.number, audiences, missing, self._odds)

    async def _compute_in_worker(self, wanted: _Wanted, at: TableState) -> _Wanted:
        """Have a worker compute the odds, of the newest state by the time its turn comes."""

        def task() -> Task:
            nonlocal wanted, at
            if not self._lock.locked():  # otherwise the table is being changed
                newer = self._wanted()
                if newer is not None and newer.number != wanted.number:
                    wanted, at = newer, table_state(newer.table)
            return odds_of, (at, wanted.missing)

        odds, seconds = await self._workers.run_when_due(self._record.now.id, task, priority=ODDS)
        self._slow, self._took = seconds > _SLOW_SECONDS, seconds
        wanted.odds.update(odds)
        if (self._cache.table, wanted.table.number) != (wanted.table, wanted.number):
            self._asked = True
        return wanted

    def _at_once(self, table: Table, audience: str) -> bytes:
        started = time.perf_counter()
        odds = msgspec.json.encode(table.game.odds(audience))
        seconds = time.perf_counter() - started
        self._slow = seconds > _SLOW_SECONDS
        self._took += seconds
        return odds

    def _send(self, wanted: _Wanted) -> None:
        """Send the odds to the clients that see them; later clients get them in the next round."""
        for client in filter(self._sees, self._clients()):
            odds = wanted.odds.get(wanted.audiences.get(client.seat, ""))
            if odds is not None and odds != client.odds_told:
                client.odds_told = odds
                client.send(protocol.OddsNow(wanted.number, msgspec.Raw(odds)))
