"""The main loop of a worker process: one job after the other, until the server that started it is gone.

A job is a pickled function of a module with its arguments.
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

NICENESS = 5
"""The lower priority (niceness) of workers. Tables come first, but work ends in time on a busy machine, too."""
MEMORY_BYTES = 2_000_000_000
"""Memory limit of a worker, where the system can enforce one. Address space that is only reserved doesn't count."""


LARGE_BYTES = 128_000_000
"""A worker that has grown larger, for example by writing a report, is replaced: Python frees hardly any memory."""


BEGUN = "begun"
"""The message that a job's imports are done; its time limit counts from then on."""


class Outcome(NamedTuple):
    """The outcome of a job: its result, the CardhouseError it raised, or the traceback of any other error."""

    kind: Literal["done", "refused", "failed", "no_memory"]
    value: Any = None


class Done(NamedTuple):
    """The end of a job: its pickled Outcome, and whether the process may take another job."""

    outcome: bytes
    goes_on: bool


def work(pipe: Connection) -> None:
    """Run the jobs that arrive through the pipe, until its other end is closed."""
    set_up()
    with suppress(EOFError, OSError):
        while True:
            outcome = _pickled(_outcome(pipe.recv_bytes(), lambda: pipe.send(BEGUN)))
            pipe.send(Done(outcome, _resident_bytes() <= LARGE_BYTES))


def set_up() -> None:
    """Set up a process that works for the server: it ends with the server, and its memory is limited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server, which ends its workers
    end_with_parent()
    if sys.platform == "linux":  # other systems lack this limit or don't enforce it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(hard, MEMORY_BYTES)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def give_way(pid: int) -> None:
    """Lower the priority of a process (0: this one) below its present one. Does nothing on Windows."""
    if hasattr(os, "setpriority"):
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid) + NICENESS)


def _resident_bytes() -> int:
    """Return this process's resident memory; 0 where the system doesn't report it."""
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
    except Exception:  # noqa: BLE001 (a game's result may raise anything)
        if isinstance(outcome.value, CardhouseError):
            return pickle.dumps(Outcome("refused", CardhouseError(outcome.value.message, outcome.value.code)))
        return pickle.dumps(Outcome("failed", traceback.format_exc()))
    return text
