"""Who plays trials: machine code on threads, the rules on processes, a cluster; until there is machine code, Python.

That is another process, which runs the very same kernels, some hundred or thousand trials a second: enough for a first
number with its interval. What comes of a trial depends on its number and the seed alone: so these are trials like any
other, and it is gone on from them. Machine code is made by one more process meanwhile, which can be ended at any time:
when all that was asked for has been played, or somebody stops it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.paths import cache_folder, can_be_written
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
"""So many trials are played by Python first; of many variants, fewer."""
TOLD_SECONDS: Final = 0.25
"""About so often it tells of more."""
LOOK_SECONDS: Final = 0.1
"""So often it is seen whether somebody wants it stopped, while nothing is heard."""
ALONE_SECONDS: Final = 3.0
"""Where machine code can't be made beside it, Python plays for so long before."""
AT_MOST_SECONDS: Final = 10.0
"""It has so long, where it takes longer for the first."""

MADE: Final = "made"

Counted = TypeVar("Counted")
Kernel = tuple[Question, Question | None]
"""A question whose kernel is played, and another that it is compared with, if there is one."""


class Work(NamedTuple, Generic[Counted]):
    """What is made of the trials of these questions: `played` plays and counts some, from a first one on, so many.

    `counted` counts those whose rows are known already, for each question.
    """

    questions: tuple[Question, ...]
    seed: int
    played: Callable[[tuple[int, int]], Counted]
    counted: Callable[[Sequence[Rows]], Counted]


def tallied(question: Question, versus: Question | None, seed: int) -> Work[Tally]:
    """How often each value of each measure comes up is counted, beside another variant, if there is one."""

    def counted(rows: Sequence[Rows]) -> Tally:
        return no_trials(question, versus).with_rows(*rows)

    return Work((question, versus) if versus else (question,), seed, partial(_tally, question, versus, seed), counted)


def _tally(question: Question, versus: Question | None, seed: int, part: tuple[int, int]) -> Tally:
    return played(question, versus, seed, *part)


class Players:
    """Those who play. `compiling`: there is no machine code yet; `ready`, in seconds, how long that took so far."""

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
        """So many seconds went by until there was machine code, or so far, if there is none."""
        return time.perf_counter() - self._begun if self._ready is None else self._ready

    def begin(self) -> None:
        """See to it that there is machine code, or will be."""
        question = self._kernels[0][0]
        noted = was_made(question)
        if not noted:
            self._python = self._other(NUMBA_DISABLE_JIT="1")  # it gets ready to play while one looks what there is
        # A game's question of which nobody has noted it hasn't been played here: to look for what was made of it would
        # load the compiler first, and keep one waiting for that.
        if (noted or not _is_listed(question)) and self._is_there():
            self._is_ready()
            return
        self.compiling = True
        self._python = self._python or self._other(NUMBA_DISABLE_JIT="1")
        # Where it can't be kept another process would make it in vain, and one core has enough to do with either.
        if self._python is not None and cores() > 1 and can_be_written(cache_folder() / "kernels"):
            self._maker = self._other()
            self._give(self._maker, partial(_make, tuple(self._kernels), self._seed))

    def end(self) -> None:
        """Have all end that isn't needed any more."""
        for one in (self._python, self._maker):
            if one is not None:
                one.end()
        self._python = self._maker = None

    def look(self) -> None:
        """Raises Halted if somebody wants it stopped."""
        if self._halt():
            raise Halted

    def counts(
        self, work: Work[Counted], size: int, first: int, end: int
    ) -> Generator[tuple[int, Counted], None, None]:
        """The trials from `first` to `end - 1`, at most so many at once: the end of each piece, and its counts.

        Raises Halted if somebody wants it stopped while it waits for machine code, and CardhouseError if they can't be
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

    # While there is no machine code.

    def _rows(self, work: Work[Any], first: int, count: int) -> list[Rows] | None:
        """The rows of so many trials, played as Python; None if there was machine code sooner."""
        begun = time.monotonic()
        self._give(self._python, partial(_tell_rows, work.questions, work.seed, first, count))
        while self.compiling:
            self.look()
            if self._maker is None and (self._python is None or self.ready > self._alone):
                self._make_here()
                return None
            try:
                who, said = self._heard.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            if who is self._maker:
                self._of_making(said)
            elif isinstance(said, str):  # it has ended by an error, which comes again
                who.end()
                self._python = None
            else:
                self._alone = ALONE_SECONDS
                self._few = _next_count(count, time.monotonic() - begun)
                return list(said)
        return None

    def _of_making(self, said: Compiling | str) -> None:
        """What the one says that makes machine code."""
        from cardhouse.lab.kernels.compile_progress import tell_of

        if isinstance(said, str):  # it is made, and only loaded here; or it has ended by an error, which comes again
            self._make_here()
        else:
            tell_of(said)

    def _make_here(self) -> None:
        """Have machine code in this process, made now if it isn't kept."""
        from cardhouse.lab.kernels.compile_progress import telling

        self.end()
        with telling(lambda compiling: self.look()):
            _play_first(self._kernels, self._seed)
        self._is_ready()

    def _is_there(self) -> bool:
        """Whether machine code is kept, which is then loaded."""
        from cardhouse.lab.kernels.compile_progress import telling

        try:
            with telling(_not_there):
                _play_first(self._kernels, self._seed)
        except _NotThere:
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
    """Those who play these: on so many cores, all if None, or on the Dask cluster at an address.

    Kernels of the first are made ready, if all are `compiled`; `halt` is asked whether to stop while that lasts.
    Raises CardhouseError if the cluster does not answer, or kernels can't be played.
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
    """Whether it is one of those that its game is known by, not one written for a notebook or a script."""
    try:
        return type(question) in questions_of(question.game).values()
    except CardhouseError:
        return False


class _NotThere(Exception):
    """There is something to compile."""


def _not_there(_: Compiling) -> None:
    raise _NotThere


def _next_count(count: int, seconds: float) -> int:
    """How many trials to tell next, when so many took so long."""
    return max(1, min(4 * count, int(count * TOLD_SECONDS / max(seconds, 0.001))))


def _play_first(kernels: Sequence[Kernel], seed: int) -> None:
    """The first trial of each, for which machine code is made, or loaded."""
    for question, versus in kernels:
        played(question, versus, seed, 0, 1)


# In other processes.


def _tell_rows(
    questions: Sequence[Question], seed: int, first: int, count: int, tell: Callable[[list[Rows]], None]
) -> None:
    """The rows of these trials for each question."""
    tell([question.rows(seed, first, count) for question in questions])


def _make(kernels: Sequence[Kernel], seed: int, tell: Callable[[Compiling | str], None]) -> None:
    """Make machine code, and tell how far that is."""
    from cardhouse.lab.kernels.compile_progress import telling

    with telling(tell):
        _play_first(kernels, seed)
    tell(MADE)
