"""The kinds of faults: each happens while people play, and is over when its function returns."""

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
"""Some faults follow within this many seconds of the previous one, whatever happens meanwhile."""
ANSWERS = 15
"""The others follow once up to this many more answers have been acknowledged."""
PAUSE = 2.5
"""Longer than any lease."""
CUT = 2.0
FULL = 1.5
DAYS = 400
_starting = ThreadPoolExecutor(1)
"""Services are started in a thread that lives as long as this process, because they die with the starting thread."""


class Going(Protocol):
    """A fault's knowledge of the players."""

    random: random.Random

    def acknowledged(self) -> int:
        """Return how many answers have been acknowledged so far."""

    async def more(self, answers: int) -> None:
        """Wait for this many more, but only for a limited time."""


Act = Callable[[House, Going], Awaitable[None]]


class Fault(NamedTuple):
    """A fault by name, the setups in which it is possible, and how many happen at the same tables."""

    name: str
    act: Act
    houses: tuple[str, ...]
    batch: int


async def some_moment(going: Going) -> None:
    """Wait until the next fault: for a random time, or number of answers."""
    if going.random.random() < 0.25:
        await asyncio.sleep(going.random.uniform(0, SOON))
    else:
        await going.more(going.random.randint(1, ANSWERS))
        await asyncio.sleep(going.random.uniform(0, 0.005))


def wait_for_starts() -> None:
    """Wait until everything being started has started, so that it can be stopped."""
    _starting.submit(lambda: None).result()


async def _in_thread(work: Callable[..., Any], *given: Any) -> None:
    await asyncio.get_running_loop().run_in_executor(_starting, work, *given)


async def kill(house: House, going: Going) -> None:
    """Kill a server and its workers with SIGKILL, and start it again."""
    server = going.random.choice(house.servers)
    server.kill()
    await _in_thread(server.start)


async def pause(house: House, going: Going) -> None:
    """Suspend a server and its workers with SIGSTOP, and resume it after a while."""
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
    """Fill the disk for a while; a PostgreSQL without room for its write-ahead log ends meanwhile."""
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
    """Set the clock back or forward, by seconds or by days; then correct it."""
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
    """Return the setups that are impossible here, each with the reason."""
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
