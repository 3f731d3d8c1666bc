"""Whether a server runs and can take people in, for whoever keeps it running: `/live` and `/ready`."""

import asyncio
import time

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from cardhouse.server.core.shutdown import Closing
from cardhouse.server.management.house import House
from cardhouse.server.persistence.group_commit import NotSaved

FRESH_SECONDS = 2.0
"""What was found is told for so long, however often it is asked: nobody makes the database work by asking."""
PATIENCE_SECONDS = 2.0
_UNSTORED = {"Cache-Control": "no-store"}


class Live(Struct, frozen=True):
    """The event loop answers."""

    live: bool = True


class Ready(Struct, frozen=True):
    """Whether people can be sent here: the `store` is there and saves, the `news` (Redis) too, and it isn't `closing`.

    `news` is None where there are no other servers.
    """

    ready: bool
    store: bool
    news: bool | None
    closing: bool


class Readiness:
    """What a house needs, looked at when somebody asks and it is some time since."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._reading: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[tuple[bool, bool | None]] | None = None
        self._at = 0.0

    async def look(self) -> tuple[bool, bool | None]:
        """Whether the store is there, and Redis, if it is needed."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._at > FRESH_SECONDS):
            self._at = time.monotonic()
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> tuple[bool, bool | None]:
        store, news = await asyncio.gather(self._store(), self._house.hears_news(PATIENCE_SECONDS))
        return store, news

    async def _store(self) -> bool:
        saver = self._house.saver
        if self._reading is None or self._reading.done():  # one that hangs has a thread; it gets no second one
            self._reading = asyncio.create_task(saver.read(saver.store.reach))
            self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            await asyncio.wait_for(asyncio.shield(self._reading), PATIENCE_SECONDS)
        except (NotSaved, TimeoutError, SQLAlchemyError, OSError):
            return False
        return saver.healthy


@get("/live")
async def live() -> Response[Live]:
    """Whether the server runs."""
    return Response(Live(), headers=_UNSTORED)


@get("/ready")
async def ready(state: State) -> Response[Ready]:
    """Whether people can be sent to this server: 200, else 503."""
    closing: Closing = state["closing"]
    readiness: Readiness = state["readiness"]
    store, news = await readiness.look()
    found = Ready(store and news is not False and not closing.began, store, news, closing.began)
    return Response(found, status_code=200 if found.ready else 503, headers=_UNSTORED)


ROUTES = [live, ready]
