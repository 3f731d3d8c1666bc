"""The moment of a commit: at once, or slightly later, together with other tables' entries.

A commit costs more than the entries in it. If hundreds of tables play at human pace, two entries rarely come at once,
and commits keep the disk busy; a wait of a few milliseconds collects several entries, unnoticed. If tables answer as
fast as they can, waiting helps too, as long as it is a small part of the time between two answers of the same table. A
single table never gains from waiting: nobody else would answer meanwhile.
"""

import time
from collections.abc import Callable

APART_SECONDS = 0.008
"""The interval between the starts of two commits, when they are batched."""
WINDOW_SECONDS = 1.0
"""The span over which the pace of play is measured."""
PART = 0.3
"""The interval between two commits, as a share of the average time between two entries of the same table, at most."""


class Pace:
    """The recent rate of entries, and the number of tables they came from; for one thread only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._entries = 0
        self._tables: set[str] = set()
        self._apart = 0.0
        self._began = self._since - WINDOW_SECONDS

    def seconds_to_wait(self) -> float:
        """Return the seconds to wait before the next commit; 0 for none."""
        now = self._clock()
        if now - self._since >= WINDOW_SECONDS:
            self._adjust(now - self._since)
        return max(0.0, self._began + self._apart - now)

    def begin(self, tables: list[str]) -> None:
        """Record that a commit begins; `tables` has the table of each of its entries."""
        self._began = self._clock()
        self._entries += len(tables)
        self._tables.update(tables)

    def _adjust(self, seconds: float) -> None:
        is_worth_while = self._entries * APART_SECONDS > seconds
        each_once = seconds * len(self._tables) / self._entries if self._entries else 0.0
        self._apart = min(APART_SECONDS, PART * each_once) if is_worth_while and len(self._tables) > 1 else 0.0
        self._since += seconds
        self._entries, self._tables = 0, set()
