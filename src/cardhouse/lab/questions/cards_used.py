"""How many cards it takes: what is measured and told of a deck, the same for every game, and counted by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine import Entry
from cardhouse.lab.questions.question import Finding, Measure, mean, share

MOST_SHUFFLES = 20
"""A deck that is shuffled more often than this counts as shuffled so often."""


class CardsUsed(msgspec.Struct, frozen=True):
    """A deck that is drawn from until it has run out, and then shuffled: `of` is what it is called.

    More cards than `most` count as so many. A card is counted each time that it is turned over or looked at.
    """

    deck: str
    of: str
    most: int

    def measures(self) -> Sequence[Measure]:
        """The two columns of a trial: cards, and shuffles."""
        return [
            Measure(f"{self.deck}_cards", self.most + 1, f"cards drawn from {self.of}"),
            Measure(f"{self.deck}_shuffles", MOST_SHUFFLES + 1, f"times that {self.of} ran out and was shuffled"),
        ]

    def findings(self) -> Sequence[Finding]:
        """What is told of them."""
        return [
            mean(f"{self.deck}_cards", f"cards drawn from {self.of}", f"{self.deck}_cards"),
            share(f"{self.deck}_runs_out", f"{self.of} runs out and is shuffled", f"{self.deck}_shuffles", 1),
        ]

    def row(self, entries: Sequence[Entry]) -> Sequence[int]:
        """The two columns, of a table by whose rules `shuffled` is told when the deck has run out."""
        return [min(drawn(lines_of(entries), self.deck), self.most), min(told(entries, "shuffled"), MOST_SHUFFLES)]


def lines_of(entries: Iterable[Entry]) -> Iterable[Mapping[str, Any]]:
    """All lines of a log."""
    return (line for entry in entries for line in entry.lines)


def drawn(lines: Iterable[Mapping[str, Any]], deck: str) -> int:
    """How many cards were drawn from a deck."""
    return sum(line.get("draw") == deck and "card" in line for line in lines)


def told(entries: Iterable[Entry], *keys: str) -> int:
    """How often one of these events was told."""
    return sum(event.key in keys for entry in entries for event in entry.events)
