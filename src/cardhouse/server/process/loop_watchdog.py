"""A watchdog for the event loop: it ends a step that never would, and everybody else's goes on.

A step is what the loop runs without a pause. The watchdog is a handler of a timer's signal, which Python runs between
two instructions and also within a search of a regular expression, when no other thread can run. So it acts on the
server's own code and on libraries, where `engine.diagnostics.watchdog` knows the calls of a table. It doesn't act
within other calls into C, outside the main thread, and on Windows, which has no such timer.
"""

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

from cardhouse.engine.diagnostics.watchdog import end_call

TICK_SECONDS = 0.1
"""The interval between two signals, in CPU time of this process: an idle server gets none."""


class StepTooLong(Exception):
    """Raised in the midst of a step that took too long."""


@contextmanager
def steps_end(seconds: float) -> Iterator[None]:
    """Within this block, end each step of the running event loop that takes more than this CPU time."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _LoopWatchdog(seconds).tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, TICK_SECONDS, TICK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class _LoopWatchdog:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._base: CodeType | None = None
        """The code from which the loop runs each step."""
        self._step: FrameType | None = None
        """The outermost frame of the step that was going on at the last signal; None since it ended."""
        self._since = 0.0
        self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._base = sys._getframe(1).f_code

    def tick(self, _signal: int, frame: FrameType | None) -> None:
        """Note the step that is going on, or end it if it has been going on for too long."""
        step, now = self._outermost(frame), time.thread_time()
        if step is None:
            return
        if step is not self._step:
            self._step, self._since = step, now
            # A coroutine has the same frame in each of its steps, but this runs between two of them.
            self._loop.call_soon_threadsafe(self._forget)
        elif now - self._since >= self._seconds:
            self._step = None
            end_call(frame)
            raise StepTooLong

    def _outermost(self, frame: FrameType | None) -> FrameType | None:
        """Return the outermost frame of the step that this frame belongs to; None between two steps."""
        outermost = None
        while frame is not None and frame.f_code is not self._base:
            outermost, frame = frame, frame.f_back
        return outermost if frame is not None else None

    def _forget(self) -> None:
        self._step = None
