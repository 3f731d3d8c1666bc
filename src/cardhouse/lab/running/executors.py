"""Execution of trials: machine code on threads, the rules on processes, a cluster; Python until machine code exists.

Python runs in another process, with the same kernels at some hundred or thousand trials a second: enough for a first
number with its interval. A trial's result depends only on its number and the seed, so these trials count like any
others, and the rest continue from them. Meanwhile a third process compiles; it can be ended at any time, when all
trials have been played or the study is stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.paths import cache_folder, is_writable
from cardhouse.lab.questions.question import Question, questions_of
from cardhouse.lab.running.subprocess_worker import Heard, OtherProcess, Task
from cardhouse.lab.running.warmup import note_made, was_made
from cardhouse.lab.running.workers import Halted, cores, in_order, workers_for
from cardhouse.lab.statistics.histogram import Tally, no_trials, played

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cardhouse.lab.kernels.compile_progress import Compiling
    from cardhouse.lab.questions.question import Rows

FEW: Final = 4
"""The number of trials that Python plays first; fewer with many variants."""
TOLD_SECONDS: Final = 0.25
"""The target interval between progress reports."""
LOOK_SECONDS: Final = 0.1
"""The interval at which a request to stop is noticed while waiting."""
ALONE_SECONDS: Final = 3.0
"""The time that Python plays first if machine code can't be compiled in parallel."""
AT_MOST_SECONDS: Final = 10.0
"""The limit on that time if even the first trials aren't done by then."""

MADE: Final = "made"

Counted = TypeVar("Counted")
Kernel = tuple[Question, Question | None]
"""A question whose kernel is played, with the question that it is compared with, if any."""


class Work(NamedTuple, Generic[Counted]):
    """A way to count the trials of these questions: `played` plays and counts a range, given as its start and length.

    `counted` counts trials whose rows are already known, for each question.
    """

    questions: tuple[Question, ...]
    seed: int
    played: Callable[[tuple[int, int]], Counted]
    counted: Callable[[Sequence[Rows]], Counted]


def tallied(question: Question, versus: Question | None, seed: int) -> Work[Tally]:
    """Return the work that counts each value of each measure, jointly with another variant, if there is one."""

    def counted(rows: Sequence[Rows]) -> Tally:
        return no_trials(question, versus).with_rows(*rows)

    return Work((question, versus) if versus else (question,), seed, partial(_tally, question, versus, seed), counted)


def _tally(question: Question, versus: Question | None, seed: int, part: tuple[int, int]) -> Tally:
    return played(question, versus, seed, *part)


