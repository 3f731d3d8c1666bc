"""A worker process, as the server sees it; jobs/worker.py runs in it."""

import pickle
from collections.abc import Callable
from typing import Any

from cardhouse.server.jobs.worker import BEGUN, Done, Outcome, give_way, work
from cardhouse.server.process.piped import PipedProcess

LOADING_SECONDS = 60.0
"""Time limit for the imports of a job, which on a busy machine take most of a first job's time."""


class Ended(Exception):
    """The worker process has ended."""


class WorkerProcess(PipedProcess):
    """A process that runs one job at a time. Its methods block; call them from threads."""

    def __init__(self) -> None:
        super().__init__(work, "cardhouse worker")
        self._is_stopped = False
        if self.pid is not None:
            give_way(self.pid)  # before its imports, which are a good part of its work

    @property
    def pid(self) -> int | None:
        return self.process.pid

    def is_alive(self) -> bool:
        """Return whether it can take a job: not after `stop`, though the process may take a moment to end."""
        return not self._is_stopped and self.process.is_alive()

    def perform(self, task: Any, seconds: float, loaded: Callable[[], None]) -> tuple[Outcome, bool]:
        """Run a job; return its outcome, and whether the process may take another job.

        Raises TimeoutError if it takes longer, and Ended if the process has ended; the worker is unusable after that.
        """
        try:
            self.pipe.send_bytes(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
            done = self._receive_within(LOADING_SECONDS)
            if done == BEGUN:
                loaded()
                done = self._receive_within(seconds)
            assert isinstance(done, Done)
            outcome: Outcome = pickle.loads(done.outcome)  # noqa: S301 (from a process of our own)
        except TimeoutError:
            raise
        except (EOFError, OSError) as error:
            raise Ended from error
        return outcome, done.goes_on and outcome.kind != "no_memory"

    def _receive_within(self, seconds: float) -> Done | str:
        if not self.pipe.poll(seconds):
            raise TimeoutError
        message: Done | str = self.pipe.recv()
        return message

    def stop(self) -> None:
        """Kill the process without waiting for its end."""
        self._is_stopped = True
        self.process.kill()
