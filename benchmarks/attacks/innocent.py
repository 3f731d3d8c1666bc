"""Innocent people, in a separate process: tables that play at a steady pace, newcomers, and people who make tables.

An answer is timed from the moment it was due, even if the previous one hadn't arrived by then: a server that stalls for
a second makes all answers of that second late, not just one.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks import load
from benchmarks.attacks.web import Web

TABLES = 8
PACE = 10.0
"""Answers a second at each table; one connection may send 20 messages a second."""
NEWCOMERS = 20
MAKERS = 3
TABLES_EACH = 8
NEWCOMER_SECONDS = 5.0
"""The time after which a newcomer who can't join has given up."""
LATE_SECONDS = 10.0
"""The time after a window in which its last answers may still arrive."""


class Window(msgspec.Struct):
    """The innocents' experience of some seconds. Times are sorted milliseconds; `unanswered` ones count as long.

    `acknowledged` is the time from when an answer was due to its acknowledgement, `told` until all four had received
    it. `seated` of `NEWCOMERS` could join; `made` tables were made, of `MAKERS` times `TABLES_EACH`.
    """

    acknowledged: list[float]
    told: list[float]
    unanswered: int
    lost: int
    refused: list[str]
    seated: int
    made: int


def quantile(sorted_values: list[float], share: float) -> float:
    """Return the smallest value that this share of the values doesn't exceed."""
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))] if sorted_values else 0.0


class Given:
    """An answer: when it was due, when it was acknowledged, and when all had received it."""

    def __init__(self, due: float) -> None:
        self.due = due
        self.acknowledged: float | None = None
        self.told: float | None = None
        self.over = asyncio.Event()


class Table(load.Table):
    """Four people, one of whom has an answer due at set moments, and gives it once the last one has been received."""

    def __init__(self, people: load.Load, id: str, links: dict[str, str], phase: float) -> None:
        super().__init__(people, id, links, bare=False)
        self.links = links
        self.answers: list[Given] = []
        self.to_give: deque[Given] = deque()
        self.under_way: Given | None = None
        self.ready = False
        self.all_here = asyncio.Event()
        self.phase = phase
        self.next_due = 0.0
        self.trouble: list[str] = []
        self.sockets_lost = 0

    def begin(self) -> None:
        """Start the schedule of answers."""
        self.next_due = time.monotonic() + self.phase
        self.go_on()

    def go_on(self) -> None:
        """Add the answers that are due, now and after every pause."""
        while self.next_due <= time.monotonic():
            given = Given(self.next_due)
            self.answers.append(given)
            self.to_give.append(given)
            self.next_due += 1 / PACE
        self.give()
        if not self.load.stopping:
            asyncio.get_running_loop().call_later(max(0.0, self.next_due - time.monotonic()), self.go_on)

    def answer(self, n: int) -> None:
        """Note that all have received everything up to entry `n`."""
        self.all_here.set()
        if self.under_way is not None:
            self.under_way.told = time.monotonic()
            self.under_way.over.set()
        self.ready, self.at = True, n
        self.give()

    def give(self) -> None:
        if self.ready and self.to_give and not self.sockets_lost:
            self.ready = False
            self.under_way = self.to_give.popleft()
            super().answer(self.at)

    def acknowledged(self, id: str) -> None:
        if self.under_way is not None:
            self.under_way.acknowledged = time.monotonic()

    def refused(self, message: str) -> None:
        self.trouble.append(message)

    def lost(self, error: Exception | None) -> None:
        self.sockets_lost += 1


