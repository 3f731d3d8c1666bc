"""The lab behind the page: visitors' studies, run one at a time in a process apart from the tables."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.question import Question
from cardhouse.lab.running.study import has_lab_extra
from cardhouse.lab.running.warmup import is_ready
from cardhouse.server.core.static_cache import File
from cardhouse.server.core.tokens import new_token
from cardhouse.server.lab.limits import GONE_SECONDS, MOST_SECONDS
from cardhouse.server.lab.process import Broken, LabProcess, StudyProgress, StudyResult
from cardhouse.server.lab.requests import NO_EQUIVALENTS, Equivalents, LabTask, question_of

MOST_WAITING = 4
"""Most studies that wait while one runs."""
MOST_KEPT = 20
"""Most finished studies in the cache, for at most KEPT_SECONDS, if they aren't too large together."""
KEPT_SECONDS = 3600.0
KEPT_BYTES = 20_000_000
IDLE_SECONDS = 600.0
"""The lab's process ends after this long without requests."""
PREPARE_SECONDS = 10.0
"""After this long without requests, missing kernels are compiled; a starting server serves its page first."""
log = logging.getLogger("cardhouse.server")


class StudyRun:
    """A visitor's study: its progress and, when it is over, its result or why it failed.

    It may also be a sensitivity ranking, a search for settings, or a design. `played` is None if it was stopped before
    its turn. `done` is set when it is over.
    """

    def __init__(self, asked: LabTask, visitor: str = "", same: Equivalents = NO_EQUIVALENTS, seen: float = 0) -> None:
        self.id = new_token()
        self.asked = asked
        self.visitor = visitor
        self.same = same
        """How to repeat the request elsewhere."""
        self.seen = seen
        """When a client last asked about it, by the lab's clock."""
        self.written: dict[str, bytes] = {}
        """Responses and reports made from its result, gzipped, by file ending."""
        self.far = StudyProgress(0, None)
        self.played: StudyResult | None = None
        self.problem = ""
        self.begun = False
        self.ended: float | None = None
        """When it was over, by the lab's clock."""
        self.halted = False
        self.out_of_time = False
        self.left = False
        """Whether no client has asked about it for too long."""
        self.done = threading.Event()

    @property
    def question(self) -> Question:
        """The question; of several combinations of settings, the first one's."""
        return question_of(self.asked)

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.ended is not None

    @property
    def pieces(self) -> list[bytes]:
        """The pieces of its result; none without a result."""
        return self.played.pieces if self.played is not None else []


