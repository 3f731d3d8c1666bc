"""Checks that actions possible at any time have an effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from cardhouse.engine import BadGame, Entry, Game, Table

_OFTEN = 3
"""After this many uses without effect, an action counts as ineffective."""


class Working:
    """How often each action was used at any time, and how often it had an effect."""

    def __init__(self) -> None:
        self.given: Counter[str] = Counter()
        self.worked: Counter[str] = Counter()

    def watch(self, table: Table, play: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries of some play at a table, recording each first."""
        before = msgspec.json.encode(table.game)
        for entry in play:
            after = msgspec.json.encode(table.game)
            if entry.meanwhile:
                word = entry.lines[0]["do"]
                self.given[word] += 1
                self.worked[word] += bool(entry.events) or len(entry.lines) > 1 or before != after
            yield entry
            before = after

    def check(self, kind: type[Game]) -> None:
        """Raises BadGame if an action was used often and never had an effect."""
        for word, times in self.given.items():
            if times >= _OFTEN and not self.worked[word]:
                raise BadGame(
                    f"{kind.__name__}.at_any_time offers {word}, which had no effect in {times} moves: carry it out in "
                    f"{kind.__name__}.meanwhile, or don't offer it."
                )
