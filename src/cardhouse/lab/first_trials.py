"""The first trials of a study, played by its kernels as Python while another process makes machine code of them.

Python plays some hundred or thousand trials a second, which is enough for a first number with its interval. What comes
of a trial depends on its number and the seed alone: so these are trials of the study like any other, and it goes on
from them.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from cardhouse.lab.workers import cores

if TYPE_CHECKING:
    from cardhouse.lab.question import Question
    from cardhouse.lab.tally import Tally

FEW = 4
"""So many trials are told first."""
TOLD_SECONDS = 0.25
"""About so often more are told."""
ALONE_SECONDS = 3.0
"""Where there is one core only, machine code is made later for them, so that no more than so long is played."""
IN_ITS_PROCESS = "from cardhouse.lab.first_trials import play; play()"


class FirstTrials:
    """Trials of a question, or of two variants, from those on that a tally has already, and before a `goal`.

    They are played by a process of its own from `begin` until `end`, which comes with `with`. A thread has `tell` hear
    of the tally whenever there is more of it.
    """

    def __init__(
        self,
        question: Question,
        versus: Question | None,
        seed: int,
        tally: Tally,
        goal: int,
        tell: Callable[[Tally], None],
    ) -> None:
        self.tally = tally
        self._asked = ([question, versus] if versus else [question], seed, tally.trials, goal)
        self._is_wanted = tally.trials < goal
        self._tell = tell
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Have them played, if they aren't yet. Where that can't be, as with a notebook's own question, none are."""
        if not self._is_wanted or not sys.executable:
            return
        self._is_wanted = False
        try:
            asked = pickle.dumps(self._asked)
            # Not by `multiprocessing`, which would run the script again that somebody asks this from.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", IN_ITS_PROCESS],
                env={
                    **os.environ,
                    "NUMBA_DISABLE_JIT": "1",
                    "PYTHONPATH": os.pathsep.join(part or str(Path.cwd()) for part in sys.path),
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(asked)
            self._process.stdin.flush()
        except (OSError, pickle.PicklingError, AttributeError, TypeError):
            return
        self._thread = threading.Thread(target=self._follow, args=(self._process.stdout,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """No more of them are played or told."""
        self._is_wanted = False
        if self._process is not None:
            self._process.kill()
        if self._thread is not None:
            self._thread.join()
        if self._process is not None:
            self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def _follow(self, played: IO[bytes]) -> None:
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self.tally = self.tally.with_rows(*pickle.load(played))  # noqa: S301 (our own process)
                self._tell(self.tally)


# The process.


def play() -> None:
    """Play what is asked for by standard input, and tell the rows of each variant by standard output."""
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a question prints
    questions, seed, first, goal = pickle.load(sys.stdin.buffer)  # noqa: S301 (of the process that started this one)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    until = time.monotonic() + (ALONE_SECONDS if cores() == 1 else float("inf"))
    count = FEW
    while first < goal and time.monotonic() < until:
        begun = time.monotonic()
        count = min(count, goal - first)
        pickle.dump([question.rows(seed, first, count) for question in questions], told)
        told.flush()
        first += count
        count = _next_count(count, time.monotonic() - begun)


def _next_count(count: int, seconds: float) -> int:
    """How many trials to tell next, when so many took so long."""
    return max(1, min(4 * count, int(count * TOLD_SECONDS / max(seconds, 0.001))))


def _end_with_parent() -> None:
    """Nothing more comes by standard input: its end is that of the process at the other end."""
    sys.stdin.buffer.read()
    os._exit(0)