class LabService:
    """The studies of this server. Its methods belong to the event loop; a thread runs them in a process.

    With `prepare`, kernels that take long to compile on a new machine are compiled in advance.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, prepare: bool = False) -> None:
        self.questions_file: File | None = None
        """The list of questions, once it is known."""
        self._clock = clock
        self._runs: dict[str, StudyRun] = {}
        self._process = LabProcess()
        self._waiting: deque[StudyRun] = deque()
        self._some = threading.Semaphore(0)
        """Released for each waiting study, and at the end."""
        self._turn = threading.Lock()
        """Held while deciding whether a study starts or is stopped first."""
        self._closed = False
        self._thread = threading.Thread(target=self._work, args=(prepare,), name="lab", daemon=True)
        self._thread.start()

    def start(self, asked: LabTask, visitor: str = "", same: Equivalents = NO_EQUIVALENTS) -> StudyRun:
        """Queue a study; `same` is how to repeat it elsewhere.

        Raises CardhouseError if too many wait already, or one of this visitor's isn't over.
        """
        self.check_room(visitor)
        run = StudyRun(asked, visitor, same, self._clock())
        self._runs[run.id] = run
        self._waiting.append(run)
        self._some.release()
        return run

    def check_room(self, visitor: str) -> None:
        """Raises CardhouseError if too many wait already, or one of this visitor's isn't over."""
        self._forget()
        under_way = [run for run in self._runs.values() if not run.over]
        if visitor and any(run.visitor == visitor and not run.halted for run in under_way):
            raise CardhouseError("One of your studies is still running. Wait until it is done, or stop it.", "too_many")
        if len(under_way) > MOST_WAITING:
            raise CardhouseError(
                f"The lab is busy, and {MOST_WAITING} wait already; try again in a minute.", "too_many"
            )

    def load(self) -> tuple[int, int]:
        """Return the numbers of waiting and of running studies."""
        runs = [run for run in list(self._runs.values()) if not run.over]
        running = sum(run.begun for run in runs)
        return len(runs) - running, running

    def find(self, id: str) -> StudyRun:
        """Return a study by its id.

        Raises CardhouseError if there is none, or no longer.
        """
        self._forget()
        if id not in self._runs:
            raise CardhouseError("The lab doesn't have this study. It may be too old. Ask again.", "not_found")
        run = self._runs[id]
        run.seen = self._clock()
        return run

    def ahead_of(self, run: StudyRun) -> int:
        """Return the number of studies before this one."""
        runs = list(self._runs.values())
        return 0 if run.begun else sum(not other.over for other in runs[: runs.index(run)])

    def stop(self, run: StudyRun) -> None:
        """Stop a study as soon as possible; its results so far are kept."""
        with self._turn:
            run.halted = True
            if not run.begun:
                self._over(run)

    async def close(self) -> None:
        """Stop all studies."""
        self._closed = True
        for run in self._runs.values():
            self.stop(run)
        self._some.release()
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        while self._thread.is_alive():
            self._process.stop()  # it may just be starting
            self._thread.join(0.1)

    # In the thread.

    def _work(self, prepare: bool) -> None:
        """Run one study after the other; while there is none, compile missing kernels."""
        preparing = prepare and has_lab_extra() and not is_ready()
        while not self._closed:
            if self._some.acquire(timeout=PREPARE_SECONDS if preparing else IDLE_SECONDS):
                if self._waiting:
                    self._play(self._waiting.popleft())
            elif preparing:
                preparing = not self._process.make_ready(self._is_waiting_for_other)
            else:
                self._process.end()
        self._process.end()

    def _is_waiting_for_other(self, game: str, question: str) -> bool:
        """Return whether a study waits that compiling this question would only delay."""
        if self._closed:
            return True
        with suppress(IndexError):
            first = self._waiting[0].question
            return (first.game, first.name) != (game, question)
        return False

    def _play(self, run: StudyRun) -> None:
        with self._turn:
            if run.over:
                return
            if self._is_left(run):
                self._over(run)
                return
            run.begun = True
        until = self._clock() + MOST_SECONDS

        def halt() -> bool:
            run.out_of_time = self._clock() >= until
            return run.halted or run.out_of_time or self._is_left(run)

        def tell(far: StudyProgress) -> None:
            run.far = far

        try:
            run.played = self._process.play(run.asked, tell, halt)
        except CardhouseError as error:
            run.problem = error.message
        except Broken as error:
            if not self._closed:
                log.error("Internal error in a study: %s", error)
            run.problem = "Something went wrong on our side. The server's log has more."
        finally:
            self._over(run)

    def _is_left(self, run: StudyRun) -> bool:
        run.left = self._clock() - run.seen > GONE_SECONDS
        return run.left

    def _over(self, run: StudyRun) -> None:
        if not run.over:
            run.ended = self._clock()
            run.done.set()

    def _forget(self) -> None:
        """Drop finished studies that are old, or too many or too large together; but the newest only when it is old."""
        now, size, kept = self._clock(), 0, 0
        for run in reversed(list(self._runs.values())):
            if run.ended is None:
                continue
            size += sum(map(len, run.pieces))
            too_much = kept >= MOST_KEPT or size > KEPT_BYTES
            if now - run.ended > KEPT_SECONDS or (kept and too_much):
                del self._runs[run.id]
            else:
                kept += 1
