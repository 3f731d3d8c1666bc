"""The odds of one table, worked out for those who want them and may see them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from cardhouse.engine import GM, CardhouseError, Table
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.queue import ODDS, Task
from cardhouse.server.jobs.tasks import TableState, odds_of, standing
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.wire import protocol

_SLOW_SECONDS = 0.003
"""What takes longer is worked out by a worker process."""
RETRY_SECONDS = 0.5
"""What could not be confirmed is tried again after so long."""
log = logging.getLogger("cardhouse.server")


class _Wanted(NamedTuple):
    """What is wanted of a table after an entry: `audiences` by seat, those `missing` who have no `odds` yet."""

    table: Table
    number: int
    audiences: dict[str, str]
    missing: list[str]
    odds: dict[str, bytes]


class OddsTeller:
    """Tells the odds of the latest state; entries that came in between are coalesced.

    `table` is the table as it is saved while `lock` is held, None if it is not at hand. `shown_to` says who sees the
    odds: `off`, `gm` or `all`. `confirm` makes sure that those there may still be told, or raises CardhouseError.
    """

    def __init__(
        self,
        table_id: str,
        workers: Workers,
        lock: asyncio.Lock,
        table: Callable[[], Table | None],
        clients: Callable[[], set[Client]],
        shown_to: Callable[[], str],
        confirm: Callable[[], Awaitable[None]],
    ) -> None:
        self.task: asyncio.Task[None] | None = None
        """Under way as long as something is to be told."""
        self._id = table_id
        self._workers = workers
        self._lock = lock
        self._table = table
        self._clients = clients
        self._shown_to = shown_to
        self._confirm = confirm
        self._odds: dict[str, bytes] = {}
        self._odds_of: tuple[Table | None, int] = None, 0
        self._asked = False
        self._slow = False
        self._took = 0.0

    def want(self, client: Client, *, on: bool) -> None:
        """Whether a client is to be kept told."""
        client.odds_wanted, client.odds_told = on, None
        self.look()

    def table_changed(self) -> None:
        """Those worked out before are no longer true."""
        self.look()

    def look(self) -> None:
        """Tell those who don't know them yet."""
        self._asked = True
        if self.task is None and any(map(self._sees, self._clients())):
            self.task = asyncio.get_running_loop().create_task(self._tell())

    def _sees(self, client: Client) -> bool:
        return client.odds_wanted and (self._shown_to() == "all" or (self._shown_to() == "gm" and client.seat == GM))

    async def _tell(self) -> None:
        try:
            while self._asked:
                self._asked, self._took = False, 0.0
                if not await self._has_worked_out():
                    self._asked = any(map(self._sees, self._clients()))
                    await asyncio.sleep(RETRY_SECONDS)
                await asyncio.sleep(self._took)  # tables take turns, and other things happen
        except CardhouseError as error:
            log.info("The odds of table %s were not worked out: %s", self._id, error)
        except Exception:
            log.exception("The odds of a table could not be worked out")
        finally:
            self.task = None

    async def _has_worked_out(self) -> bool:
        """Whether they could be worked out, and told; where too much is to be done before, it is tried again.

        Raises CardhouseError if it can't be done at all.
        """
        try:
            return await self._work_out()
        except CardhouseError as error:
            if error.code != "too_many":
                raise
            return False

    async def _may_tell(self) -> bool:
        try:
            await self._confirm()
        except CardhouseError:  # nobody can tell at present, or the table is gone and all will be sent away
            return False
        return True

    async def _work_out(self) -> bool:
        """Work out the odds of the table as it is now, and tell them, even if it has gone on meanwhile.

        Where answers come faster than odds are worked out, people would never be told any otherwise. The lock is held
        only to see how it stands. False if nobody can say at present who may be told.
        """
        async with self._lock:
            wanted = self._wanted()
            at = standing(wanted.table) if wanted is not None and wanted.missing else None
        if wanted is not None and at is not None:
            wanted = await self._have_worked_out(wanted, at)
        if wanted is None:
            return True
        if self._table() is not wanted.table:  # loaded again, as its log may have gone on otherwise than here
            self._asked = True
            return True
        if not await self._may_tell():
            return False
        self._send(wanted)
        return True

    def _wanted(self) -> _Wanted | None:
        """What is wanted of the table, which is as it is saved; what doesn't take long is worked out at once."""
        table = self._table()
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

    async def _have_worked_out(self, wanted: _Wanted, at: TableState) -> _Wanted:
        """Have a worker do it, with the newest state that there is when its turn comes."""

        def task() -> Task:
            nonlocal wanted, at
            if not self._lock.locked():  # otherwise somebody is changing it
                newer = self._wanted()
                if newer is not None and newer.number != wanted.number:
                    wanted, at = newer, standing(newer.table)
            return odds_of, (at, wanted.missing)

        odds, seconds = await self._workers.run_when_due(self._id, task, lane=ODDS)
        self._slow, self._took = seconds > _SLOW_SECONDS, seconds
        wanted.odds.update(odds)
        if (self._table(), wanted.table.number) != (wanted.table, wanted.number):
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
        """Tell those who see them; whoever has come since is told in the next round."""
        for client in filter(self._sees, self._clients()):
            odds = wanted.odds.get(wanted.audiences.get(client.seat, ""))
            if odds is not None and odds != client.odds_told:
                client.odds_told = odds
                client.say(protocol.OddsNow(wanted.number, msgspec.Raw(odds)))
