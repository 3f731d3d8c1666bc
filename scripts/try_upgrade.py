"""Upgrade a server under load: a newer server starts next to an older one, which is stopped; report losses.

    python -m scripts.try_upgrade [COMMIT]      or make upgrade OLD=COMMIT

The older server is of that commit of this repository, or of the present files. Both share a database of their own in
the PostgreSQL, and the Redis, that scripts.services finds or starts.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import psycopg

from scripts import services
from tests.server.hammering import Hammer, check_fair, check_nothing_lost
from tests.server.talking import FAST, Server

ROOT = Path(__file__).resolve().parent.parent
TABLES = 20
BEFORE = AFTER = 20
"""Answers at each table before the older server is stopped, and on the newer one."""
LOOK_SECONDS = 0.05


class Renewed(Server):
    """A server from the sources in a folder, in a fresh process."""

    def __init__(self, sources: Path, database: str, redis: str, log: Path) -> None:
        self.sources = sources
        super().__init__(database, *FAST, "--redis", redis, log=log)

    def start(self) -> None:
        command = [sys.executable, "-m", "cardhouse.server", "--port", "0", "--db", self.database, *self.options]
        with self.log.open("ab") as log:
            environment = {**os.environ, "PYTHONPATH": str(self.sources)}
            self.running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.running.stdout is not None
        address = self.running.stdout.readline().strip()
        if not address:
            raise SystemExit(f"A server would not start:\n{self.log.read_text()}")
        self.port = int(address.rpartition(":")[2])


class Timed(Hammer):
    """A player that records when each answer was acknowledged."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.at: list[float] = []

    async def _answer(self, socket: Any) -> None:
        known = len(self.acknowledged)
        await super()._answer(socket)
        if len(self.acknowledged) > known:
            self.at.append(time.monotonic())

    @property
    def silence(self) -> float:
        """The longest time between two acknowledgements, in seconds."""
        return max(later - earlier for earlier, later in zip(self.at, self.at[1:], strict=False))


@contextmanager
def sources_of(commit: str | None, folder: Path) -> Iterator[Path]:
    """Yield the sources of a commit, or the present ones."""
    if commit is None:
        yield ROOT / "src"
        return
    tree = folder / "old"
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, commit], cwd=ROOT, check=True)
    try:
        yield tree / "src"
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


@contextmanager
def database() -> Iterator[str]:
    """Yield the URL of a new PostgreSQL database."""
    name = f"cardhouse_upgrade_{token_hex(6)}"
    with services.postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield f"{url.rpartition('/')[0]}/{name}"
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


async def _until_all_have(hammers: list[Timed], count: int) -> None:
    while any(len(hammer.acknowledged) < count for hammer in hammers):  # noqa: ASYNC110 (these are our own tasks)
        await asyncio.sleep(LOOK_SECONDS)


async def _play_over(hammers: list[Timed], old: Renewed, new: Renewed) -> tuple[int, float]:
    """Return how many answers the older server acknowledged, and how long it took to end."""
    first = [asyncio.create_task(hammer.play(old)) for hammer in hammers]
    await _until_all_have(hammers, BEFORE)
    told_at = time.monotonic()
    old.running.send_signal(signal.SIGTERM)
    await asyncio.gather(*first)
    before = sum(len(hammer.acknowledged) for hammer in hammers)
    await asyncio.gather(*(hammer.play(new, enough=AFTER) for hammer in hammers))
    await asyncio.to_thread(old.running.wait)
    return before, time.monotonic() - told_at


class Seen(NamedTuple):
    """The results: answers acknowledged, in total and by the older server, and the tables' silences."""

    acknowledged: int
    by_the_older: int
    entries: int
    silences: list[float]
    ended_seconds: float
    tracebacks: int


def renew(commit: str | None, folder: Path) -> Seen:
    """Upgrade a server of that commit, or the present files. Raises AssertionError if anything was lost or doubled."""
    with sources_of(commit, folder) as sources, database() as kept, services.redis() as redis:
        old = Renewed(sources, kept, redis, folder / "old.log")
        hammers = [Timed(old.make_table(), seed=number) for number in range(TABLES)]
        new = Renewed(ROOT / "src", kept, redis, folder / "new.log")
        try:
            before, ended = asyncio.run(_play_over(hammers, old, new))
            entries = 0
            for hammer in hammers:
                hammer.table.server = new
                entries += check_nothing_lost(hammer.table, [hammer])
                check_fair(hammer.table)
            tracebacks = (old.log.read_text() + new.log.read_text()).count("Traceback")
        finally:
            old.running.kill()
            new.running.terminate()
            new.running.wait()
    acknowledged = sum(len(hammer.acknowledged) for hammer in hammers)
    return Seen(acknowledged, before, entries, sorted(hammer.silence for hammer in hammers), ended, tracebacks)


def main(commit: str | None = None) -> None:
    """Run the trial, and print the results."""
    with tempfile.TemporaryDirectory(prefix="cardhouse-upgrade-") as folder:
        seen = renew(commit, Path(folder))
    print(f"from {commit or 'these files'} to these files, {TABLES} tables without a pause")
    print(f"{seen.acknowledged:6,} answers acknowledged, {seen.by_the_older:,} of them by the older server; ", end="")
    print(f"{seen.entries:,} in the logs")
    print("     0 lost, 0 there twice; every deal verified")
    median, worst = seen.silences[len(seen.silences) // 2], seen.silences[-1]
    print(f"{median:6.2f} s without an acknowledgement at the median table, {worst:.2f} at the worst")
    print(f"{seen.ended_seconds:6.2f} s from being told to stop to the older server's end and all played on")
    print(f"{seen.tracebacks:6} tracebacks in the logs")


if __name__ == "__main__":
    main(*sys.argv[1:])
