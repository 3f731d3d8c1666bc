"""When to commit: at once, or a moment later, together with what others say meanwhile.

A commit costs more than the entries in it. Where hundreds of tables play at the pace of people, hardly two entries come
at once, and the disk is what the server does most; a few milliseconds later there are several, and nobody has noticed.
Where tables answer as soon as they may, the others say something meanwhile, too, as long as it is a small part of the
time in which each says something once; at a single table whoever waits has nobody else say anything.
"""

import time
from collections.abc import Callable

APART_SECONDS = 0.008
"""Commits are so far apart, measured from beginning to beginning, if they are kept apart."""
WINDOW_SECONDS = 1.0
"""How long is looked at to tell at which pace is played."""
PART = 0.3
"""At most so much of the time in which each table says something once, on the average, lies between two commits."""


class Pace:
    """How often entries came of late, and from how many tables; from one thread only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._entries = 0
        self._tables: set[str] = set()
        self._apart = 0.0
        self._began = self._since - WINDOW_SECONDS

    def seconds_to_wait(self) -> float:
        """In how many seconds the next commit is best begun; none if it is at once."""
        now = self._clock()
        if now - self._since >= WINDOW_SECONDS:
            self._look_back(now - self._since)
        return max(0.0, self._began + self._apart - now)

    def begin(self, tables: list[str]) -> None:
        """A commit begins, of entries of these tables."""
        self._began = self._clock()
        self._entries += len(tables)
        self._tables.update(tables)

    def _look_back(self, seconds: float) -> None:
        is_worth_while = self._entries * APART_SECONDS > seconds
        each_once = seconds * len(self._tables) / self._entries if self._entries else 0.0
        self._apart = min(APART_SECONDS, PART * each_once) if is_worth_while and len(self._tables) > 1 else 0.0
        self._since += seconds
        self._entries, self._tables = 0, set()
