"""The queues of jobs for worker processes: one for each kind of job (lane), in which visitors take turns."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, NamedTuple

from cardhouse.engine.values.errors import CardhouseError
from cardhouse.server.jobs.worker_process import WorkerProcess

Task = tuple[Callable[..., Any], tuple[Any, ...]]


class Priority(NamedTuple):
    """The limits of one kind of job.

    `reserved` is the number of processes reserved for it, in addition to those of lower lanes. `running` and `waiting`
    limit one visitor's jobs, `most` the waiting jobs of all visitors. A job that has waited for `timeout` seconds is
    refused.
    """

    name: str
    reserved: int
    running: int
    waiting: int
    most: int
    timeout: float


VISITORS = Priority("visitors", 0, 1, 7, 32, 30.0)
"""Requests of visitors. People around one table often share an address, so eight of them may ask at once."""
ODDS = Priority("odds", 1, 1, 2, 1000, 30.0)
"""The odds of a table; each table counts as a visitor."""
BOTS = Priority("bots", 1, 2, 60, 1000, 30.0)
"""The bots of a table; each table counts as a visitor."""
PRIORITIES = (BOTS, ODDS, VISITORS)


class Job:
    """A job. `task` is called for the work when its turn comes; `worker` is the process that runs it.

    `loaded` is called when the worker has imported everything it needs and starts.
    """

    def __init__(self, visitor: str, seconds: float, task: Callable[[], Task], loaded: Callable[[], None]) -> None:
        self.visitor = visitor
        self.seconds = seconds
        self.task = task
        self.loaded = loaded
        self.begun = False
        self.worker: WorkerProcess | None = None
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Queue:
    """The waiting jobs of a lane. Visitors take turns: after its job was taken, a visitor goes to the end of the queue.

    `passed_over` counts jobs of other lanes that started while jobs of this one waited and none was running.
    """

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        self.passed_over = 0
        self.running: Counter[str] = Counter()
        self._waiting: dict[str, deque[Job]] = {}

    def put(self, job: Job) -> None:
        """Add a job. Raises CardhouseError if too many wait already."""
        for visitor in list(self._waiting):
            self._forget_gone(visitor)
        if len(self) >= self.priority.most:
            raise queue_full("The server is busy")
        own = self._waiting.setdefault(job.visitor, deque())
        if len(own) >= self.priority.waiting + max(0, self.priority.running - self.running[job.visitor]):
            raise CardhouseError(
                "Your earlier requests of this kind are still running. Wait until they are done.", "too_many"
            )
        own.append(job)

    def take(self) -> Job | None:
        """Return the next job that may start and count it as running; None if there is none."""
        self.passed_over = 0
        for visitor in list(self._waiting):
            self._forget_gone(visitor)
            if visitor in self._waiting and self.running[visitor] < self.priority.running:
                own = self._waiting.pop(visitor)
                job = own.popleft()
                job.begun = True
                if own:
                    self._waiting[visitor] = own
                self.running[visitor] += 1
                return job
        return None

    def __len__(self) -> int:
        return sum(map(len, list(self._waiting.values())))

    def pass_over(self) -> None:
        """Record that a job of another lane starts first."""
        if self._waiting and not self.running:
            self.passed_over += 1

    def done(self, job: Job) -> None:
        """Record that a job has ended."""
        self.running[job.visitor] -= 1
        if not self.running[job.visitor]:
            del self.running[job.visitor]

    def refuse_all(self, error: CardhouseError) -> None:
        """Refuse all waiting jobs."""
        for job in [job for own in self._waiting.values() for job in own if not job.result.done()]:
            job.result.set_exception(error)

    def _forget_gone(self, visitor: str) -> None:
        """Remove jobs that nobody waits for any more."""
        left = deque(job for job in self._waiting[visitor] if not job.result.done())
        if left:
            self._waiting[visitor] = left
        else:
            del self._waiting[visitor]


def queue_full(reason: str) -> CardhouseError:
    """Return the error for a job that has too many before it."""
    return CardhouseError(f"{reason}: too many requests are ahead of yours. Try again in a minute.", "too_many")
