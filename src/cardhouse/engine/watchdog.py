"""Rules that never come to an end: whoever runs them is freed, and told where they go round and round.

While somebody is `watching`, a thread looks now and then at what runs in a table. What takes too long there is ended by
an exception in its midst; the seconds are those of this process's own work, so that a busy machine makes no difference.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

from cardhouse.engine.errors import BadGame

LOOK_SECONDS = 0.1
"""What runs is looked at so often."""
_ENGINE = str(Path(__file__).parent)
Method = TypeVar("Method", bound=Callable[..., Any])
Kind = TypeVar("Kind", bound=type)


class Endless(BaseException):
    """Raised in the midst of what never ends; no game that holds up errors holds up this."""


class NeverEnds(BadGame):
    """A game's own code that was ended, for it never would have by itself."""


class _Run:
    """Something that runs in a thread, from when it was first looked at; `kept` are the frames it was always in."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.since: float | None = None
        self.kept: list[FrameType] = []
        self.lines: dict[FrameType, set[int]] = {}
        self.ended = False

    def look(self) -> None:
        """Note which of the frames have been there all the time, and at which of their lines."""
        frame = sys._current_frames().get(self.thread)
        there: dict[FrameType, int] = {}
        while frame is not None:
            there[frame] = frame.f_lineno
            frame = frame.f_back
        self.kept = [one for one in self.kept or there if one in there]
        for one in self.kept:
            self.lines.setdefault(one, set()).add(there[one])

    def told(self) -> str:
        """Where it goes round, as the middle of a sentence: the innermost function that was never left."""
        theirs = [frame for frame in self.kept if not frame.f_code.co_filename.startswith(_ENGINE)]
        for frame in theirs[:1]:
            file, lines = Path(frame.f_code.co_filename), sorted(self.lines[frame])
            where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
            return f"{file.parent.name}/{file.name}, {where}, in {frame.f_code.co_name}"
        return "the engine"


class _Watchdog:
    """What runs now, by its thread, and the thread that looks at it while anybody wants that."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.runs: dict[int, _Run] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def start(self, seconds: float) -> threading.Thread:
        """Begin to look; what takes more than so many seconds is ended."""
        self.seconds = seconds
        self._stop.clear()
        for kind, name, _, watched in _methods:
            setattr(kind, name, watched)
        thread = threading.Thread(target=self._keep_looking, name="watchdog", daemon=True)
        thread.start()
        return thread

    def stop(self, thread: threading.Thread) -> None:
        """Look no more."""
        self.seconds = 0.0
        for kind, name, method, _ in _methods:
            setattr(kind, name, method)
        self._stop.set()
        thread.join()

    def begin(self, thread: int) -> _Run:
        """Something begins to run in this thread, which is the one that says so."""
        run = self.runs[thread] = _Run(thread)
        return run

    def end(self, run: _Run) -> None:
        """It is over; what it was to be ended with is not raised any more."""
        with self._lock:
            self.runs.pop(run.thread, None)
            if run.ended:
                _raise_in(run.thread, None)

    def _keep_looking(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            now = time.process_time()
            with self._lock:
                for run in list(self.runs.values()):
                    self._look_at(run, now)

    def _look_at(self, run: _Run, now: float) -> None:
        run.since = now if run.since is None else run.since
        run.look()
        if now - run.since >= self.seconds:
            run.ended = True
            del self.runs[run.thread]
            _raise_in(run.thread, Endless)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise this as soon as it runs on; None takes back what it hasn't raised yet."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_watchdog = _Watchdog()
_methods: list[tuple[type, str, Any, Any]] = []
"""The methods that a class says end: whose, their name, and they themselves, plain and watched."""


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """As long as this lasts, what a table does is ended when it takes more than so many seconds."""
    if _watchdog.seconds:
        yield
        return
    thread = _watchdog.start(seconds)
    try:
        yield
    finally:
        _watchdog.stop(thread)


def methods_end(*names: str) -> Callable[[Kind], Kind]:
    """A class whose methods of these names run a game's own code: what `ends` does, at no cost while nobody watches."""

    def noted(kind: Kind) -> Kind:
        for name in names:
            method = getattr(kind, name)
            _methods.append((kind, name, method, ends(method)))
        return kind

    return noted


def ends(method: Method) -> Method:
    """A function, of a table, that runs a game's own code: it raises NeverEnds, with the lines, if that is watched."""

    @wraps(method)
    def watched(self: Any, *args: Any, **more: Any) -> Any:
        if not _watchdog.seconds or (thread := threading.get_ident()) in _watchdog.runs:
            return method(self, *args, **more)
        run = _watchdog.begin(thread)
        try:
            try:
                return method(self, *args, **more)
            finally:
                _watchdog.end(run)
        except Endless:
            raise _never_ends(self, run) from None

    return cast("Method", watched)


def _never_ends(table: Any, run: _Run) -> NeverEnds:
    name = table.kind.__name__ if hasattr(table, "kind") else "A game"
    return NeverEnds(
        f"{name} never comes to an end: {run.told()}, goes round and round and was stopped. A loop must "
        f"ask or draw with yield from, or change what it goes by."
    )
