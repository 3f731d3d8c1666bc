"""What can go wrong with a house: each fault is done while people play, and is over when its function is back."""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

from benchmarks.faults import houses
from benchmarks.faults.houses import House, Part

SOON = 0.3
"""Some faults come within so many seconds of the one before, whatever has been going on meanwhile."""
ANSWERS = 15
"""The others when so many more answers at most have been acknowledged."""
PAUSE = 2.5
"""Longer than any lease holds."""
CUT = 2.0
FULL = 1.5
DAYS = 400
_starting = ThreadPoolExecutor(1)
"""Services are started in a thread that lives as long as this process: they die with the thread that started them."""


class Going(Protocol):
    """What a fault is told of those who play."""

    random: random.Random

    def acknowledged(self) -> int:
        """How many answers have been, so far."""

    async def more(self, answers: int) -> None:
        """Until so many more have been, or, if that takes long, no longer."""


Act = Callable[[House, Going], Awaitable[None]]


class Fault(NamedTuple):
    """A fault by name, the houses in which it can be done, and how many are done at the same tables."""

    name: str
    act: Act
    houses: tuple[str, ...]
    batch: int


async def some_moment(going: Going) -> None:
    """Until the next fault: a moment counted in time, or in answers."""
    if going.random.random() < 0.25:
        await asyncio.sleep(going.random.uniform(0, SOON))
    else:
        await going.more(going.random.randint(1, ANSWERS))
        await asyncio.sleep(going.random.uniform(0, 0.005))


def wait_for_starts() -> None:
    """Until whatever is being started has been, or it would be there when all else is gone."""
    _starting.submit(lambda: None).result()


async def _in_thread(work: Callable[..., Any], *given: Any) -> None:
    await asyncio.get_running_loop().run_in_executor(_starting, work, *given)


async def kill(house: House, going: Going) -> None:
    """SIGKILL for a server and all that works for it; then it is started again."""
    server = going.random.choice(house.servers)
    server.kill()
    await _in_thread(server.start)


async def pause(house: House, going: Going) -> None:
    """SIGSTOP for a server and all that works for it, and SIGCONT after a while."""
    group = going.random.choice(house.servers).process.pid or 0
    os.killpg(group, signal.SIGSTOP)
    try:
        await asyncio.sleep(going.random.uniform(0.05, PAUSE))
    finally:
        os.killpg(group, signal.SIGCONT)


def _killed(which: Callable[[House], Part | None]) -> Act:
    async def act(house: House, going: Going) -> None:
        part = which(house)
        assert part is not None
        await _in_thread(part.kill)
        await asyncio.sleep(going.random.uniform(0, CUT))
        await _in_thread(part.start)

    return act


def _cut_off(which: Callable[[House], Part | None], how: Callable[[Part], None]) -> Act:
    async def act(house: House, going: Going) -> None:
        part = which(house)
        assert part is not None
        how(part)
        try:
            await asyncio.sleep(going.random.uniform(0.05, CUT))
        finally:
            part.wire.mend()

    return act


async def fill_disk(house: House, going: Going) -> None:
    """The disk is full, for a while; a PostgreSQL that has no room to write first what it does ends meanwhile."""
    ballast = house.folder / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 65536)
    except OSError:
        pass
    try:
        await asyncio.sleep(going.random.uniform(0.2, FULL))
    finally:
        ballast.unlink()
        if house.postgres is not None:
            await _in_thread(house.postgres.start_if_ended)


async def set_clock(house: House, going: Going) -> None:
    """The clock is set, back or forth, by seconds or by days; then right again."""
    assert house.clock is not None
    seconds = going.random.choice((1, -1)) * round(2 ** going.random.uniform(0, 25))
    house.clock.write_text(f"{seconds:+d}")
    await going.more(ANSWERS)
    house.clock.write_text("+0")


def _postgres(house: House) -> Part | None:
    return house.postgres


def _redis(house: House) -> Part | None:
    return house.redis


HOUSES: dict[str, houses.Make] = {
    "SQLite": houses.on_file,
    "PostgreSQL": houses.on_postgres(1),
    "PostgreSQL, 2 servers": houses.on_postgres(2),
    "PostgreSQL, 4 servers": houses.on_postgres(4),
    "SQLite, 8 MB of disk": houses.on_small_disk,
    "PostgreSQL, 160 MB of disk": houses.on_small_postgres_disk,
    "SQLite, another clock": houses.with_clock(1),
    "PostgreSQL, 2 clocks": houses.with_clock(2),
}


_SMALL = ("SQLite, 8 MB of disk", "PostgreSQL, 160 MB of disk")


def left_out() -> dict[str, str]:
    """The houses that can't be had here, each with a sentence why."""
    why: dict[str, str] = {}
    if os.geteuid() != 0:
        why |= dict.fromkeys(_SMALL, "only root may mount a disk of so few megabytes")
    if not houses.FAKETIME.exists():
        why |= dict.fromkeys(("SQLite, another clock", "PostgreSQL, 2 clocks"), "Debian's libfaketime is not installed")
    return why


_ONE = ("SQLite", "PostgreSQL")
_SEVERAL = ("PostgreSQL, 2 servers", "PostgreSQL, 4 servers")
_ALL_POSTGRES = ("PostgreSQL", *_SEVERAL)
FAULTS = {
    fault.name: fault
    for fault in (
        Fault("killed", kill, (*_ONE, *_SEVERAL), 25),
        Fault("paused", pause, (*_ONE, *_SEVERAL), 8),
        Fault("PostgreSQL killed", _killed(_postgres), _ALL_POSTGRES, 6),
        Fault("PostgreSQL cut off", _cut_off(_postgres, lambda part: part.wire.cut()), _ALL_POSTGRES, 8),
        Fault("PostgreSQL silent", _cut_off(_postgres, lambda part: part.wire.stall()), _ALL_POSTGRES, 8),
        Fault("Redis killed", _killed(_redis), _SEVERAL, 9),
        Fault("Redis cut off", _cut_off(_redis, lambda part: part.wire.cut()), _SEVERAL, 8),
        Fault("Redis silent", _cut_off(_redis, lambda part: part.wire.stall()), _SEVERAL, 8),
        Fault("disk full", fill_disk, _SMALL, 8),
        Fault("clock set", set_clock, ("SQLite, another clock", "PostgreSQL, 2 clocks"), 10),
    )
}
