"""A batch of faults at some tables: people play through all of them, then every table's history is checked."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from benchmarks.faults.houses import House
from benchmarks.faults.kinds import Fault, some_moment
from cardhouse.engine import CardhouseError
from tests.server.hammering import Hammer, Listener, check_fair, faults_of
from tests.server.history import UNPLAYABLE
from tests.server.talking import TableMade, close_sockets

TABLES = 3
SEATS = ("p1", "screen")
"""The seats that only listen, in addition to the game masters who answer."""
SEVERAL = 3
"""With several servers, play continues during faults, and the log would grow this many times as long."""
AGAIN_SECONDS = 0.02
"""The delay before reconnecting when no server answers."""
LOOK_SECONDS = 0.002
MORE_SECONDS = 20.0
GO_ON_SECONDS = 90.0
"""A server that is whole again, but accepts nothing for this long, has failed to recover."""
STUCK, TRACEBACK, UNFAIR = "stuck", "traceback", "unfair"


class Came(msgspec.Struct):
    """The results of some faults: how many there were, and what was `wrong`, by kind, with a sentence for each kind.

    `acknowledged` counts the answers reported as saved, `logged` those in the logs, `seen` the views that were compared
    with the log, `unsaved` the reports that nothing can be saved.
    """

    faults: int = 0
    acknowledged: int = 0
    logged: int = 0
    seen: int = 0
    unsaved: int = 0
    seconds: float = 0.0
    wrong: dict[str, int] = {}
    says: list[str] = []

    def add(self, other: "Came") -> None:
        """Add the results of another batch."""
        for name in ("faults", "acknowledged", "logged", "seen", "unsaved", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong = dict(Counter(self.wrong) + Counter(other.wrong))
        self.says = [*self.says, *other.says]


class Batch:
    """New tables of a server with people at them, reproducible from a seed."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        tables = [self.random.choice(house.servers).make_table(seats=["p1"]) for _ in range(TABLES)]
        several = 1 + (len(house.servers) > 1)
        self.hammers = [Hammer(table, seed=self.random.getrandbits(32)) for table in tables for _ in range(several)]
        self.listeners = [Listener(table, seat) for table in tables for seat in SEATS]
        self.tables = tables

    def acknowledged(self) -> int:
        """Return how many answers have been acknowledged so far."""
        return sum(len(hammer.acknowledged) for hammer in self.hammers)

    async def more(self, answers: int) -> None:
        """Wait for this many more, but only for a limited time."""
        wanted, until = self.acknowledged() + answers, time.monotonic() + MORE_SECONDS
        while self.acknowledged() < wanted and time.monotonic() < until:  # noqa: ASYNC110 (players know of no fault)
            await asyncio.sleep(LOOK_SECONDS)

    async def _keep_playing(self, person: Listener) -> None:
        while True:
            await person.play(self.random.choice(self.house.servers))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _through(self, fault: Fault, times: int) -> int:
        """Play through the faults; return how many happened."""
        people: Sequence[Listener] = [*self.hammers, *self.listeners]
        playing = [asyncio.create_task(self._keep_playing(person)) for person in people]
        done = 0
        try:
            for _ in range(times):
                await some_moment(self)
                await fault.act(self.house, self)
                done += 1
        finally:
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error
        async with asyncio.timeout(GO_ON_SECONDS):
            await asyncio.gather(*(self._until_answered(hammer) for hammer in self.hammers))
        return done

    async def _until_answered(self, hammer: Hammer) -> None:
        """Play until the pending answer, and one more, have been acknowledged."""
        before = len(hammer.acknowledged)
        while hammer.unsure or len(hammer.acknowledged) == before:
            await hammer.play(self.random.choice(self.house.servers), enough=1)
            await asyncio.sleep(AGAIN_SECONDS)

    def run(self, fault: Fault) -> Came:
        """Run a fault's batch, and check what every client received."""
        began, before = time.monotonic(), len(self.house.tracebacks())
        times = fault.batch // (1 if len(self.house.servers) == 1 else SEVERAL)
        came = Came()
        wrong: Counter[str] = Counter()
        try:
            came.faults = asyncio.run(self._through(fault, times))
        except (AssertionError, TimeoutError) as error:
            wrong[STUCK] += 1
            came.says.append(f"{STUCK}: {error!r}")
        for table in self.tables:
            self._check(table, came, wrong)
        close_sockets()
        if tracebacks := self.house.tracebacks()[before:]:
            wrong[TRACEBACK] += len(tracebacks)
            came.says.append(f"{TRACEBACK}: {tracebacks[0]}")
        came.acknowledged = self.acknowledged()
        came.unsaved = sum(hammer.unsaved for hammer in self.hammers)
        came.seconds = time.monotonic() - began
        came.wrong = dict(wrong)
        return came

    def _check(self, table: TableMade, came: Came, wrong: Counter[str]) -> None:
        people = [person for person in (*self.hammers, *self.listeners) if person.table is table]
        try:
            check_fair(table)
        except (AssertionError, CardhouseError) as error:
            wrong[UNFAIR] += 1
            came.says.append(f"{UNFAIR}: {error!r}")
        try:
            logged, found = faults_of(table, people)
        except (AssertionError, CardhouseError) as error:
            wrong[UNPLAYABLE] += 1
            came.says.append(f"{UNPLAYABLE}: {error!r}")
            return
        came.logged += logged
        came.seen += sum(
            '"t":"change"' in text or '"t":"table"' in text for one in people for t in one.lives for text in t
        )
        for fault in found:
            wrong[fault.kind] += 1
        came.says += [f"{fault.kind}: {fault.what}" for fault in found[:3]]
