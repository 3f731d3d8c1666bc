"""A table's use, recorded for retention, and requests to keep a table although it hasn't been used."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from cardhouse.engine import SCREEN, CardhouseError
from cardhouse.server.cluster.leased_record import LeasedRecord
from cardhouse.server.core.clock import Clock
from cardhouse.server.persistence import retention_repository
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.retention_policy import DAY_SECONDS


class Activity:
    """The recorded use of one open table."""

    def __init__(self, saver: Saver, record: LeasedRecord, clock: Clock) -> None:
        self._saver = saver
        self._record = record
        self._clock = clock
        self._opened_at = record.now.opened_at
        self._tasks: set[asyncio.Task[None]] = set()

    def opened(self, seat: str) -> None:
        """Record that someone joined, at most about once a day, except at a table screen, which may have been left on.

        If the table's deletion is announced, joining doesn't cancel it; playing or asking to keep it does.
        """
        now = int(self._clock.time())
        if seat == SCREEN or self._record.now.goes_at or now - self._opened_at < DAY_SECONDS:
            return
        self._opened_at = now
        store = self._saver.store
        self._do(lambda: self._saver.write(retention_repository.record_opened, store, self._record.now.id, now))

    def played(self) -> None:
        """Record that someone answered, which cancels an announced deletion."""
        if self._record.now.goes_at:
            self._do(self._keep)

    async def keep(self, seat: str) -> None:
        """Cancel an announced deletion, for the person in this seat.

        Raises CardhouseError for the table screen; NotSaved.
        """
        if seat == SCREEN:
            raise CardhouseError("Only a player with a seat can keep the table.", "not_yours")
        if self._record.now.goes_at:
            await self._keep()

    async def _keep(self) -> None:
        now = int(self._clock.time())
        await self._record.change(lambda table: retention_repository.cancel_deletion(self._saver.store, table, now))

    def _do(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run in the background; work that can't be saved is repeated at the next occasion."""
        task = asyncio.get_running_loop().create_task(_quietly(work()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    with suppress(CardhouseError):
        await work
