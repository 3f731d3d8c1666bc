"""Faults at some tables: people play on through all of them, and at the end every table's history is checked."""

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
"""Those who only listen, beside game masters who answer."""
SEVERAL = 3
"""Where there are other servers they play on meanwhile, and their log would become so many times as long."""
AGAIN_SECONDS = 0.02
"""Who finds no server tries again after so long."""
LOOK_SECONDS = 0.002
MORE_SECONDS = 20.0
GO_ON_SECONDS = 90.0
"""A house that is whole again and takes nothing for so long has not come back."""
STUCK, TRACEBACK, UNFAIR = "stuck", "traceback", "unfair"


class Came(msgspec.Struct):
    """What came of some faults: how many there were, and what was `wrong`, by kind, with a sentence for each kind.

    `acknowledged` are the answers that people were told are saved, `logged` those in the logs, `seen` how often
    somebody's view was compared with the log, `unsaved` how often one was told that nothing can be saved.
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
        """Those of another batch as well."""
        for name in ("faults", "acknowledged", "logged", "seen", "unsaved", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong = dict(Counter(self.wrong) + Counter(other.wrong))
        self.says = [*self.says, *other.says]


class Batch:
    """Some new tables at a house, people at them, and a seed by which both are the same again."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        tables = [self.random.choice(house.servers).make_table(seats=["p1"]) for _ in range(TABLES)]
        several = 1 + (len(house.servers) > 1)
        self.hammers = [Hammer(table, seed=self.random.getrandbits(32)) for table in tables for _ in range(several)]
        self.listeners = [Listener(table, seat) for table in tables for seat in SEATS]
        self.tables = tables

    def acknowledged(self) -> int:
        """How many answers have been, so far."""
        return sum(len(hammer.acknowledged) for hammer in self.hammers)

    async def more(self, answers: int) -> None:
        """Until so many more have been, or, if that takes long, no longer."""
        wanted, until = self.acknowledged() + answers, time.monotonic() + MORE_SECONDS
        while self.acknowledged() < wanted and time.monotonic() < until:  # noqa: ASYNC110 (who plays knows of no fault)
            await asyncio.sleep(LOOK_SECONDS)

    async def _keep_playing(self, person: Listener) -> None:
        while True:
            await person.play(self.random.choice(self.house.servers))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _through(self, fault: Fault, times: int) -> int:
        """How often it was done."""
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
        """Until the answer that was under way, and one more, have been acknowledged."""
        before = len(hammer.acknowledged)
        while hammer.unsure or len(hammer.acknowledged) == before:
            await hammer.play(self.random.choice(self.house.servers), enough=1)
            await asyncio.sleep(AGAIN_SECONDS)

    def run(self, fault: Fault) -> Came:
        """Do a fault as often as it is done at the same tables, and check what everybody was told."""
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
