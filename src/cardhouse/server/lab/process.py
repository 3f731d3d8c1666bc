"""The process that runs the lab's studies, so that compiling a kernel doesn't block the server.

It does one thing at a time: a study, or a part of compiling kernels in advance.
"""

import os
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.design import SoFar
from cardhouse.lab.questions.paths import cache_folder, limit_size
from cardhouse.lab.running.checkpoint import CheckpointStore, default_store
from cardhouse.lab.running.study import Progress, Study, ask, require_lab_extra
from cardhouse.lab.running.workers import cores
from cardhouse.lab.search.requests import find
from cardhouse.server.jobs.worker import give_way, set_up
from cardhouse.server.lab.requests import LabTask, Order
from cardhouse.server.lab.responses import Came, LabCompiling, LabHeadline, headline, split_pieces
from cardhouse.server.process.piped import PipedProcess

if TYPE_CHECKING:
    from cardhouse.lab.kernels.compile_progress import Compiling

LOOK_SECONDS = 0.25
"""Interval of checks whether to stop a study, and of progress reports."""
STOPPING_SECONDS = 10.0
"""How long a study may take to stop, because compiling can't be interrupted; then its process is killed."""
NOTED_BYTES = 50_000_000
"""Disk space for the counts of stopped searches, with which they can resume."""
HALT, READY = "halt", "ready"
NOT_BEGUN = LabCompiling(0, 0)


class StudyProgress(NamedTuple):
    """The progress of a study: trials so far, the result so far, and compile progress while it lasts.

    For a study of changes, `of` is the number of trials, or of steps of a search.
    """

    done: int
    headline: LabHeadline | None
    compiling: LabCompiling | None = None
    of: int = 0


class StudyEnd(NamedTuple):
    """The end of a study: how many pieces of its result follow, whether it was stopped, or why it failed.

    `failed` is the traceback of an internal error.
    """

    pieces: int = 0
    stopped: bool = False
    problem: str = ""
    failed: str = ""


class StudyResult(NamedTuple):
    """The result of a study in pieces (see `responses.whole`), none if nothing was played."""

    pieces: list[bytes]
    stopped: bool


class Readying(NamedTuple):
    """The question whose kernel is being compiled in advance; empty when all are."""

    game: str
    question: str


class Broken(Exception):
    """An internal error in a study; the message is its traceback."""


