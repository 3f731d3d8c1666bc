"""Group commit: a thread saves entries of many tables together, while the event loop goes on."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from cardhouse.engine import CardhouseError, Snapshot
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.persistence.commit_batching import Pace
from cardhouse.server.persistence.database import is_unavailable
from cardhouse.server.persistence.high_water_marks import MARK_SECONDS
from cardhouse.server.persistence.records import Row
from cardhouse.server.persistence.repository import READERS, Store

T = TypeVar("T")
PROBE_SECONDS = 0.5
PAUSE_SECONDS = 0.001
"""The pause in which a long task lets entries be saved.

An event loop that is never idle delays the saving thread each time it returns from the database, dozens of times for
each entry.
"""
BATCH = 500
log = logging.getLogger("cardhouse.server")

_Pending = tuple[Row, "asyncio.Future[bool]"]


class NotSaved(CardhouseError):
    """The database doesn't answer or is full; the request probably has no effect."""

    def __init__(self) -> None:
        super().__init__(
            "The server can't save right now, so the table is paused. It continues by itself.",
            "not_saved",
        )


class Saver:
    """The store, for the event loop. Call everything here from the loop's thread.

    `healthy` is whether the last attempt to save succeeded; `on_trouble` is called with it when it changes. While it is
    False, nothing is saved, and twice a second a probe tests whether saving works again. `on_saved` is called with the
    rows of each saved batch.
    """

    def __init__(self, store: Store, counting: NullMetrics | None = None) -> None:
        self.store = store
        self.healthy = True
        self.on_trouble: Callable[[bool], None] = lambda healthy: None
        self.on_saved: Callable[[Sequence[Row]], None] = lambda rows: None
        self.counting = counting or NullMetrics()
        self._under_way = 0
        self._queue: SimpleQueue[_Pending | Callable[[], None]] = SimpleQueue()
        self._stopped = False
        self._mark_failed = False
        self._changing = asyncio.Lock()
        self._pace = Pace()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writer.start()
        self._probing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Save all pending entries and stop."""
        if self._probing is not None:
            self._probing.cancel()
        self._queue.put(self._stop)
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self.store.close()

    def append(self, row: Row) -> "asyncio.Future[bool]":
        """Save an entry; the result comes when it is on disk, False if its number or id was taken.

        The future raises NotSaved.
        """
        future: asyncio.Future[bool] = self._loop.create_future()
        if self.healthy:
            self._under_way += 1
            self._queue.put((row, future))
        else:
            future.set_exception(NotSaved())
        return future

    async def give_way(self) -> None:
        """Yield in the middle of a long task, for longer if entries are being saved."""
        await asyncio.sleep(PAUSE_SECONDS if self._under_way else 0)

    def save_snapshots(self, snapshots: list[tuple[str, Snapshot]]) -> None:
        """Save snapshots of games when there is time, one at a time; they may be lost."""
        self._queue.put(partial(self._save_a_snapshot, snapshots))

    async def read(self, question: Callable[..., T], *given: object) -> T:
        """Query the store, in a thread.

        Raises NotSaved if the database doesn't answer.
        """
        try:
            return await self._loop.run_in_executor(self._readers, self._retrying, partial(question, *given))
        except (SQLAlchemyError, OSError) as error:
            if is_unavailable(error):
                log.warning("The database doesn't answer: %s", _brief(error))
                raise NotSaved from None
            raise

    async def confirm(self, question: Callable[..., T], *given: object) -> T:
        """Query the store for something essential: a failure counts as trouble for all tables.

        Raises NotSaved.
        """
        if not self.healthy:
            raise NotSaved
        try:
            return await self._loop.run_in_executor(self._readers, self._retrying, partial(question, *given))
        except (SQLAlchemyError, OSError) as error:
            self._failed([], error)
            if is_unavailable(error):
                raise NotSaved from None
            raise

    async def write(self, change: Callable[..., T], *given: object) -> T:
        """Change anything in the store but entries. Changes run one at a time, so entries wait for at most one of them.

        Raises NotSaved.
        """
        async with self._changing:
            return await self._write_in_thread(change, *given)

    async def _write_in_thread(self, change: Callable[..., T], *given: object) -> T:
        if not self.healthy:
            raise NotSaved
        future: asyncio.Future[T] = self._loop.create_future()

        def work() -> None:
            try:
                result = self._retrying(partial(change, *given))
            except Exception as error:  # noqa: BLE001 (passed on to the caller)
                self._loop.call_soon_threadsafe(self._failed, [future], error)
            else:
                self._loop.call_soon_threadsafe(_settle, future, result)

        self._queue.put(work)
        return await future

    # In the writer's thread.

    def _write(self) -> None:
        while not self._stopped:
            batch: list[_Pending] = []
            work: _Pending | Callable[[], None] | None = self._next()
            if isinstance(work, tuple) and (seconds := self._pace.seconds_to_wait()):
                time.sleep(seconds)
            try:
                while isinstance(work, tuple):
                    batch.append(work)
                    work = None if len(batch) == BATCH else self._queue.get_nowait()
            except Empty:
                work = None
            if batch:
                self._pace.begin([row.table for row, _ in batch])
                self._append(batch)
            if work is not None:
                work()

    def _next(self) -> _Pending | Callable[[], None]:
        try:
            return self._queue.get(timeout=MARK_SECONDS if self.store.is_mark_due else None)
        except Empty:
            return self._mark

    def _mark(self) -> None:
        try:
            self.store.mark()
        except OSError as error:  # play goes on without the file
            if not self._mark_failed:
                log.warning("Can't write the marks file: %s", error)
            self._mark_failed = True

    def _stop(self) -> None:
        self._stopped = True

    def _append(self, batch: list[_Pending]) -> None:
        rows = [row for row, _ in batch]
        try:
            began = time.perf_counter()
            saved = self._retrying(partial(self.store.append, rows))
            self.counting.saved(len(rows), time.perf_counter() - began)
        except Exception as error:  # noqa: BLE001 (after any error, nothing may be acknowledged)
            self._loop.call_soon_threadsafe(self._not_appended, batch, error)
            return
        self._loop.call_soon_threadsafe(self._saved, batch, saved)
        done = zip(rows, saved, strict=True)
        snapshots = [(row.table, row.snapshot) for row, how in done if row.snapshot and how is True]
        if snapshots:
            self._save_snapshots(snapshots)
        self._mark()

    def _retrying(self, work: Callable[[], T]) -> T:
        """Run `work`, and once more on a new connection if the old one was lost.

        Entries that the first attempt saved then count as taken.
        Called from the writer's thread and the readers'.
        """
        try:
            return work()
        except (SQLAlchemyError, OSError) as error:
            if not (self.store.shared and is_unavailable(error)):
                raise
            log.warning("The database is asked once more: %s", _brief(error))
            return work()

    def _save_a_snapshot(self, snapshots: list[tuple[str, Snapshot]]) -> None:
        self._save_snapshots(snapshots[:1])
        if snapshots[1:]:
            self.save_snapshots(snapshots[1:])  # after the entries that have arrived meanwhile

    def _save_snapshots(self, snapshots: list[tuple[str, Snapshot]]) -> None:
        try:
            self.store.save_snapshots(snapshots)
        except Exception as error:  # noqa: BLE001 (the game goes on without)
            log.warning("A snapshot of a game could not be kept: %s", _brief(error))

    # Back in the loop.

    def _saved(self, batch: list[_Pending], saved: list[bool | Exception]) -> None:
        self._under_way -= len(batch)
        for (_, future), done in zip(batch, saved, strict=True):
            _settle(future, done)
        self.on_saved([row for (row, _), done in zip(batch, saved, strict=True) if done is True])

    def _not_appended(self, batch: list[_Pending], error: Exception) -> None:
        self._under_way -= len(batch)
        self._failed([future for _, future in batch], error)

    def _failed(self, futures: "Sequence[asyncio.Future[T]]", error: Exception) -> None:
        if not is_unavailable(error):
            for future in futures:
                _settle(future, error)
            return
        for future in futures:
            _settle(future, NotSaved())
        if self.healthy:
            log.warning("Nothing can be saved: %s", _brief(error))
            self.healthy = False
            self._probing = self._loop.create_task(self._probe())
            self.on_trouble(False)

    async def _probe(self) -> None:
        """Retry until saving works again."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            done: asyncio.Future[None] = self._loop.create_future()

            def work(done: "asyncio.Future[None]" = done) -> None:
                try:
                    self.store.probe()
                except Exception as error:  # noqa: BLE001 (tried again)
                    self._loop.call_soon_threadsafe(_settle, done, error)
                else:
                    self._loop.call_soon_threadsafe(_settle, done, None)

            self._queue.put(work)
            try:
                await done
            except Exception:  # noqa: BLE001, S112 (tried again)
                continue
            log.warning("Saving works again.")
            self.healthy = True
            self.on_trouble(True)
            return


def _settle(future: "asyncio.Future[T]", result: T | Exception) -> None:
    if future.done():  # the caller has gone
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _brief(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
