"""The odds of one table, worked out for those who want them and may see them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import msgspec

from cardhouse.engine import GM, CardhouseError, Table
from cardhouse.server import frames
from cardhouse.server.saver import Saver
from cardhouse.server.telling import Client

_SHARE = 10  # odds that took so long to work out are worked out again only after ten times as long
_SLOW_SECONDS = 0.005
RETRY_SECONDS = 0.5
"""What could not be confirmed is tried again after so long."""
log = logging.getLogger("cardhouse.server")


class OddsTeller:
    """Tells the odds of the latest state; what came in between is passed over.

    `table` is the table as it is saved while `lock` is held, None if it is not at hand. `shown_to` says who sees the
    odds: `off`, `gm` or `all`. `confirm` makes sure that those there may still be told, or raises CardhouseError.
    """

    def __init__(
        self,
        saver: Saver,
        lock: asyncio.Lock,
        table: Callable[[], Table | None],
        clients: Callable[[], set[Client]],
        shown_to: Callable[[], str],
        confirm: Callable[[], Awaitable[None]],
    ) -> None:
        self.task: asyncio.Task[None] | None = None
        """Under way as long as something is to be told."""
        self._saver = saver
        self._lock = lock
        self._table = table
        self._clients = clients
        self._shown_to = shown_to
        self._confirm = confirm
        self._odds: dict[str, bytes] = {}
        self._asked = False
        self._slow = False

    def want(self, client: Client, *, on: bool) -> None:
        """Whether a client is to be kept told."""
        client.odds_wanted, client.odds_told = on, None
        self.look()

    def table_changed(self) -> None:
        """Those worked out before are no longer true."""
        self._odds.clear()
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
                self._asked = False
                started = time.monotonic()
                async with self._lock:
                    table = self._table()
                    if table is None:
                        return
                    await self._work_out(table)
                    may_tell = await self._may_tell()
                    if may_tell:
                        self._send(table)
                if not may_tell:
                    self._asked = any(map(self._sees, self._clients()))
                    await asyncio.sleep(RETRY_SECONDS)
                await asyncio.sleep((time.monotonic() - started) * _SHARE)
        except Exception:
            log.exception("The odds of a table could not be worked out")
        finally:
            self.task = None

    async def _may_tell(self) -> bool:
        try:
            await self._confirm()
        except CardhouseError:  # nobody can tell at present, or the table is gone and all will be sent away
            return False
        return True

    async def _work_out(self, table: Table) -> None:
        """Work out what is missing; where that takes long, in a thread, which the lock keeps the game still for."""
        for client in list(filter(self._sees, self._clients())):
            audience = table.game.audience(client.seat)
            if audience in self._odds:
                continue
            started = time.monotonic()
            if self._slow or table.kind.odds_take_long:
                odds = await self._saver.read(table.game.odds, audience)
            else:
                odds = table.game.odds(audience)
            self._odds[audience] = msgspec.json.encode(odds)
            self._slow = time.monotonic() - started > _SLOW_SECONDS

    def _send(self, table: Table) -> None:
        for client in filter(self._sees, self._clients()):
            odds = self._odds.get(table.game.audience(client.seat))
            if odds is not None and odds != client.odds_told:
                client.odds_told = odds
                client.say(frames.OddsNow(table.number, msgspec.Raw(odds)))
