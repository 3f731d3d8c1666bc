"""A child process at the other end of a pipe."""

from collections.abc import Callable
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection

_CONTEXT = get_context("spawn")  # a fork of a process with threads may deadlock


class PipedProcess:
    """A process, started at once, that runs `work` with its end of a pipe; `pipe` is the other end."""

    def __init__(self, work: Callable[[Connection], None], name: str) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_run, args=(work, theirs), name=name, daemon=True)
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        """Kill the process and wait for its end."""
        self.process.kill()
        self.process.join()


def _run(work: Callable[[Connection], None], pipe: Connection) -> None:
    current_process().daemon = False  # a daemon may have no children
    work(pipe)
