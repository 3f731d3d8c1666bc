"""A watchdog for rules that never end: it frees their caller, and reports the lines of the loop.

Inside `watching`, a thread regularly inspects what tables run. Anything that takes too long is ended by an exception
raised in its midst. The time is this process's CPU time, so a busy machine makes no difference.
"""

from __future__ import annotations

import ctypes
import gc
import re
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
"""The interval between inspections."""
_NOT_THEIRS = (str(Path(__file__).parent.parent), str(Path(re.__file__).parent))
"""Where a game's own code isn't: the engine, and the module of regular expressions."""
Method = TypeVar("Method", bound=Callable[..., Any])
Kind = TypeVar("Kind", bound=type)


class Endless(BaseException):
    """Raised inside code that never ends; a game's `except Exception` doesn't catch it."""


class NeverEnds(BadGame):
    """A game's own code was stopped because it would never have ended."""


class _Run:
    """A call that runs in a thread since it was first seen; `kept` are the frames present all the time."""

    def __init__(self, thread: int, begun: FrameType, since: float) -> None:
        self.thread = thread
        self.begun = begun
        self.since = since
        self.kept: list[FrameType] = []
        self.lines: dict[FrameType, set[int]] = {}

    def look(self, stack: Sequence[FrameType]) -> None:
        """Keep the frames that have been present all the time, and record their current lines."""
        self.kept = [frame for frame in self.kept or stack if frame in stack]
        for frame in self.kept:
            self.lines.setdefault(frame, set()).add(frame.f_lineno)

    def told(self) -> str:
        """Return where it loops, as the middle of a sentence: the innermost function that was never left."""
        theirs = [frame for frame in self.kept if not frame.f_code.co_filename.startswith(_NOT_THEIRS)]
        for frame in theirs[:1]:
            file, lines = Path(frame.f_code.co_filename), sorted(self.lines[frame])
            where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
            return f"{file.parent.name}/{file.name}, {where}, in {frame.f_code.co_name}"
        return "the engine"


class _Watchdog:
    """The thread that inspects what runs while anyone is `watching`."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.ended: dict[int, _Run] = {}
        """Calls that were ended and haven't noticed yet, by thread."""
        self._runs: dict[int, _Run] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def start(self, seconds: float) -> threading.Thread:
        """Start inspecting; calls that take more than this many seconds are ended."""
        self.seconds = seconds
        self._stop.clear()
        for kind, name, _, watched in _methods:
            setattr(kind, name, watched)
        thread = threading.Thread(target=self._keep_looking, name="watchdog", daemon=True)
        thread.start()
        return thread

    def stop(self, thread: threading.Thread) -> None:
        """Stop inspecting."""
        self.seconds = 0.0
        for kind, name, method, _ in _methods:
            setattr(kind, name, method)
        self._stop.set()
        thread.join()
        self._runs = {}

    def end_here(self, frame: FrameType | None) -> None:
        """Raise Endless if a watched call runs in this frame of this thread."""
        stack = _stack_of(frame)
        begun = _outermost(stack)
        if begun is not None:
            run = _Run(threading.get_ident(), begun, 0.0)
            run.look(stack)
            self.ended[run.thread] = run  # without the lock, which the interrupted code may hold
            raise Endless

    def left(self) -> _Run | None:
        """Return the call that was ended in this thread, cancelling an exception not raised yet.

        None if it wasn't ended.
        """
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
        """Return what runs in a thread, inspected once more; None if nothing watched does."""
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
    """Suspend garbage collection.

    Exposing another thread's frame allocates memory. If that triggers a collection, as it can up to CPython 3.11, and a
    finalizer runs, the other thread may continue and leave the frame being exposed: a dangling pointer.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _stack_of(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of a thread, the innermost first."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


def _outermost(stack: Sequence[FrameType]) -> FrameType | None:
    """Return the outermost call of a watched function; None if there is none."""
    return next((frame for frame in reversed(stack) if frame.f_code in _codes), None)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Make a thread raise this as soon as it continues; None cancels an exception that it hasn't raised yet."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_watchdog = _Watchdog()
_codes: set[CodeType] = set()
"""The code of the watched functions."""
_methods: list[tuple[type, str, Any, Any]] = []
"""The methods declared by `methods_end`: class, name, and the plain and watched versions."""


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """Within this block, end each call of a table that takes more than this many seconds."""
    if _watchdog.seconds:
        yield
        return
    thread = _watchdog.start(seconds)
    try:
        yield
    finally:
        _watchdog.stop(thread)


def end_call(frame: FrameType | None) -> None:
    """Raise Endless if a watched call of a table runs in this frame; for handlers of signals, which interrupt it."""
    _watchdog.end_here(frame)


def methods_end(*names: str) -> Callable[[Kind], Kind]:
    """Declare that these methods run a game's own code; like `ends`, at no cost while nobody is watching."""

    def noted(kind: Kind) -> Kind:
        for name in names:
            method = getattr(kind, name)
            _methods.append((kind, name, method, ends(method)))
        return kind

    return noted


def ends(method: Method) -> Method:
    """Wrap a function of a table that runs a game's own code; if the watchdog ends it, it raises NeverEnds."""
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
    where = run.told() if run else "unknown"
    return NeverEnds(
        f"{name} was stopped in an endless loop: {where}. A loop must ask or draw with yield from, or change its own "
        f"condition."
    )
