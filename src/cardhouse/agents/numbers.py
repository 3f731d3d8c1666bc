"""A seat's view as a fixed row of numbers: named blocks, each with a shape and a largest value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple


class NumberBlock(NamedTuple):
    """A block of integers from 0 to `most`, in this shape, the last axis running fastest."""

    name: str
    shape: tuple[int, ...]
    most: int = 1

    @property
    def size(self) -> int:
        """The number of its numbers."""
        return prod(self.shape)


class Layout:
    """The place of each block in the row, one after another."""

    def __init__(self, *pieces: NumberBlock) -> None:
        self.pieces = {piece.name: piece for piece in pieces}
        self.starts: dict[str, int] = {}
        self.size = 0
        for piece in pieces:
            self.starts[piece.name] = self.size
            self.size += piece.size

    def most(self) -> list[int]:
        """Return the largest value of each number in the row."""
        return [piece.most for piece in self.pieces.values() for _ in range(piece.size)]

    def slices(self) -> Iterator[tuple[NumberBlock, slice]]:
        """Yield each block with its slice of the row."""
        for name, piece in self.pieces.items():
            yield piece, slice(self.starts[name], self.starts[name] + piece.size)


class Numbers:
    """A row being written; numbers are 0 by default."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.row = [0] * layout.size

    def put(self, name: str, value: int, *place: int) -> None:
        """Write a number at this index of a block, by default the first; larger numbers are clipped to `most`."""
        piece = self.layout.pieces[name]
        offset = 0
        for length, index in zip(piece.shape, place, strict=False):
            offset = offset * length + index
        self.row[self.layout.starts[name] + offset] = min(int(value), piece.most)

    def mark(self, name: str, indices: Iterable[int]) -> None:
        """Write a 1 at each of these indices of a one-dimensional block."""
        for index in indices:
            self.put(name, 1, index)
