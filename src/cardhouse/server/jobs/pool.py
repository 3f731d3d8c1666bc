"""A pool of worker processes for long work, which would otherwise block the event loop.

Jobs wait in queues. Visitors take turns, and each may have only a limited number of jobs waiting. The tables' own jobs
have processes reserved for them, so visitors' jobs can't block these. A job that takes too long, or that nobody waits
for any more, is ended together with its process, which is then replaced.

Why not another library's pool: those of the standard library can't end a job, and Pebble's breaks for good when an idle
process of it is killed, and has one pipe for all processes.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from cardhouse.engine.values.errors import CardhouseError
from cardhouse.lab.running.workers import cores
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.core.visitors import widest_network
from cardhouse.server.jobs.queue import PRIORITIES, VISITORS, Job, Priority, Queue, Task, queue_full
from cardhouse.server.jobs.worker_process import Ended, WorkerProcess

T = TypeVar("T")
SECONDS = 10.0
"""Default time limit of a job."""
ABANDONED_SECONDS = 0.5
"""How long a job that nobody waits for may go on, because a new process costs as much."""
PASSED_OVER = 4
"""How many jobs of higher lanes may start while a job waits in a lane that has none running."""
log = logging.getLogger("cardhouse.server")


def fair_share(processes: int) -> int:
    """Return how many visitors' jobs each of `processes` server processes runs at once.

    One core is left to the tables.
    """
    return max(1, (cores() - 1) // processes)


class Workers:
    """The worker processes of a server: `count` visitors' jobs run at once, by default one for each core but one.

    Processes start when they are first needed. Call everything here from the event loop's thread.
    """

    def __init__(self, count: int | None = None, counting: NullMetrics | None = None) -> None:
        self._counting = counting or NullMetrics()
        self.count = fair_share(1) if count is None else count
        self._queues = {priority: Queue(priority) for priority in PRIORITIES}
        self._most = self.count + sum(priority.reserved for priority in PRIORITIES)
        self._threads = ThreadPoolExecutor(self._most, "worker")
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(
        self,
        visitor: str,
        function: Callable[..., T],
        *args: Any,
        seconds: float = SECONDS,
        priority: Priority = VISITORS,
        loaded: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a module's function in a worker when this visitor's turn comes, and return its result.

        Cancelling the caller abandons the job in any state. `loaded` is called when the worker has imported everything
        it needs and starts; the time limit counts from then on.

        Raises CardhouseError: the function's own; `too_many` if too many jobs wait already; `too_long` if it exceeds
        the time limit; `our_error` if the process ends meanwhile. Any other error of the function becomes a
        RuntimeError with its traceback.
        """
        result: T = await self.run_when_due(
            visitor, lambda: (function, args), seconds=seconds, priority=priority, loaded=loaded
        )
        return result

    async def run_when_due(
        self,
        visitor: str,
        task: Callable[[], Task],
        *,
        seconds: float = SECONDS,
        priority: Priority = VISITORS,
        loaded: Callable[[], None] = lambda: None,
    ) -> Any:
        """Like `run`, but ask for the function and its arguments only when this visitor's turn has come.

        Raises CardhouseError as `run` does.
        """
        job = Job(widest_network(visitor), seconds, task, loaded)
        if self._closed:
            raise _stopping()
        queue = self._queues[priority]
        queue.put(job)
        timer = asyncio.get_running_loop().call_later(priority.timeout, self._waited_too_long, queue, job)
        self._begin_next()
        asked_at = time.perf_counter()
        try:
            return await job.result
        finally:
            self._counting.worked(priority.name, time.perf_counter() - asked_at)
            timer.cancel()
            if job.result.cancelled():
                asyncio.get_running_loop().call_later(ABANDONED_SECONDS, _abandon, job)

    def warm(self) -> None:
        """Start a process in advance if there is none, for a job that shouldn't wait for it."""
        if not self._all and not self._closed:
            self._start(self._warm())

    def load(self) -> list[tuple[str, int, int]]:
        """Return for each lane its name, the number of waiting jobs and that of running jobs."""
        return [(priority.name, len(queue), queue.running.total()) for priority, queue in self._queues.items()]

    def processes(self) -> list[int]:
        """Return the ids of the running processes."""
        return [worker.pid for worker in self._all if worker.pid is not None]

    async def close(self) -> None:
        """End all processes and refuse all waiting jobs."""
        self._closed = True
        for queue in self._queues.values():
            queue.refuse_all(_stopping())
        while self._all or self._tasks:
            for worker in list(self._all):
                await asyncio.to_thread(self._end, worker)
            if self._tasks:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        self._threads.shutdown()

    # Scheduling.

    def _begin_next(self) -> None:
        while not self._closed and (found := self._next()) is not None:
            self._start(self._perform(*found))

    def _next(self) -> tuple[Queue, Job] | None:
        """Return the next job that may start, leaving higher lanes their reserved processes.

        A lane that has been passed over for too long gets its turn anyway.
        """
        running = [self._queues[priority].running.total() for priority in PRIORITIES]
        if sum(running) < self._most:
            for queue in self._queues.values():
                if queue.passed_over >= PASSED_OVER and (job := queue.take()) is not None:
                    return queue, job
        for place, priority in enumerate(PRIORITIES):
            if sum(running[place:]) >= self.count + sum(below.reserved for below in PRIORITIES[place:]):
                return None  # nothing of the lower lanes may start either
            if (job := self._queues[priority].take()) is not None:
                for below in PRIORITIES[place + 1 :]:
                    self._queues[below].pass_over()
                return self._queues[priority], job
        return None

    def _waited_too_long(self, queue: Queue, job: Job) -> None:
        if not job.begun and not job.result.done():
            job.result.set_exception(queue_full(f"This has waited for {queue.priority.timeout:g} seconds"))

    # Running jobs.

    async def _perform(self, queue: Queue, job: Job) -> None:
        try:
            result = await self._result_of(job)
        except Exception as error:  # noqa: BLE001 (passed on to the caller)
            if not job.result.done():
                job.result.set_exception(_stopping() if self._closed else error)
        else:
            if not job.result.done():
                job.result.set_result(result)
        finally:
            queue.done(job)
            self._begin_next()

    async def _result_of(self, job: Job) -> Any:
        function, args = job.task()
        worker = await self._ready_worker()
        if job.result.done():  # nobody waits any more
            self._idle.append(worker)
            return None
        job.worker = worker
        tell = partial(asyncio.get_running_loop().call_soon_threadsafe, job.loaded)
        try:
            outcome, goes_on = await self._in_thread(worker.perform, (function, args), job.seconds, tell)
        except TimeoutError:
            await self._in_thread(self._end, worker)
            log.warning("%s took longer than %g seconds", function.__qualname__, job.seconds)
            raise _too_long(job.seconds) from None
        except Ended:
            await self._in_thread(self._end, worker)
            raise CardhouseError("The process doing this ended too early. Try again.", "our_error") from None
        finally:
            job.worker = None
        if goes_on and worker.is_alive():
            self._idle.append(worker)
        else:
            await self._in_thread(self._end, worker)
        if outcome.kind == "no_memory":
            raise CardhouseError("This takes more memory than this server allows.", "too_large")
        if outcome.kind == "refused":
            raise outcome.value
        if outcome.kind == "failed":
            raise RuntimeError(outcome.value)
        return outcome.value

    async def _ready_worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                return worker
            self._all.discard(worker)
        return await self._start_worker()

    async def _start_worker(self) -> WorkerProcess:
        worker = await self._in_thread(WorkerProcess)
        self._all.add(worker)
        return worker

    async def _warm(self) -> None:
        self._idle.append(await self._start_worker())

    def _end(self, worker: WorkerProcess) -> None:
        worker.kill()
        self._all.discard(worker)

    async def _in_thread(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _abandon(job: Job) -> None:
    """Stop the worker of an abandoned job; the next job gets a new one."""
    if job.worker is not None:
        job.worker.stop()


def _too_long(seconds: float) -> CardhouseError:
    return CardhouseError(f"This took longer than {seconds:g} seconds, the limit on this server.", "too_long")


def _stopping() -> CardhouseError:
    return CardhouseError("The server is stopping. Try again in a minute.", "not_saved")
