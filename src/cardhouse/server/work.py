"""Work that takes long, done by processes of its own so that the event loop never waits for it.

Whoever asks for work waits in a queue. Visitors take turns, and each has only so much in it; what the house's own
tables need goes beside what visitors ask for, so that these can't keep it from being done. A job that takes too long,
or that nobody waits for any more, is ended with its process, and another process takes its place.

Pools of other libraries were weighed: those of the standard library can't end a job, and Pebble's breaks for good when
an idle process of it is killed, and has one pipe for all of them.
"""

import asyncio
import logging
import pickle
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

from cardhouse.engine.errors import CardhouseError
from cardhouse.lab.workers import cores
from cardhouse.server.worker import BEGUN, Done, Outcome, give_way, work

T = TypeVar("T")
Task = tuple[Callable[..., Any], tuple[Any, ...]]
SECONDS = 10.0
"""A job may take so long, unless it is said otherwise."""
LOADING_SECONDS = 60.0
"""Before that it has so long to load what it needs, which on a busy machine is most of a first job."""
ABANDONED_SECONDS = 0.5
"""A job that nobody waits for any more may go on for so long, since a new process costs as much."""
PASSED_OVER = 4
"""So many jobs of the lanes above may begin while one waits in a lane where nothing is being done."""
_CONTEXT = get_context("spawn")  # a copy of a process with threads may stand still for ever
log = logging.getLogger("cardhouse.server")


class Lane(NamedTuple):
    """Jobs of one kind.

    `beside` are the processes it may have beside those of the lanes below it. Of one visitor `running` are done at
    once, and `waiting` may wait; of all visitors together `most`. Whoever has waited for `patience` seconds is refused.
    """

    name: str
    beside: int
    running: int
    waiting: int
    most: int
    patience: float


VISITORS = Lane("visitors", 0, 1, 7, 32, 30.0)
"""What visitors ask for. Those around one table often share an address, so eight of them may ask at once."""
ODDS = Lane("odds", 1, 1, 2, 1000, 30.0)
"""The odds of a table; a visitor is a table here."""
BOTS = Lane("bots", 1, 2, 60, 1000, 30.0)
"""What the bots of a table think; a visitor is a table here."""
_LANES = (BOTS, ODDS, VISITORS)


class _Job:
    """A job; `task` tells, when its turn has come, what is to be done. `worker` is the one that is at it.

    `loaded` is called when the worker has all it needs and sets to work.
    """

    def __init__(self, visitor: str, seconds: float, task: Callable[[], Task], loaded: Callable[[], None]) -> None:
        self.visitor = visitor
        self.seconds = seconds
        self.task = task
        self.loaded = loaded
        self.begun = False
        self.worker: _Worker | None = None
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Queue:
    """The jobs of a lane that wait. Visitors take turns: whose job is taken goes to the end of the queue.

    `passed_over` is how many of other lanes went first while nothing of this one was done, though something waited.
    """

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.passed_over = 0
        self.running: Counter[str] = Counter()
        self._waiting: dict[str, deque[_Job]] = {}

    def put(self, job: _Job) -> None:
        """Raises CardhouseError if too many wait already."""
        for visitor in list(self._waiting):
            self._forget_gone(visitor)
        if sum(map(len, self._waiting.values())) >= self.lane.most:
            raise _too_many("There is")
        own = self._waiting.setdefault(job.visitor, deque())
        if len(own) >= self.lane.waiting + max(0, self.lane.running - self.running[job.visitor]):
            raise CardhouseError(
                "You have asked for several such things already; wait until they are done.", "too_many"
            )
        own.append(job)

    def take(self) -> _Job | None:
        """The next job, which counts as running from here on; None if there is none that may begin."""
        self.passed_over = 0
        for visitor in list(self._waiting):
            self._forget_gone(visitor)
            if visitor in self._waiting and self.running[visitor] < self.lane.running:
                own = self._waiting.pop(visitor)
                job = own.popleft()
                job.begun = True
                if own:
                    self._waiting[visitor] = own
                self.running[visitor] += 1
                return job
        return None

    def pass_over(self) -> None:
        """A job of another lane goes first."""
        if self._waiting and not self.running:
            self.passed_over += 1

    def done(self, job: _Job) -> None:
        """A job that was taken is over."""
        self.running[job.visitor] -= 1
        if not self.running[job.visitor]:
            del self.running[job.visitor]

    def refuse_all(self, error: CardhouseError) -> None:
        """Nothing that waits will be done."""
        for job in [job for own in self._waiting.values() for job in own if not job.result.done()]:
            job.result.set_exception(error)

    def _forget_gone(self, visitor: str) -> None:
        """Let go of jobs nobody waits for any more."""
        left = deque(job for job in self._waiting[visitor] if not job.result.done())
        if left:
            self._waiting[visitor] = left
        else:
            del self._waiting[visitor]