class Innocents:
    """All innocent people."""

    def __init__(self, port: int, shared: bool) -> None:
        self.port = port
        self.shared = shared
        self.load = load.Load()
        self.tables: list[Table] = []
        self.windows = 0

    def address_of(self, kind: int, number: int) -> str:
        """Return a person's own loopback address, by kind and number; or the attackers' if `shared`."""
        return "127.0.0.1" if self.shared else f"127.{10 + self.windows}.{kind}.{number + 1}"

    async def sit_down(self) -> None:
        """Make the tables and start playing; return once everyone has played for a moment.

        Raises RuntimeError if someone can't join.
        """
        for number in range(TABLES):
            source = self.address_of(0, number)
            made = await asyncio.to_thread(Web(self.port, source).make_table, game="initiative", seats=3)
            table = Table(self.load, made["table"], made["links"], phase=number / TABLES / PACE)
            self.tables.append(table)
            for person in table.people.values():
                await person.connect("127.0.0.1", self.port, source)
        for table in self.tables:
            try:
                await asyncio.wait_for(table.all_here.wait(), LATE_SECONDS)
            except TimeoutError:
                raise RuntimeError(f"The innocents could not sit down: {table.trouble}") from None
        for table in self.tables:
            table.begin()
        await asyncio.sleep(load.WARM_UP_SECONDS)

    async def watch(self, seconds: float) -> Window:
        """Play for this long, while newcomers join and others make tables; return what everyone saw."""
        self.windows += 1
        begin = time.monotonic()
        lost, refused = self._lost(), len(self._refused())
        come = [self._newcomer(number, number * seconds / NEWCOMERS) for number in range(NEWCOMERS)]
        make = [self._maker(number, seconds) for number in range(MAKERS)]
        others = asyncio.gather(_sum(come), _sum(make))
        await asyncio.sleep(seconds)
        end = time.monotonic()
        answers = [given for table in self.tables for given in table.answers if begin <= given.due < end]
        with suppress(TimeoutError):
            async with asyncio.timeout(LATE_SECONDS):
                for given in answers:
                    await given.over.wait()
        seated, made = await others
        now = time.monotonic()
        return Window(
            acknowledged=sorted(((given.acknowledged or now) - given.due) * 1000 for given in answers),
            told=sorted(((given.told or now) - given.due) * 1000 for given in answers),
            unanswered=sum(given.told is None for given in answers),
            lost=self._lost() - lost,
            refused=self._refused()[refused:],
            seated=seated,
            made=made,
        )

    def _lost(self) -> int:
        return sum(table.sockets_lost for table in self.tables)

    def _refused(self) -> list[str]:
        return [message for table in self.tables for message in table.trouble]

    async def _newcomer(self, number: int, after: float) -> bool:
        """Return whether a person who arrives after this many seconds can watch a table."""
        await asyncio.sleep(after)
        table = self.tables[number % len(self.tables)]
        source = (self.address_of(1, number), 0)
        try:
            async with asyncio.timeout(NEWCOMER_SECONDS):
                async with connect(f"ws://127.0.0.1:{self.port}/ws", local_addr=source) as socket:
                    await socket.send(json.dumps({"t": "sit", "table": table.id, "token": table.links["screen"]}))
                    return bool(json.loads(await socket.recv())["t"] == "table")
        except (TimeoutError, OSError, WebSocketException, EOFError, AssertionError):  # from the library
            return False

    async def _maker(self, number: int, seconds: float) -> int:
        """Return how many tables a person could make in this time, over a connection each."""
        made = 0
        for _ in range(TABLES_EACH):
            web = Web(self.port, self.address_of(2, number), timeout=NEWCOMER_SECONDS)
            status, _ = await asyncio.to_thread(web.post, "/api/tables", {"game": "initiative"})
            web.connection.close()
            made += status == 201
            await asyncio.sleep(seconds / TABLES_EACH)
        return made


async def _sum(counts: Iterable[Awaitable[int]]) -> int:
    return sum(await asyncio.gather(*counts))


def play(told: Connection, port: int, shared: bool) -> None:
    """Play in this process; for each number of seconds received, send back a `Window`, until None."""

    async def playing() -> None:
        innocents = Innocents(port, shared)
        await innocents.sit_down()
        told.send(None)
        while (seconds := await asyncio.to_thread(told.recv)) is not None:
            told.send(await innocents.watch(seconds))
        innocents.load.stopping = True

    uvloop.run(playing())
