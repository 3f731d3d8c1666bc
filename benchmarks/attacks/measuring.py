"""One attack on a server, measured: innocents play in quiet, then under attack, while its memory is watched."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import msgspec

from benchmarks.attacks import innocent
from benchmarks.attacks.innocent import MAKERS, NEWCOMERS, TABLES_EACH, Window, quantile
from benchmarks.attacks.target import Attack, allow_files, make_attack, step_back
from scripts.services import stop_with_parent
from tests.server.talking import Server

QUIET_SECONDS = 6.0
QUIET_TRIES = 3
MOST_TIMES = 3.0
"""An answer at an innocent table may take this many times as long as in quiet (p99)."""
MOST_MS = 100.0
MOST_MB = 100.0
"""The server's processes may grow by this much."""
MOST_LOG_MB = 1.0
USUAL_FILES = 1024
"""The usual limit on open files and connections, under a login shell and systemd."""
MEMORY_SECONDS = 0.2
PREPARED_SECONDS = 180.0
"""The timeout for preparation."""

_processes = get_context("spawn")


class RealServer(Server):
    """`python -m cardhouse.server` as a user starts it.

    Memory that it shares with no other process counts as its growth.
    """

    environment: ClassVar[dict[str, str]] = {}
    """Additional environment variables."""

    def start(self) -> None:
        command = ["-m", "cardhouse.server", "--port", str(self.port), "--db", self.database, *self.options]
        with self.log.open("ab") as log:
            self.popen = subprocess.Popen(
                [sys.executable, *command],
                env={**os.environ, **self.environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                preexec_fn=self.prepare,
            )
        assert self.popen.stdout is not None
        address = self.popen.stdout.readline().strip()
        assert address, f"the server would not start:\n{self.log.read_text()}"
        self.port = int(address.rpartition(":")[2])

    def prepare(self) -> None:
        """Set the process's usual limits, and stop it with its parent."""
        allow_files(USUAL_FILES)
        stop_with_parent()

    @property
    def pid(self) -> int:
        return self.popen.pid

    def kill(self) -> None:
        """Stop it in order, so that its own processes stop too; kill it if it doesn't react."""
        self.popen.send_signal(signal.SIGTERM)
        try:
            self.popen.wait(15)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        assert self.popen.stdout is not None
        self.popen.stdout.close()


class Decoy(RealServer):
    """A server that uses only the CPU time that others leave, like the attackers."""

    def prepare(self) -> None:
        super().prepare()
        step_back()


class Measured(msgspec.Struct):
    """The result of an attack: two windows, megabytes of memory and of log, and the attackers' own tally.

    `tracebacks` counts those in the log. With `must_refuse`, the server had to refuse all that was asked.
    """

    quiet: Window
    attacked: Window
    before_mb: float
    peak_mb: float
    log_mb: float
    tally: dict[str, int]
    shared: bool
    must_refuse: bool = False
    tracebacks: int = 0

    @property
    def times(self) -> float:
        """The slowest hundredth's time, as a multiple of the time in quiet."""
        return quantile(self.attacked.told, 0.99) / max(quantile(self.quiet.told, 0.99), 0.001)

    def problems(self) -> Iterator[str]:
        """Yield each way in which the goal was missed."""
        if not is_quiet(self.quiet):
            yield "the machine was busy with something else"
        slow = quantile(self.attacked.told, 0.99)
        if slow > MOST_MS:
            yield f"p99 over {MOST_MS:g} ms"
        if self.times > MOST_TIMES:
            yield f"p99 over {MOST_TIMES:g} times that in quiet"
        if self.attacked.unanswered:
            yield f"{self.attacked.unanswered} unanswered"
        if self.attacked.lost:
            yield f"{self.attacked.lost} thrown out"
        if self.attacked.refused:
            yield f"{len(self.attacked.refused)} innocents refused ({self.attacked.refused[0]})"
        if self.peak_mb - self.before_mb > MOST_MB:
            yield f"{self.peak_mb - self.before_mb:.0f} MB more"
        if self.log_mb > MOST_LOG_MB:
            yield f"{self.log_mb:.1f} MB of log"
        yield from self._wrong_answers()
        if not self.shared:  # those who share an attacker's address may have to wait
            yield from self._kept_out()

    def _wrong_answers(self) -> Iterator[str]:
        if errors := self.tally.get("errors"):
            yield f"{errors} errors of ours"
        if self.tracebacks:
            yield f"{self.tracebacks} tracebacks in the log"
        if self.must_refuse and (served := self.tally.get("served")):
            yield f"{served} served that had to be refused"
        if self.must_refuse and not self.tally.get("refused"):
            yield "nothing refused"

    def _kept_out(self) -> Iterator[str]:
        if self.attacked.seated < NEWCOMERS:
            yield f"{NEWCOMERS - self.attacked.seated} of {NEWCOMERS} newcomers kept out"
        if self.attacked.made < MAKERS * TABLES_EACH:
            yield f"{MAKERS * TABLES_EACH - self.attacked.made} of {MAKERS * TABLES_EACH} tables not made"


# Memory.


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    except OSError:
        return  # it has ended
    for child in children:
        yield from tree_of(child)


def memory_mb(pid: int) -> float:
    """Return the memory of a process and its descendants in megabytes; shared memory counts once."""
    return sum(map(_proportional_mb, tree_of(pid)))


def _proportional_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


class Peak:
    """The peak memory of a process tree during the block."""

    def __init__(self, pid: int) -> None:
        self.before = self.peak = memory_mb(pid)
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(MEMORY_SECONDS):
            self.peak = max(self.peak, memory_mb(self._pid))


# Processes.


class Helper(NamedTuple):
    """A process with which messages are exchanged."""

    process: Any
    connection: Connection

    def hear(self, seconds: float) -> Any:
        """Return its next message. Raises RuntimeError if there is none in this time."""
        try:
            if self.connection.poll(seconds):
                return self.connection.recv()
        except EOFError:
            raise RuntimeError("A process of the measurement has ended; its error stands above.") from None
        raise RuntimeError(f"A process of the measurement said nothing for {seconds:g} seconds.")


@contextmanager
def helper(work: Callable[..., None], *given: Any) -> Iterator[Helper]:
    """Run some work in a process, until the end of the block."""
    ours, theirs = _processes.Pipe()
    process = _processes.Process(target=work, args=(theirs, *given), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Helper(process, ours)
    finally:
        process.kill()
        process.join()
        ours.close()


def quietest(innocents: Helper, seconds: float) -> Window:
    """Return what innocents saw in quiet, repeating the measurement if something else kept the machine busy."""
    windows: list[Window] = []
    while len(windows) < QUIET_TRIES and not any(map(is_quiet, windows)):
        innocents.connection.send(seconds)
        windows.append(innocents.hear(seconds + 60))
    return min(windows, key=lambda window: quantile(window.told, 0.99))


def is_quiet(window: Window) -> bool:
    """Return whether it is quiet enough for an attack's effect to show."""
    return quantile(window.told, 0.99) * MOST_TIMES <= MOST_MS


def measure(
    attack: Attack,
    server: Server,
    pid: int,
    seconds: float,
    *,
    quiet: float = QUIET_SECONDS,
    shared: bool = False,
    decoy: Server | None = None,
) -> Measured:
    """Attack a server, which is process `pid`, for this long; `shared` uses the innocents' address.

    With a `decoy`, that is attacked and the server isn't: the innocents then only notice how busy the machine is.
    Raises RuntimeError if the innocents or the attackers couldn't start.
    """
    with (
        helper(make_attack, attack.begin, (decoy or server).port, seconds) as attackers,
        helper(innocent.play, server.port, shared) as innocents,
    ):
        with Peak(pid) as preparing:
            attackers.hear(PREPARED_SECONDS)
            innocents.hear(PREPARED_SECONDS)
        in_quiet = quietest(innocents, quiet)
        with Peak(pid) as memory:
            attackers.connection.send(None)
            innocents.connection.send(seconds)
            attacked = innocents.hear(seconds + 90)
            try:
                tally = attackers.hear(60)
            except RuntimeError:
                tally = {}
        written = server.log.read_bytes()
    before = preparing.peak if attack.once else memory.before
    log_mb, tracebacks = len(written) / 1e6, written.count(b"Traceback")
    return Measured(in_quiet, attacked, before, memory.peak, log_mb, tally, shared, attack.refused, tracebacks)
