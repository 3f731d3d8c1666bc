"""The lab behind the page: studies that people ask for, played one after the other beside the tables."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from cardhouse.engine import CardhouseError
from cardhouse.lab.kept import kept_counts
from cardhouse.lab.study import Progress, Result, Study, ask
from cardhouse.lab.workers import cores
from cardhouse.server.lab_limits import MOST_SECONDS
from cardhouse.server.static import File
from cardhouse.server.tokens import new_token

MOST_WAITING = 4
"""So many studies wait while one is played."""
MOST_KEPT = 20
"""So many that are over are remembered, if they are not too large together, and for so long."""
KEPT_SECONDS = 3600.0
KEPT_COUNTS = 2_000_000
log = logging.getLogger("cardhouse.server")


class Run:
    """A study that somebody asked for: how far it is, and when it is over what came of it, or why nothing did.

    `result` is None where it was stopped before its turn came.
    """

    def __init__(self, study: Study, visitor: str = "", command: str = "") -> None:
        self.id = new_token()
        self.study = study
        self.visitor = visitor
        self.command = command
        """What asks the same on the command line."""
        self.written: dict[str, bytes] = {}
        """What was made of its result, packed, by the ending of the file that it would be."""
        self.progress: Progress | None = None
        self.result: Result | None = None
        self.problem = ""
        self.begun = False
        self.ended: float | None = None
        """When it was over, by the lab's clock."""
        self.halted = False
        self.out_of_time = False
        self.future: Future[None] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.ended is not None

    def counts(self) -> int:
        """How many numbers are remembered of it."""
        answers = self.result.answers if self.result else ()
        return sum(len(each) for answer in answers for each in answer.counts.values())


class Lab:
    """The studies of this server. Its methods belong to the event loop; what is played has a thread of its own.

    One core is left to the tables, if there is more than one.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.listed: File | None = None
        """What can be asked, once it is known."""
        self._clock = clock
        self._runs: dict[str, Run] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="lab")
        self._kept = kept_counts()

    def start(self, study: Study, visitor: str = "", command: str = "") -> Run:
        """Have a study played, when those before it are done; `command` is what asks the same on the command line.

        Raises CardhouseError if too many wait already, or one of this visitor's is under way.
        """
        self.check_room(visitor)
        run = Run(study, visitor, command)
        self._runs[run.id] = run
        run.future = self._thread.submit(self._play, run)
        return run

    def check_room(self, visitor: str) -> None:
        """Raises CardhouseError if too many wait already, or one of this visitor's is under way."""
        self._forget()
        under_way = [run for run in self._runs.values() if not run.over]
        if visitor and any(run.visitor == visitor and not run.halted for run in under_way):
            raise CardhouseError("A study of yours is under way; wait until it is over, or stop it.", "too_many")
        if len(under_way) > MOST_WAITING:
            raise CardhouseError(
                f"The lab is busy, and {MOST_WAITING} wait already; try again in a minute.", "too_many"
            )

    def find(self, id: str) -> Run:
        """A study by its id.

        Raises CardhouseError if there is none, or no longer.
        """
        self._forget()
        if id not in self._runs:
            raise CardhouseError("The lab has forgotten this study, or never had it; ask again.", "not_found")
        return self._runs[id]

    def ahead_of(self, run: Run) -> int:
        """How many are to be done before this one."""
        runs = list(self._runs.values())
        return 0 if run.begun else sum(not other.over for other in runs[: runs.index(run)])

    def stop(self, run: Run) -> None:
        """Stop a study as soon as may be; what was played of it is told."""
        run.halted = True
        if run.future is not None and run.future.cancel():
            run.ended = self._clock()

    async def close(self) -> None:
        """Stop them all."""
        for run in self._runs.values():
            self.stop(run)
        await asyncio.to_thread(self._thread.shutdown)

    def _play(self, run: Run) -> None:
        run.begun = True
        until = self._clock() + MOST_SECONDS

        def halt() -> bool:
            run.out_of_time = self._clock() >= until
            return run.halted or run.out_of_time

        def tell(progress: Progress) -> None:
            run.progress = progress

        try:
            if not run.halted:
                workers = max(1, cores() - 1)
                run.result = ask(run.study, workers=workers, exact=self._kept.exact, tell=tell, halt=halt)
        except CardhouseError as error:
            run.problem = error.message
        except Exception:
            log.exception("A study met with an error of ours")
            run.problem = "Something went wrong on our side. The server's log has more."
        finally:
            run.ended = self._clock()

    def _forget(self) -> None:
        """Let go of what nobody is likely to ask for again; the newest one only when it is old."""
        now, counts, kept = self._clock(), 0, 0
        for run in reversed(list(self._runs.values())):
            if run.ended is None:
                continue
            counts += run.counts()
            too_much = kept >= MOST_KEPT or counts > KEPT_COUNTS
            if now - run.ended > KEPT_SECONDS or (kept and too_much):
                del self._runs[run.id]
            else:
                kept += 1
