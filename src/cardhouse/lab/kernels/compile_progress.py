"""The progress of compiling kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from numba.core import event

from cardhouse.lab.kernels.compiled import parts
from cardhouse.lab.questions.fingerprint import imported


class Compiling(NamedTuple):
    """The compiled functions of a kernel, out of about `of`; the last one takes by far the longest."""

    done: int
    of: int


_listeners: list[Callable[[Compiling], None]] = []
"""The functions to call with progress."""


@contextmanager
def telling(tell: Callable[[Compiling], None]) -> Iterator[None]:
    """Call `tell` with the progress of compiling kernels inside this block; never if they come from the cache."""
    _listeners.append(tell)
    try:
        with event.install_listener("numba:compile", _CompileListener(tell)):
            yield
    finally:
        _listeners.remove(tell)


def report_compiling(compiling: Compiling) -> None:
    """Report the progress of another process."""
    for tell in _listeners:
        tell(compiling)


class _CompileListener(event.Listener):
    """A listener for the start and end of each function's compilation, which includes that of the functions it calls.

    The parts of a later top-level function are added to the total, so that progress is monotonic.
    """

    def __init__(self, tell: Callable[[Compiling], None]) -> None:
        self._tell = tell
        self._under_way = 0
        self._done = 0
        self._of = 0

    def on_start(self, event: event.Event) -> None:
        if not self._under_way:
            code = event.data["dispatcher"].py_func.__code__
            self._of = self._done + sum(parts[file] for file in imported(Path(code.co_filename).resolve()))
        self._under_way += 1
        self._report()

    def on_end(self, event: event.Event) -> None:
        self._under_way -= 1
        self._done += 1
        self._report()

    def _report(self) -> None:
        # A function is compiled once for each combination of argument types.
        self._tell(Compiling(self._done, max(self._of, self._done + self._under_way)))