class Players:
    """The executors of trials. `compiling`: there is no machine code yet; `ready`: the seconds that took so far."""

    def __init__(
        self, kernels: Sequence[Kernel], seed: int, executor: Executor, workers: int, halt: Callable[[], bool]
    ) -> None:
        self.workers = workers
        self.compiling = False
        self._kernels = kernels
        self._seed = seed
        self._executor = executor
        self._halt = halt
        self._begun = time.perf_counter()
        self._ready: float | None = None
        self._heard: Heard = Heard()
        self._python: OtherProcess | None = None
        self._maker: OtherProcess | None = None
        self._few = FEW
        self._alone = AT_MOST_SECONDS

    @property
    def ready(self) -> float:
        """The seconds until machine code was available, or so far, if it isn't."""
        return time.perf_counter() - self._begun if self._ready is None else self._ready

    def begin(self) -> None:
        """Load machine code, or start making it."""
        question = self._kernels[0][0]
        noted = was_made(question)
        if not noted:
            self._python = self._other(NUMBA_DISABLE_JIT="1")  # it starts up during the search for machine code
        # A listed question without a note hasn't been played on this machine. Searching for its machine code would load
        # the compiler first, and make the caller wait for that.
        if (noted or not _is_listed(question)) and self._is_there():
            self._is_ready()
            return
        self.compiling = True
        self._python = self._python or self._other(NUMBA_DISABLE_JIT="1")
        # If it can't be stored, another process would compile it in vain; and a single core is busy with either.
        if self._python is not None and cores() > 1 and is_writable(cache_folder() / "kernels"):
            self._maker = self._other()
            self._give(self._maker, partial(_make, tuple(self._kernels), self._seed))

    def end(self) -> None:
        """End the processes that are no longer needed."""
        for one in (self._python, self._maker):
            if one is not None:
                one.end()
        self._python = self._maker = None

    def look(self) -> None:
        """Raise Halted if a stop was requested."""
        if self._halt():
            raise Halted

    def counts(
        self, work: Work[Counted], size: int, first: int, end: int
    ) -> Generator[tuple[int, Counted], None, None]:
        """Play the trials from `first` to `end - 1` in pieces of at most `size`; yield the end of each, and its counts.

        Raises Halted if a stop is requested while waiting for machine code, and CardhouseError if the trials can't be
        played.
        """
        self._few = max(1, FEW // len(work.questions))
        while self.compiling and first < end:
            count = min(self._few, end - first)
            if (rows := self._rows(work, first, count)) is not None:
                first += count
                yield first, work.counted(rows)
        pieces = [(begin, min(size, end - begin)) for begin in range(first, end, size)]
        counted = in_order(self._executor, self.workers, work.played, pieces)
        for (begin, count), one in zip(pieces, counted, strict=True):
            yield begin + count, one

    # Without machine code.

    def _rows(self, work: Work[Any], first: int, count: int) -> list[Rows] | None:
        """Return the rows of this many trials, played in Python; None if machine code was ready first."""
        begun = time.monotonic()
        self._give(self._python, partial(_send_rows, work.questions, work.seed, first, count))
        while self.compiling:
            self.look()
            if self._maker is None and (self._python is None or self.ready > self._alone):
                self._make_here()
                return None
            try:
                who, message = self._heard.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            if who is self._maker:
                self._on_compiling(message)
            elif isinstance(message, str):  # it has ended with an error, which will recur
                who.end()
                self._python = None
            else:
                self._alone = ALONE_SECONDS
                self._few = _next_count(count, time.monotonic() - begun)
                return list(message)
        return None

    def _on_compiling(self, message: Compiling | str) -> None:
        """Handle a message from the compiling process."""
        from cardhouse.lab.kernels.compile_progress import report_compiling

        if isinstance(
            message, str
        ):  # it is compiled, and only loaded here; or it ended with an error, which will recur
            self._make_here()
        else:
            report_compiling(message)

    def _make_here(self) -> None:
        """Load machine code in this process, compiling it if it isn't stored."""
        from cardhouse.lab.kernels.compile_progress import telling

        self.end()
        with telling(lambda compiling: self.look()):
            _play_first_trials(self._kernels, self._seed)
        self._is_ready()

    def _is_there(self) -> bool:
        """Return whether machine code is stored, which is then loaded."""
        from cardhouse.lab.kernels.compile_progress import telling

        try:
            with telling(_raise_not_cached):
                _play_first_trials(self._kernels, self._seed)
        except _NotCached:
            return False
        return True

    def _is_ready(self) -> None:
        note_made(self._kernels[0][0])
        self.end()
        self.compiling = False
        self._ready = time.perf_counter() - self._begun

    def _other(self, **environment: str) -> OtherProcess | None:
        try:
            return OtherProcess(self._heard, **environment)
        except CardhouseError:
            return None

    def _give(self, to: OtherProcess | None, task: Task) -> None:
        try:
            if to is not None:
                to.give(task)
        except CardhouseError:
            self.end()


@contextmanager
def players_for(
    kernels: Sequence[Kernel],
    seed: int,
    *,
    compiled: bool,
    workers: int | None,
    cluster: str | None,
    halt: Callable[[], bool],
) -> Iterator[Players]:
    """Yield the executors of these kernels: on this many cores, all if None, or on a Dask cluster at this address.

    The first kernels are made ready, if all are `compiled`; `halt` is asked whether to stop meanwhile. Raises
    CardhouseError if the cluster doesn't answer, or kernels can't be played.
    """
    with workers_for(compiled=compiled, cores=workers or cores(), cluster=cluster) as (executor, number):
        players = Players(kernels, seed, executor, number, halt)
        try:
            if compiled:
                players.begin()
            yield players
        finally:
            players.end()


def _is_listed(question: Question) -> bool:
    """Return whether it is one of its game's listed questions, not one defined in a notebook or script."""
    try:
        return type(question) in questions_of(question.game).values()
    except CardhouseError:
        return False


class _NotCached(Exception):
    """Something needs to be compiled."""


def _raise_not_cached(_: Compiling) -> None:
    raise _NotCached


def _next_count(count: int, seconds: float) -> int:
    """Return how many trials to play before the next report, given the time for the last ones."""
    return max(1, min(4 * count, int(count * TOLD_SECONDS / max(seconds, 0.001))))


def _play_first_trials(kernels: Sequence[Kernel], seed: int) -> None:
    """Play the first trial of each, which compiles or loads its machine code."""
    for question, versus in kernels:
        played(question, versus, seed, 0, 1)


# Functions that run in other processes.


def _send_rows(
    questions: Sequence[Question], seed: int, first: int, count: int, tell: Callable[[list[Rows]], None]
) -> None:
    """Report the rows of these trials for each question."""
    tell([question.rows(seed, first, count) for question in questions])


def _make(kernels: Sequence[Kernel], seed: int, tell: Callable[[Compiling | str], None]) -> None:
    """Compile machine code, reporting progress."""
    from cardhouse.lab.kernels.compile_progress import telling

    with telling(tell):
        _play_first_trials(kernels, seed)
    tell(MADE)
