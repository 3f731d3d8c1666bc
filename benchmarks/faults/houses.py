"""Setups whose parts can fail: one, two or four servers on their own store, each part with a way to break it."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import ClassVar, NamedTuple

import psycopg

from benchmarks.attacks.measuring import RealServer, tree_of
from scripts import services
from tests.server.talking import FAST, Server
from tests.server.wires import Wire

SMALL_DISK = "8m"
POSTGRES_DISK = "160m"
"""An empty PostgreSQL has 40 MB, and its write-ahead log grows by 16 at a time."""
TOLD_OF_IT = 3000
"""The most characters of a traceback that are printed."""
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
"""Debian's libfaketime, which gives a process a different time from the machine's."""


class Part:
    """A PostgreSQL or Redis of a setup, with a wire in front of it; `url` goes through the wire."""

    def __init__(self, service: services.Service, port: int) -> None:
        self.service = service
        self._life: AbstractContextManager[int] | None = None
        self.start()
        self.wire = Wire(service.url, port)
        self.url = self.wire.url

    def start(self) -> None:
        """Start it. Raises ServiceError if it won't start."""
        self._life = services.running(self.service)
        self.pid = self._life.__enter__()

    def kill(self) -> None:
        """Kill all its processes at once."""
        for process in reversed([*tree_of(self.pid)]):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.stop()

    def start_if_ended(self) -> None:
        """Restart it if it has ended, like a service manager."""
        if Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            self.stop()
            self.start()

    def stop(self) -> None:
        """Stop it in order, if it is running."""
        if self._life is not None:
            life, self._life = self._life, None
            life.__exit__(None, None, None)


class House(NamedTuple):
    """Some servers on one store. `folder` is the folder of its file, `clock` the file with the clock's offset."""

    servers: list[Server]
    folder: Path
    logs: list[Path]
    postgres: Part | None = None
    redis: Part | None = None
    clock: Path | None = None

    def tracebacks(self) -> list[str]:
        """Return the ends of the tracebacks in the servers' logs."""
        texts = [log.read_text(errors="replace").split("Traceback (")[1:] for log in self.logs]
        return [text[-TOLD_OF_IT:] for one in texts for text in one]


Make = Callable[[], AbstractContextManager[House]]


@contextmanager
def on_file() -> Iterator[House]:
    """Set up one server on an SQLite file, on a real disk."""
    with tempfile.TemporaryDirectory(prefix="cardhouse-faults-") as name, ExitStack() as stack:
        yield _servers(stack, 1, f"sqlite:///{name}/cards.db", Path(name))


@contextmanager
def on_small_disk() -> Iterator[House]:
    """Set up one server on an SQLite file, on a disk of a few megabytes in memory."""
    with tempfile.TemporaryDirectory(prefix="cardhouse-faults-") as name, ExitStack() as stack:
        disk = _disk(stack, Path(name), SMALL_DISK)
        house = _servers(stack, 1, f"sqlite:///{disk}/cards.db", Path(name))
        yield house._replace(folder=disk)


@contextmanager
def on_small_postgres_disk() -> Iterator[House]:
    """Set up one server on a PostgreSQL with a disk of its own in memory, used by nothing else."""
    with tempfile.TemporaryDirectory(prefix="cardhouse-faults-") as name, ExitStack() as stack:
        Path(name).chmod(0o711)  # PostgreSQL isn't root, and needs access
        disk = _disk(stack, Path(name), POSTGRES_DISK)
        postgres = _part(stack, services.postgres_service(disk), services.POSTGRES_PORT)
        house = _servers(stack, 1, _new_database(postgres), Path(name))
        yield house._replace(folder=disk, postgres=postgres)


def _disk(stack: ExitStack, folder: Path, size: str) -> Path:
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
    stack.callback(lambda: subprocess.run(["umount", "--lazy", disk], check=True))
    return disk


def on_postgres(count: int) -> Make:
    """Return a setup of this many servers on a PostgreSQL; several are connected through a Redis."""

    @contextmanager
    def make() -> Iterator[House]:
        with tempfile.TemporaryDirectory(prefix="cardhouse-faults-") as name, ExitStack() as stack:
            postgres = _part(stack, services.postgres_service(), services.POSTGRES_PORT)
            redis = _part(stack, services.redis_service(), services.REDIS_PORT) if count > 1 else None
            options = () if redis is None else ("--redis", redis.url)
            house = _servers(stack, count, _new_database(postgres), Path(name), *options)
            yield house._replace(postgres=postgres, redis=redis)

    return make


def with_clock(count: int) -> Make:
    """Return a setup of this many servers with a different clock: on a file, or, if there are two, on PostgreSQL."""

    @contextmanager
    def make() -> Iterator[House]:
        with tempfile.TemporaryDirectory(prefix="cardhouse-faults-") as name, ExitStack() as stack:
            clock = Path(name) / "clock"
            clock.write_text("+0")

            class Believer(RealServer):
                environment: ClassVar[dict[str, str]] = {
                    "LD_PRELOAD": str(FAKETIME),
                    "FAKETIME_TIMESTAMP_FILE": str(clock),
                    "FAKETIME_NO_CACHE": "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # setting a clock doesn't change its monotonic time
                }

            if count == 1:
                house = _servers(stack, 1, f"sqlite:///{name}/cards.db", Path(name), kind=Believer)
            else:
                postgres = _part(stack, services.postgres_service(), services.POSTGRES_PORT)
                url = _new_database(postgres)
                # Only one of the two has the wrong clock.
                believer = _servers(stack, 1, url, Path(name), kind=Believer)
                others = _servers(stack, count - 1, url, Path(name), first=1)
                house = believer._replace(
                    servers=believer.servers + others.servers, logs=believer.logs + others.logs, postgres=postgres
                )
            yield house._replace(clock=clock)

    return make


def _servers(
    stack: ExitStack,
    count: int,
    database: str,
    folder: Path,
    *options: str,
    first: int = 0,
    kind: type[Server] = Server,
) -> House:
    logs = [folder / f"log-{number}" for number in range(first, first + count)]
    servers = [kind(database, *FAST, *options, log=log) for log in logs]
    for server in servers:
        stack.callback(server.kill)
    return House(servers, folder, logs)


def _part(stack: ExitStack, service: AbstractContextManager[services.Service], port: int) -> Part:
    part = Part(stack.enter_context(service), port)
    stack.callback(part.stop)
    stack.enter_context(part.wire)
    return part


def _new_database(postgres: Part) -> str:
    name = f"cardhouse_faults_{token_hex(6)}"
    with psycopg.connect(postgres.service.url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{postgres.url.rpartition('/')[0]}/{name}"
