"""Health checks for operators: whether a server runs (`/live`), and whether it accepts clients (`/ready`)."""

import asyncio
import time

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from cardhouse.server.core.shutdown import Closing
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.group_commit import NotSaved

FRESH_SECONDS = 2.0
"""How long a result is reused, so that frequent requests put no load on the database."""
PATIENCE_SECONDS = 2.0
_UNSTORED = {"Cache-Control": "no-store"}


class Live(Struct, frozen=True):
    """The event loop responds."""

    live: bool = True


class Ready(Struct, frozen=True):
    """Whether clients can be sent here: the `store` works, `news` (Redis) is connected, and it isn't `closing`.

    `news` is None if there are no other servers.
    """

    ready: bool
    store: bool
    news: bool | None
    closing: bool


class Readiness:
    """The state of a server's dependencies, checked on request if the last check is old."""

    def __init__(self, manager: TableManager) -> None:
        self._manager = manager
        self._reading: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[tuple[bool, bool | None]] | None = None
        self._at = 0.0

    async def check(self) -> tuple[bool, bool | None]:
        """Return whether the store works, and whether Redis does, if it is needed."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._at > FRESH_SECONDS):
            self._at = time.monotonic()
            self._looking = asyncio.create_task(self._check())
        return await asyncio.shield(self._looking)

    async def _check(self) -> tuple[bool, bool | None]:
        store, news = await asyncio.gather(self._store(), self._manager.is_redis_available(PATIENCE_SECONDS))
        return store, news

    async def _store(self) -> bool:
        saver = self._manager.saver
        # a query that hangs occupies a thread; don't start a second one
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(saver.read(saver.store.reach))
            self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            await asyncio.wait_for(asyncio.shield(self._reading), PATIENCE_SECONDS)
        except (NotSaved, TimeoutError, SQLAlchemyError, OSError):
            return False
        return saver.healthy


@get("/live")
async def live() -> Response[Live]:
    """Return that the server runs."""
    return Response(Live(), headers=_UNSTORED)


@get("/ready")
async def ready(state: State) -> Response[Ready]:
    """Return whether clients can be sent to this server: status 200, otherwise 503."""
    closing: Closing = state["closing"]
    readiness: Readiness = state["readiness"]
    store, news = await readiness.check()
    found = Ready(store and news is not False and not closing.began, store, news, closing.began)
    return Response(found, status_code=200 if found.ready else 503, headers=_UNSTORED)


ROUTES = [live, ready]