class _Ended(Exception):
    """A worker's process is gone."""


class _Worker:
    """A process that does one job at a time. Its methods wait; they are called from threads."""

    def __init__(self) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=work, args=(theirs,), name="cardhouse worker", daemon=True)
        self._process.start()
        theirs.close()
        if self._process.pid is not None:
            give_way(self._process.pid)  # before it loads anything: that is a good part of its work

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def perform(self, task: Any, seconds: float, loaded: Callable[[], None]) -> tuple[Outcome, bool]:
        """Have a job done; what came of it, and whether the process may take another.

        Raises TimeoutError if it takes longer, and _Ended if the process has ended; it can be used no more then.
        """
        try:
            self._pipe.send_bytes(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
            done = self._said_within(LOADING_SECONDS)
            if done == BEGUN:
                loaded()
                done = self._said_within(seconds)
            assert isinstance(done, Done)
            outcome: Outcome = pickle.loads(done.outcome)  # noqa: S301 (from a process of our own)
        except TimeoutError:
            raise
        except (EOFError, OSError) as error:
            raise _Ended from error
        return outcome, done.goes_on and outcome.kind != "no_memory"

    def _said_within(self, seconds: float) -> Done | str:
        if not self._pipe.poll(seconds):
            raise TimeoutError
        said: Done | str = self._pipe.recv()
        return said

    def stop(self) -> None:
        """Have it end, whatever it is doing."""
        self._process.kill()

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join()


class Workers:
    """The worker processes of a server: of visitors' jobs `count` are done at once, one a core but for one core.

    They start when they are first needed. Everything here must be called from the event loop's thread.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = max(1, cores() - 1) if count is None else count
        self._queues = {lane: _Queue(lane) for lane in _LANES}
        self._most = self.count + sum(lane.beside for lane in _LANES)
        self._threads = ThreadPoolExecutor(self._most, "worker")
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(
        self,
        visitor: str,
        function: Callable[..., T],
        *args: Any,
        seconds: float = SECONDS,
        lane: Lane = VISITORS,
        loaded: Callable[[], None] = lambda: None,
    ) -> T:
        """What a function of a module makes of its arguments, in a worker, when this visitor's turn comes.

        It is let go of, wherever it is, when whoever waits is cancelled. `loaded` is called when the worker sets to it,
        with all that it needs loaded: from then on its seconds count.

        Raises CardhouseError: what the function raises; `too_many` if too much waits already; `too_long` if it takes
        more than so many seconds; `our_error` if the process ends in the middle of it. Any other error that the
        function raises comes as a RuntimeError with its traceback.
        """
        result: T = await self.run_when_due(
            visitor, lambda: (function, args), seconds=seconds, lane=lane, loaded=loaded
        )
        return result

    async def run_when_due(
        self,
        visitor: str,
        task: Callable[[], Task],
        *,
        seconds: float = SECONDS,
        lane: Lane = VISITORS,
        loaded: Callable[[], None] = lambda: None,
    ) -> Any:
        """What comes of a function and its arguments that are asked for only when this visitor's turn has come.

        Raises CardhouseError as `run` does.
        """
        job = _Job(visitor, seconds, task, loaded)
        if self._closed:
            raise _stopping()
        queue = self._queues[lane]
        queue.put(job)
        timer = asyncio.get_running_loop().call_later(lane.patience, self._waited_too_long, queue, job)
        self._begin_next()
        try:
            return await job.result
        finally:
            timer.cancel()
            if job.result.cancelled():
                asyncio.get_running_loop().call_later(ABANDONED_SECONDS, _abandon, job)

    def warm(self) -> None:
        """Have a process ready, for something that should not wait until one has started."""
        if not self._all and not self._closed:
            self._start(self._warm())

    def processes(self) -> list[int]:
        """The ids of those that have been started and not ended."""
        return [worker.pid for worker in self._all if worker.pid is not None]

    async def close(self) -> None:
        """End all processes; who waits is refused."""
        self._closed = True
        for queue in self._queues.values():
            queue.refuse_all(_stopping())
        while self._all or self._tasks:
            for worker in list(self._all):
                await asyncio.to_thread(self._end, worker)
            if self._tasks:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        self._threads.shutdown()

    # Whose turn it is.

    def _begin_next(self) -> None:
        while not self._closed and (found := self._next()) is not None:
            self._start(self._perform(*found))

    def _next(self) -> tuple[_Queue, _Job] | None:
        """The next job that may begin; the lanes above it keep what they have beside it.

        Where these leave it nothing for long, it is its turn all the same.
        """
        running = [self._queues[lane].running.total() for lane in _LANES]
        if sum(running) < self._most:
            for queue in self._queues.values():
                if queue.passed_over >= PASSED_OVER and (job := queue.take()) is not None:
                    return queue, job
        for place, lane in enumerate(_LANES):
            if sum(running[place:]) >= self.count + sum(below.beside for below in _LANES[place:]):
                return None  # nor may anything of the lanes below
            if (job := self._queues[lane].take()) is not None:
                for below in _LANES[place + 1 :]:
                    self._queues[below].pass_over()
                return self._queues[lane], job
        return None

    def _waited_too_long(self, queue: _Queue, job: _Job) -> None:
        if not job.begun and not job.result.done():
            job.result.set_exception(_too_many(f"This has waited for {queue.lane.patience:g} seconds, and there is"))

    # Doing it.

    async def _perform(self, queue: _Queue, job: _Job) -> None:
        try:
            result = await self._result_of(job)
        except Exception as error:  # noqa: BLE001 (for whoever asked)
            if not job.result.done():
                job.result.set_exception(_stopping() if self._closed else error)
        else:
            if not job.result.done():
                job.result.set_result(result)
        finally:
            queue.done(job)
            self._begin_next()

    async def _result_of(self, job: _Job) -> Any:
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
        except _Ended:
            await self._in_thread(self._end, worker)
            raise CardhouseError(
                "The process that was at this has ended before it was done; try it again.", "our_error"
            ) from None
        finally:
            job.worker = None
        if goes_on:
            self._idle.append(worker)
        else:
            await self._in_thread(self._end, worker)
        if outcome.kind == "no_memory":
            raise CardhouseError("This takes more memory than anything may here.", "too_large")
        if outcome.kind == "refused":
            raise outcome.value
        if outcome.kind == "failed":
            raise RuntimeError(outcome.value)
        return outcome.value

    async def _ready_worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                return worker
            self._all.discard(worker)
        return await self._start_worker()

    async def _start_worker(self) -> _Worker:
        worker = await self._in_thread(_Worker)
        self._all.add(worker)
        return worker

    async def _warm(self) -> None:
        self._idle.append(await self._start_worker())

    def _end(self, worker: _Worker) -> None:
        worker.kill()
        self._all.discard(worker)

    async def _in_thread(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _abandon(job: _Job) -> None:
    """Nobody waits for this any more; who is still at it is stopped, and replaced when the next job comes."""
    if job.worker is not None:
        job.worker.stop()


def _too_many(what: str) -> CardhouseError:
    return CardhouseError(f"{what} too much to be done before it; try again in a minute.", "too_many")


def _too_long(seconds: float) -> CardhouseError:
    return CardhouseError(f"This took longer than {seconds:g} seconds, the most that it may take here.", "too_long")


def _stopping() -> CardhouseError:
    return CardhouseError("The server is being stopped; try again in a minute.", "not_saved")
