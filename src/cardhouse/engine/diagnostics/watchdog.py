"""Rules that never come to an end: whoever runs them is freed, and told where they go round and round.

While somebody is `watching`, a thread looks now and then at what runs in a table. What takes too long there is ended by
an exception in its midst; the seconds are those of this process's own work, so that a busy machine makes no difference.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar, cast

from cardhouse.engine.values.errors import BadGame

LOOK_SECONDS = 0.1
"""What runs is looked at so often."""
_ENGINE = str(Path(__file__).parent.parent)
Method = TypeVar("Method", bound=Callable[..., Any])
Kind = TypeVar("Kind", bound=type)


class Endless(BaseException):
    """Raised in the midst of what never ends; no game that holds up errors holds up this."""


class NeverEnds(BadGame):
    """A game's own code that was ended, for it never would have by itself."""


class _Run:
    """Something that runs in a thread since it was first looked at; `kept` are the frames it was always in."""

    def __init__(self, thread: int, begun: FrameType, since: float) -> None:
        self.thread = thread
        self.begun = begun
        self.since = since
        self.kept: list[FrameType] = []
        self.lines: dict[FrameType, set[int]] = {}

    def look(self, stack: Sequence[FrameType]) -> None:
        """Note which of the frames have been there all the time, and at which of their lines."""
        self.kept = [frame for frame in self.kept or stack if frame in stack]
        for frame in self.kept:
            self.lines.setdefault(frame, set()).add(frame.f_lineno)

    def told(self) -> str:
        """Where it goes round, as the middle of a sentence: the innermost function that was never left."""
        theirs = [frame for frame in self.kept if not frame.f_code.co_filename.startswith(_ENGINE)]
        for frame in theirs[:1]:
            file, lines = Path(frame.f_code.co_filename), sorted(self.lines[frame])
            where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
            return f"{file.parent.name}/{file.name}, {where}, in {frame.f_code.co_name}"
        return "the engine"


class _Watchdog:
    """The thread that looks at what runs, while anybody wants that; whoever runs need not say so."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.ended: dict[int, _Run] = {}
        """What was ended and hasn't noticed yet, by its thread."""
        self._runs: dict[int, _Run] = {}
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
        self._runs = {}

    def left(self) -> _Run | None:
        """Something is over in this thread; what it was ended with is not raised any more. None if it wasn't ended."""
        thread = threading.get_ident()
        with self._lock:
            run = self.ended.pop(thread, None)
            if run is not None:
                _raise_in(thread, None)
        return run

    def _keep_looking(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            self._look(time.process_time())

    def _look(self, now: float) -> None:
        with _no_collection():
            stacks = [(thread, _stack_of(frame)) for thread, frame in sys._current_frames().items()]
        runs = [self._run(thread, stack, now) for thread, stack in stacks]
        self._runs = {run.thread: run for run in runs if run is not None}
        for run in list(self._runs.values()):
            if now - run.since >= self.seconds:
                self._end(run)

    def _run(self, thread: int, stack: Sequence[FrameType], now: float) -> _Run | None:
        """What runs in a thread, looked at once more; None if nothing does that is watched."""
        begun = _outermost(stack)
        if begun is None:
            return None
        run = self._runs.get(thread)
        if run is None or run.begun is not begun:
            run = _Run(thread, begun, now)
        run.look(stack)
        return run

    def _end(self, run: _Run) -> None:
        del self._runs[run.thread]
        with self._lock, _no_collection():
            if _outermost(_stack_of(sys._current_frames().get(run.thread))) is run.begun:
                self.ended[run.thread] = run
                _raise_in(run.thread, Endless)


@contextmanager
def _no_collection() -> Iterator[None]:
    """No reference cycles are collected meanwhile.

    A frame of another thread is made visible by an allocation. If that collects, as it does up to CPython 3.11, and a
    finalizer runs, the other thread may go on and leave the frame that is being made visible: a dangling pointer.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _stack_of(frame: FrameType | None) -> list[FrameType]:
    """The frames of a thread, the innermost first."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


def _outermost(stack: Sequence[FrameType]) -> FrameType | None:
    """The first of the watched functions that were called; None if none was."""
    return next((frame for frame in reversed(stack) if frame.f_code in _codes), None)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise this as soon as it runs on; None takes back what it hasn't raised yet."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_watchdog = _Watchdog()
_codes: set[CodeType] = set()
"""The code of the functions that are watched."""
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
    _codes.add(method.__code__)

    @wraps(method)
    def watched(self: Any, *args: Any, **more: Any) -> Any:
        run = None
        try:
            try:
                return method(self, *args, **more)
            finally:
                if _watchdog.ended:
                    run = _watchdog.left()
        except Endless:
            raise _never_ends(self, run) from None

    return cast("Method", watched)


def _never_ends(table: Any, run: _Run | None) -> NeverEnds:
    name = table.kind.__name__ if hasattr(table, "kind") else "A game"
    where = run.told() if run else "it"
    return NeverEnds(
        f"{name} never comes to an end: {where}, goes round and round and was stopped. A loop must "
        f"ask or draw with yield from, or change what it goes by."
    )
