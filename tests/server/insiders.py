"""People at a server that runs inside the test: the sessions are real, the sockets are not."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.queue import Task
from cardhouse.server.management.table_manager import NewTable, TableManager
from cardhouse.server.persistence.repository import Store
from cardhouse.server.socket.session import Session
from tests.server.talking import SECONDS, Frame, Told, new_id

PONG = '{"t":"pong",'


class StoppedClock:
    """A clock that goes on only when it is told to."""

    def __init__(self, now: float = 1_790_000_000) -> None:
        self.now = now
        self.since = 1000.0
        self._looks = 0
        self._awaited: list[tuple[int, asyncio.Future[None]]] = []

    def time(self) -> float:
        self._look()
        return self.now

    def monotonic(self) -> float:
        self._look()
        return self.since

    def _look(self) -> None:
        self._looks += 1
        for looks, seen in self._awaited:
            if self._looks >= looks and not seen.done():
                seen.set_result(None)

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        self.since += seconds

    async def looked_at(self, times: int = 3) -> None:
        """Until somebody has looked at it so many times more."""
        seen: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited.append((self._looks + times, seen))
        async with asyncio.timeout(SECONDS):
            await seen


class Visitor:
    """Somebody at a house inside the test, who keeps the `texts` of all frames but the answers to pings."""

    there: ClassVar[set["Visitor"]] = set()

    def __init__(self, house: TableManager) -> None:
        self.texts: list[str] = []
        self._inbox: asyncio.Queue[Frame] = asyncio.Queue()
        self._ponged = asyncio.Event()
        session = Session(house, self._inbox.get, self._hear, TokenBucket(1e9, 10**9), 1e9)
        self._running = asyncio.create_task(session.run())
        self.there.add(self)

    async def _hear(self, message: Frame) -> None:
        if message.get("text", "").startswith(PONG):
            self._ponged.set()
        elif message["type"] == "websocket.send":
            self.keep(message["text"])

    def keep(self, text: str) -> None:
        """Another frame."""
        self.texts.append(text)

    async def say(self, frame: Any) -> None:
        """Say it, and wait until the server has done with it."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        await self.sync()

    async def sync(self) -> None:
        self._ponged.clear()
        self._inbox.put_nowait({"type": "websocket.receive", "text": '{"t":"ping"}'})
        await self._ponged.wait()

    async def leave(self) -> None:
        if self in self.there:
            self.there.discard(self)
            self._inbox.put_nowait({"type": "websocket.disconnect"})
            await self._running


class Insider(Visitor, Told):
    """One who understands what is told."""

    def __init__(self, house: TableManager) -> None:
        Told.__init__(self)
        Visitor.__init__(self, house)
        self._told = asyncio.Event()

    def keep(self, text: str) -> None:
        self.take_in(text)
        self._told.set()

    async def sit(self, made: NewTable, seat: str) -> Self:
        await self.say({"t": "sit", "table": made.table, "token": made.links[seat]})
        assert self.n >= 0, self.texts
        return self

    async def ask(self, answer: Any) -> Frame:
        """Give an answer; the frame that came of it."""
        own = new_id()
        await self.say({"t": "answer", "id": own, "at": self.n, "answer": answer})
        return next(frame for frame in reversed(self.frames) if own in (frame.get("ack"), frame.get("id")))

    async def do(self, word: str, **fields: Any) -> Frame:
        """Do something that is accepted."""
        frame = await self.ask({"do": word, **fields})
        assert frame["t"] == "change", frame
        return frame

    def last(self) -> Frame:
        """The last frame, but for those that say who is there: they may come behind any other at any time."""
        return next(frame for frame in reversed(self.frames) if frame["t"] != "seats")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until what was told makes this true."""
        async with asyncio.timeout(SECONDS):
            while not holds():
                self._told.clear()
                await self._told.wait()

    async def catch_up(self, n: int) -> None:
        """Hear everything up to entry `n`."""
        await self.until(lambda: self.n >= n)

    @property
    def phase(self) -> str:
        """How far the game is, at a table of Dogpile."""
        return str(self.doc["view"]["phase"])

    def says(self, key: str) -> list[Frame]:
        """The events of this kind that were told."""
        return [event for entry in self.story for event in entry["events"] if event["key"] == key]


@dataclass
class Scene:
    """A house with a table, and those who sit there."""

    house: TableManager
    made: NewTable
    clock: StoppedClock
    people: dict[str, Insider]

    def __getitem__(self, seat: str) -> Insider:
        return self.people[seat]

    async def come(self, seat: str) -> Insider:
        """Somebody comes, or somebody else in their place."""
        self.people[seat] = await Insider(self.house).sit(self.made, seat)
        return self.people[seat]

    def log(self) -> list[Frame]:
        """All answers at the table, as they are kept."""
        texts = [text for _, text in self.house.store.entries(self.made.table)]
        return [json.loads(text.partition("\n")[0]) for text in texts]


class Threads(Workers):
    """Workers that are threads of the test's own process, where a bot of the test's thinks with what else it does."""

    def __init__(self) -> None:
        super().__init__()
        self.may_load = asyncio.Event()
        """Nothing begins before this is set, as if a process had to load what it needs."""
        self.may_load.set()

    async def run_when_due(
        self, visitor: str, task: Callable[[], Task], *, loaded: Callable[[], None] = lambda: None, **how: Any
    ) -> Any:
        function, args = task()
        await self.may_load.wait()
        loaded()
        return await asyncio.to_thread(function, *args)

    def warm(self) -> None:
        pass


@asynccontextmanager
async def open_house(database: str, clock: StoppedClock | None = None) -> AsyncIterator[TableManager]:
    """A house on this database, until the end of the block."""
    house = TableManager(Store(database), clock=clock or time, workers=Threads())
    try:
        yield house
    finally:
        for person in [*Visitor.there]:
            await person.leave()
        await house.close()


@asynccontextmanager
async def scene(
    database: str,
    seats: Sequence[str] = ("gm", "p1", "p2"),
    come: Sequence[str] | None = None,
    game: str = "dogpile",
    **wanted: Any,
) -> AsyncIterator[Scene]:
    """A new table, of Dogpile unless it is another game, with somebody in each seat, or in those who `come`."""
    clock = StoppedClock()
    async with open_house(database, clock) as house:
        made = await house.create(game, seats, odds="off", **wanted)
        at = Scene(house, made, clock, {})
        for seat in seats if come is None else come:
            await at.come(seat)
        yield at
