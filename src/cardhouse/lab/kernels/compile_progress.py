"""How far the compiling of kernels is, for those who wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from numba.core import event

from cardhouse.lab.kernels.compiled import parts
from cardhouse.lab.questions.fingerprint import imported


class Compiling(NamedTuple):
    """So many functions of a kernel, of about so many, have become machine code; the last takes longest by far."""

    done: int
    of: int


_told: list[Callable[[Compiling], None]] = []
"""Those who hear of it."""


@contextmanager
def telling(tell: Callable[[Compiling], None]) -> Iterator[None]:
    """Have `tell` hear how far it is while kernels are compiled; nothing where their machine code was kept."""
    _told.append(tell)
    try:
        with event.install_listener("numba:compile", _CompileListener(tell)):
            yield
    finally:
        _told.remove(tell)


def tell_of(compiling: Compiling) -> None:
    """Tell those who hear of it how far another process is with it."""
    for tell in _told:
        tell(compiling)


class _CompileListener(event.Listener):
    """Hears when the compiling of a function begins and ends; those that it calls are compiled in between.

    Of a function that is compiled after another has been, the parts come on top, so that nothing goes back.
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
        self._say()

    def on_end(self, event: event.Event) -> None:
        self._under_way -= 1
        self._done += 1
        self._say()

    def _say(self) -> None:
        # A function is compiled once for each kind of numbers that it is called with.
        self._tell(Compiling(self._done, max(self._of, self._done + self._under_way)))
