"""Counts of cards used: measures and findings about a deck, the same for every game, counted by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine import Entry
from cardhouse.lab.questions.question import Finding, Measure, mean, share

MOST_SHUFFLES = 20
"""More shuffles of a deck than this count as this many."""


class CardsUsed(msgspec.Struct, frozen=True):
    """A deck that is shuffled again when it has run out; `of` is its name.

    More cards than `most` count as `most`. A card counts each time that it is turned over or looked at.
    """

    deck: str
    of: str
    most: int

    def measures(self) -> Sequence[Measure]:
        """Return the two columns of a trial: cards, and shuffles."""
        return [
            Measure(f"{self.deck}_cards", self.most + 1, f"cards drawn from {self.of}"),
            Measure(f"{self.deck}_shuffles", MOST_SHUFFLES + 1, f"times that {self.of} ran out and was shuffled"),
        ]

    def findings(self) -> Sequence[Finding]:
        """Return the findings about them."""
        return [
            mean(f"{self.deck}_cards", f"cards drawn from {self.of}", f"{self.deck}_cards"),
            share(f"{self.deck}_runs_out", f"{self.of} runs out and is shuffled", f"{self.deck}_shuffles", 1),
        ]

    def row(self, entries: Sequence[Entry]) -> Sequence[int]:
        """Return the two columns for a table whose rules log `shuffled` when the deck has run out."""
        return [min(drawn(lines_of(entries), self.deck), self.most), min(told(entries, "shuffled"), MOST_SHUFFLES)]


def lines_of(entries: Iterable[Entry]) -> Iterable[Mapping[str, Any]]:
    """Return all lines of a log."""
    return (line for entry in entries for line in entry.lines)


def drawn(lines: Iterable[Mapping[str, Any]], deck: str) -> int:
    """Return how many cards were drawn from a deck."""
    return sum(line.get("draw") == deck and "card" in line for line in lines)


def told(entries: Iterable[Entry], *keys: str) -> int:
    """Return how many times one of these events occurred."""
    return sum(event.key in keys for entry in entries for event in entry.events)