class LabProcess:
    """The lab's process; it starts when first needed. Its methods block and belong to one thread."""

    def __init__(self) -> None:
        self._child: PipedProcess | None = None

    def play(self, asked: LabTask, tell: Callable[[StudyProgress], None], halt: Callable[[], bool]) -> StudyResult:
        """Run a study or a design.

        `tell` receives progress; `halt` is polled for whether to stop.

        Raises CardhouseError, with a message, if it can't be run, and Broken.
        """
        try:
            pipe = self._ask(asked)
            over = self._follow(pipe, tell, halt)
            if over.failed:
                raise Broken(over.failed)
            if over.problem:
                raise CardhouseError(over.problem)
            return StudyResult([pipe.recv_bytes() for _ in range(over.pieces)], over.stopped)
        except (EOFError, OSError) as error:
            self.end()
            raise Broken("The process that played it has ended.") from error

    def make_ready(self, stop_for: Callable[[str, str], bool]) -> bool:
        """Compile the kernels of all questions, until `stop_for` returns True for a game and its question.

        Returns whether all are compiled. Compiled kernels stay in the cache.
        """
        try:
            pipe = self._ask(READY)
            now = Readying("", "")
            while not stop_for(*now):
                if pipe.poll(LOOK_SECONDS):
                    now = pipe.recv()
                    if not now.game:
                        return True
        except (EOFError, OSError):
            return True  # trying again would end the same way
        finally:
            self.end()
        return False

    def stop(self) -> None:
        """Kill the process; from any thread."""
        if (child := self._child) is not None:
            child.process.kill()

    def end(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _ask(self, asked: LabTask | str) -> Connection:
        if self._child is None or not self._child.process.is_alive():
            self.end()
            self._child = PipedProcess(_work, "cardhouse lab")
        self._child.pipe.send(asked)
        return self._child.pipe

    def _follow(self, pipe: Connection, tell: Callable[[StudyProgress], None], halt: Callable[[], bool]) -> StudyEnd:
        halted: float | None = None
        while True:
            if halted is None and halt():
                pipe.send(HALT)
                halted = time.monotonic()
            if pipe.poll(LOOK_SECONDS):
                message: StudyProgress | StudyEnd = pipe.recv()
                if isinstance(message, StudyEnd):
                    return message
                tell(message)
            elif halted is not None and time.monotonic() - halted > STOPPING_SECONDS:
                self.end()
                return StudyEnd(stopped=True)


# The process itself.


def _work(pipe: Connection) -> None:
    """Run the requests that arrive through the pipe, until its other end is closed."""
    give_way(0)
    set_up()
    with suppress(EOFError, OSError):
        while True:
            asked: LabTask | str = pipe.recv()
            if asked == READY:
                _make_ready(pipe)
            elif isinstance(asked, LabTask):  # a late HALT for a finished study is ignored
                _play(pipe, asked)


def _make_ready(pipe: Connection) -> None:
    """Compile all kernels with idle CPU time only; this process does nothing else afterwards."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        give_way(0)
    from cardhouse.lab.running.warmup import make_ready

    for question in make_ready():
        pipe.send(Readying(question.game, question.name))
    pipe.send(Readying("", ""))


def _play(pipe: Connection, asked: LabTask) -> None:
    pieces: list[bytes] = []
    listener = _StudyListener(pipe)
    try:
        pieces, stopped = _run(asked, listener)
        over = StudyEnd(len(pieces), stopped)
    except CardhouseError as error:
        over = StudyEnd(problem=error.message)
    except MemoryError:
        over = StudyEnd(problem="This takes more memory than this server allows a study. Ask for less at once.")
    except Exception:  # noqa: BLE001 (the server logs it)
        over = StudyEnd(failed=traceback.format_exc())
    listener.tell_last()
    pipe.send(over)
    for piece in pieces:
        pipe.send_bytes(piece)


def _run(asked: LabTask, listener: "_StudyListener") -> tuple[list[bytes], bool]:
    """Return the result in pieces, and whether it was stopped."""
    require_lab_extra()
    from cardhouse.lab.kernels.compile_progress import telling

    workers = max(1, cores() - 1)  # one core is left to the tables, if there is more than one
    with telling(listener.compiling):
        came = _result_of(asked, workers, listener)
    return split_pieces(came), came is None or came.stopped


def _result_of(asked: LabTask, workers: int, listener: "_StudyListener") -> Came | None:
    """Return the result; None if a design was stopped before there was anything."""
    if isinstance(asked, Order):
        return asked.question.make(workers=workers, tell=listener.progressed, halt=listener.halted)
    if isinstance(asked, Study):
        exact = default_store().exact
        return ask(asked, workers=workers, exact=exact, tell=listener.played, halt=listener.halted)
    noted = cache_folder() / "lab-page"
    try:
        return find(asked, workers=workers, kept=CheckpointStore(noted), tell=listener.played, halt=listener.halted)
    finally:
        limit_size(noted, NOTED_BYTES)


class _StudyListener:
    """Reports a study's progress to the server and receives its stop; kernels may be compiled by several threads."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._turn = threading.Lock()
        self._halted = False
        self._told = 0.0
        self._last: Callable[[], StudyProgress] | None = None
        self._compiling: LabCompiling | None = None
        self._looking = threading.Lock()

    def compiling(self, compiling: "Compiling") -> None:
        """Report compile progress."""
        with self._turn:
            self._compiling = LabCompiling(compiling.done, compiling.of)
            if self._is_due():
                self._tell()

    def played(self, progress: Progress) -> None:
        """Report the progress of a study."""
        with self._turn:
            self._compiling = (self._compiling or NOT_BEGUN) if progress.compiling else None
            self._now(lambda: StudyProgress(progress.done, headline(progress), self._compiling, progress.of))

    def progressed(self, far: SoFar) -> None:
        """Report the progress of a design."""
        with self._turn:
            self._now(lambda: StudyProgress(far.done, headline(far)))

    def tell_last(self) -> None:
        """Report the final progress."""
        self._compiling = None
        if self._last is not None:
            self._tell()

    def halted(self) -> bool:
        """Return whether to stop: HALT is the only message during a study. May be called from any thread."""
        with self._looking:
            if not self._halted and self._pipe.poll():
                self._halted = self._pipe.recv() == HALT
            return self._halted

    def _now(self, far: Callable[[], StudyProgress]) -> None:
        is_first, self._last = self._last is None, far
        if self._is_due() or is_first:
            self._tell()

    def _tell(self) -> None:
        self._pipe.send(self._last() if self._last else StudyProgress(0, None, self._compiling))

    def _is_due(self) -> bool:
        now = time.monotonic()
        if now - self._told < LOOK_SECONDS:
            return False
        self._told = now
        return True
