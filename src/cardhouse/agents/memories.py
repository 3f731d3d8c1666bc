"""A player's memory as a row of integers: what it has seen, noted and chosen, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import CardhouseError, catalogue_of, find_game

NOTHING, LIST, OBJECT, END, YES, NO, NONE = range(7)
"""Padding, the beginnings of a list and of an object, the end of either, and plain values."""
WHOLE = NONE + 1
MOST_WHOLE = 1 << 12
"""Integers from minus this to below it have a number each."""
WORD = WHOLE + 2 * MOST_WHOLE
OTHER = 1 << 16
MOST_OTHERS = 1 << 22
"""The number of hash buckets for unknown texts."""
LARGEST = OTHER + MOST_OTHERS
"""Greater than every number; float32 still distinguishes them."""


class Memories:
    """An encoder of memories into rows of `size` numbers; known words have numbers of their own."""

    def __init__(self, game: str, cards: Sequence[Card], players: Sequence[str], size: int) -> None:
        catalogue = catalogue_of(find_game(game))
        words = dict.fromkeys([*players, *cards, *catalogue.words.events, *catalogue.rules, *catalogue.words.fields])
        self.numbers: Mapping[str, int] = {word: WORD + place for place, word in enumerate(words)}
        self.game, self.size = game, size

    def row(self, memory: Any) -> list[int]:
        """Return a memory as a row, padded to its size.

        Raises CardhouseError if it is too long.
        """
        row = list(self._written(msgspec.to_builtins(memory)))
        if len(row) > self.size:
            raise CardhouseError(
                f"A memory of {self.game} takes {len(row)} numbers, more than the limit of {self.size}."
            )
        return row + [NOTHING] * (self.size - len(row))

    def _written(self, value: Any) -> Iterator[int]:
        match value:
            case None:
                yield NONE
            case bool():
                yield YES if value else NO
            case int() if -MOST_WHOLE <= value < MOST_WHOLE:
                yield WHOLE + MOST_WHOLE + value
            case dict():
                yield OBJECT
                for name, part in value.items():
                    yield self._word(name)
                    yield from self._written(part)
                yield END
            case list() | tuple():
                yield LIST
                for part in value:
                    yield from self._written(part)
                yield END
            case _:
                yield self._word(str(value))

    def _word(self, text: str) -> int:
        known = self.numbers.get(text)
        return OTHER + crc32(text.encode()) % MOST_OTHERS if known is None else known
