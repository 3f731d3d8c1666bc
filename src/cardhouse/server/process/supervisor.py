"""Several processes of one house: they are started, started again if they end, and stopped together.

Each is a whole server. They share the socket that is listened on, and ways to one another (siblings.py) that outlive
each of them: whoever was on the way to one that has ended waits for the one in its place.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from types import FrameType

from cardhouse.engine import CardhouseError
from cardhouse.lab.running.workers import end_with_parent
from cardhouse.server.process.handoff import Lines, lines_between

MOST_WORKERS = 64
STOPPING_SECONDS = 30.0
"""So long a process may take to save what is under way and stop."""
RESTART_SECONDS = 1.0
"""One that ended before it could serve is started again after so long."""
_UNKNOWN = 255
"""The exit status where the process has ended that they are copies of: then nobody knows whether they have."""
log = logging.getLogger("cardhouse.server")

Work = Callable[[Lines, Callable[[], None]], None]


def check_workers(count: int, platform: str = sys.platform) -> None:
    """Raises CardhouseError unless a house can have so many processes on this platform."""
    if not 1 <= count <= MOST_WORKERS:
        raise CardhouseError(f"--workers must be from 1 to {MOST_WORKERS}, not {count}. Use at most one per core.")
    if count > 1 and platform == "win32":
        raise CardhouseError("On Windows the server runs as one process. Leave out --workers.")


def keep_open(count: int, work: Work, on_ready: Callable[[], None]) -> int:
    """Have so many processes do some work until SIGINT or SIGTERM; which of them it was.

    `work` can be pickled, and is called with the ways to the others, and with what it calls when it serves. `on_ready`
    is called when all do. Raises CardhouseError, what the work raised, if one of them can't begin.
    """
    with _signals() as told:
        lines = lines_between(count)
        children = [_Child(line, work) for line in lines]
        try:
            while not all(child.ready for child in children) and not told.poll():
                _wait(told, children)
                if ended := [child for child in children if child.has_ended()]:
                    raise CardhouseError(ended[0].problem or "A server process ended before it could serve.")
            if not told.poll():
                on_ready()
            while not told.poll():
                _wait(told, children)
                for place, child in enumerate(children):
                    if child.has_ended() and not (told.poll(0 if child.ready else RESTART_SECONDS)):
                        log.warning("A server process ended (%s) and was restarted.", child.how_it_ended())
                        children[place] = _Child(lines[place], work)
        finally:
            _stop(children)
        number: int = told.recv()
        return number


def _context() -> ForkServerContext | SpawnContext:
    """How they are started: nothing that this process has open, nor any thread of it, may be carried over.

    Where it is safe they are copies of one that has loaded everything and done nothing else: that takes no seconds, and
    they share its memory.
    """
    if sys.platform != "linux":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(["cardhouse.server.app.preload"])
    return context


class _Child:
    """One of the processes. `ready` says that it serves, `problem` why it never did."""

    def __init__(self, lines: Lines, work: Work) -> None:
        self.ready = False
        self.problem = ""
        self.heard, says = Pipe(duplex=False)
        self.process = _context().Process(target=_be_one, args=(lines, work, says), name="cardhouse house")
        self.process.start()
        says.close()

    def has_ended(self) -> bool:
        """Whether it is there no more; what it has said is taken in before."""
        if not self.heard.closed and self.heard.poll():
            try:
                self.problem = self.heard.recv()
                self.ready = not self.problem
            except EOFError:
                pass
            self.heard.close()
        if self.process.is_alive():
            return False
        if self.process.exitcode == _UNKNOWN and self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        return True

    def how_it_ended(self) -> str:
        """For the log."""
        return self.problem or f"exit status {self.process.exitcode}"


def _wait(told: Connection, children: list[_Child]) -> None:
    """Until somebody says to stop, or one of them says something or ends."""
    speaking = [child.heard for child in children if not child.heard.closed]
    wait([told, *speaking, *(child.process.sentinel for child in children)])
    for child in children:
        child.has_ended()


def _stop(children: list[_Child]) -> None:
    for child in children:
        child.process.terminate()
    until = time.monotonic() + STOPPING_SECONDS
    for child in children:
        child.process.join(max(0.0, until - time.monotonic()))
        if child.process.is_alive():
            log.warning("A server process didn't stop within %g seconds and was killed.", STOPPING_SECONDS)
            child.process.kill()
            child.process.join()


@contextmanager
def _signals() -> Iterator[Connection]:
    """Where the number of a signal to stop is heard, once there was one."""
    told, says = Pipe(duplex=False)

    def say(number: int, frame: FrameType | None) -> None:
        says.send(number)

    before = {number: signal.signal(number, say) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# In the process.


def _be_one(lines: Lines, work: Work, says: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the process that started this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # which the one that it is a copy of passes over
    end_with_parent()

    def ready() -> None:
        says.send("")
        says.close()

    try:
        work(lines, ready)
    except CardhouseError as error:
        says.send(error.message)
        sys.exit(1)
