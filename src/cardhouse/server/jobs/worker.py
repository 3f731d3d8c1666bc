"""What a worker process does: one job after the other, until the server that started it is gone.

A job comes as a pickled function with its arguments; the function is one of a module's own.
"""

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cardhouse.engine.values.errors import CardhouseError
from cardhouse.lab.running.workers import end_with_parent

NICENESS = 10
"""Tables come first: a process that works for the server is nicer than it by so much."""
MEMORY_BYTES = 2_000_000_000
"""What a worker may have for itself, where the system can bound it. Addresses that are only reserved don't count."""


LARGE_BYTES = 128_000_000
"""A worker that has grown larger, as writing a report makes it, is replaced: Python gives hardly anything back."""


BEGUN = "begun"
"""What a worker says when all that a job needs is loaded: from then on its time counts."""


class Outcome(NamedTuple):
    """What came of a job: its result, the CardhouseError it raised, or the traceback of any other error."""

    kind: Literal["done", "refused", "failed", "no_memory"]
    value: Any = None


class Done(NamedTuple):
    """A job is over: its Outcome, pickled, and whether the process may take another."""

    outcome: bytes
    goes_on: bool


def work(pipe: Connection) -> None:
    """Do the jobs that come by the pipe, until it is closed at its other end."""
    set_up()
    with suppress(EOFError, OSError):
        while True:
            outcome = _pickled(_outcome(pipe.recv_bytes(), lambda: pipe.send(BEGUN)))
            pipe.send(Done(outcome, _resident_bytes() <= LARGE_BYTES))


def set_up() -> None:
    """What goes for every process that works for the server: it ends with it, and has only so much memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server, which ends its workers
    end_with_parent()
    if sys.platform == "linux":  # elsewhere the system has no such bound, or doesn't keep it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(hard, MEMORY_BYTES)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def give_way(pid: int) -> None:
    """Have a process come after the others, by so much more than it does; 0 is this one. On Windows nothing changes."""
    if hasattr(os, "setpriority"):
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid) + NICENESS)


def _resident_bytes() -> int:
    """How much memory this process takes up; 0 where the system doesn't tell."""
    try:
        _, pages, *_ = Path("/proc/self/statm").read_text().split()
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _outcome(job: bytes, begun: Callable[[], None]) -> Outcome:
    try:
        function, args = pickle.loads(job)  # noqa: S301 (the server's own)
        begun()
        return Outcome("done", function(*args))
    except CardhouseError as error:
        return Outcome("refused", error)
    except MemoryError:
        return Outcome("no_memory")
    except Exception:  # noqa: BLE001 (the server logs it)
        return Outcome("failed", traceback.format_exc())


def _pickled(outcome: Outcome) -> bytes:
    try:
        text = pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
        if outcome.kind == "refused":
            pickle.loads(text)  # noqa: S301 (a game's own error may be one that can't be read back)
    except MemoryError:
        return pickle.dumps(Outcome("no_memory"))
    except Exception:  # noqa: BLE001 (anything may be wrong with what a game gives back)
        if isinstance(outcome.value, CardhouseError):
            return pickle.dumps(Outcome("refused", CardhouseError(outcome.value.message, outcome.value.code)))
        return pickle.dumps(Outcome("failed", traceback.format_exc()))
    return text
