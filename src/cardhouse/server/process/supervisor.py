"""The supervisor of a server's worker processes: starts them, restarts those that end, and stops them together.

Each worker is a complete server. The workers share the listening socket and message channels (handoff.py) that outlive
each of them: a connection on its way to a worker that has ended waits for its successor.
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
from cardhouse.server.process.handoff import Lines, create_channels

MOST_WORKERS = 64
STOPPING_SECONDS = 30.0
"""Time limit for a worker to save pending entries and stop."""
RESTART_SECONDS = 1.0
"""The delay before a worker that ended before it was ready is restarted."""
_UNKNOWN = 255
"""The exit status reported if the fork server has died: it is then unknown whether the worker has ended."""
log = logging.getLogger("cardhouse.server")

Work = Callable[[Lines, Callable[[], None]], None]


def check_workers(count: int, platform: str = sys.platform) -> None:
    """Raises CardhouseError unless a server can have this many processes on this platform."""
    if not 1 <= count <= MOST_WORKERS:
        raise CardhouseError(f"--workers must be from 1 to {MOST_WORKERS}, not {count}. Use at most one per core.")
    if count > 1 and platform == "win32":
        raise CardhouseError("On Windows the server runs as one process. Leave out --workers.")


def run_workers(count: int, work: Work, on_ready: Callable[[], None]) -> int:
    """Run `work` in `count` processes until SIGINT or SIGTERM, and return that signal's number.

    `work` must be picklable; it is called with the worker's channels and a callback to report that it is ready.
    `on_ready` is called when all workers are. Raises CardhouseError with the worker's message if one can't start.
    """
    with _signals() as stop_signal:
        lines = create_channels(count)
        children = [_Child(line, work) for line in lines]
        try:
            while not all(child.ready for child in children) and not stop_signal.poll():
                _wait(stop_signal, children)
                if ended := [child for child in children if child.has_ended()]:
                    raise CardhouseError(ended[0].problem or "A server process ended before it could serve.")
            if not stop_signal.poll():
                on_ready()
            while not stop_signal.poll():
                _wait(stop_signal, children)
                for place, child in enumerate(children):
                    if child.has_ended() and not (stop_signal.poll(0 if child.ready else RESTART_SECONDS)):
                        log.warning("A server process ended (%s) and was restarted.", child.exit_description())
                        children[place] = _Child(lines[place], work)
        finally:
            _stop(children)
        number: int = stop_signal.recv()
        return number


def _context() -> ForkServerContext | SpawnContext:
    """Return the start method: one that inherits no open files and no threads of this process.

    On Linux, workers are forked from a process that has only loaded the modules: that is fast, and shares its memory.
    """
    if sys.platform != "linux":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(["cardhouse.server.app.preload"])
    return context


class _Child:
    """One worker. `ready` is whether it serves, `problem` why it couldn't start."""

    def __init__(self, lines: Lines, work: Work) -> None:
        self.ready = False
        self.problem = ""
        self.pipe, sender = Pipe(duplex=False)
        self.process = _context().Process(target=_run_worker, args=(lines, work, sender), name="cardhouse house")
        self.process.start()
        sender.close()

    def has_ended(self) -> bool:
        """Return whether the worker has ended, after reading its last message."""
        if not self.pipe.closed and self.pipe.poll():
            try:
                self.problem = self.pipe.recv()
                self.ready = not self.problem
            except EOFError:
                pass
            self.pipe.close()
        if self.process.is_alive():
            return False
        if self.process.exitcode == _UNKNOWN and self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        return True

    def exit_description(self) -> str:
        """Return the reason for the log."""
        return self.problem or f"exit status {self.process.exitcode}"


def _wait(stop_signal: Connection, children: list[_Child]) -> None:
    """Wait for a stop signal, or for a message or the end of a worker."""
    speaking = [child.pipe for child in children if not child.pipe.closed]
    wait([stop_signal, *speaking, *(child.process.sentinel for child in children)])
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
    """Yield a connection that receives the number of a stop signal."""
    stop_signal, sender = Pipe(duplex=False)

    def forward(number: int, frame: FrameType | None) -> None:
        sender.send(number)

    before = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop_signal
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# In the process.


def _run_worker(lines: Lines, work: Work, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is handled by the supervisor
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the fork server ignores it
    end_with_parent()

    def ready() -> None:
        sender.send("")
        sender.close()

    try:
        work(lines, ready)
    except CardhouseError as error:
        sender.send(error.message)
        sys.exit(1)
