"""What a seat sees as a fixed row of numbers: named pieces, each of a shape and with the most a number in it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple


class NumberBlock(NamedTuple):
    """Some of the numbers: whole ones from 0 to `most`, in this shape, the last axis running fastest."""

    name: str
    shape: tuple[int, ...]
    most: int = 1

    @property
    def size(self) -> int:
        """How many numbers it is."""
        return prod(self.shape)


class Layout:
    """Where in the row each piece stands, one after the other."""

    def __init__(self, *pieces: NumberBlock) -> None:
        self.pieces = {piece.name: piece for piece in pieces}
        self.starts: dict[str, int] = {}
        self.size = 0
        for piece in pieces:
            self.starts[piece.name] = self.size
            self.size += piece.size

    def most(self) -> list[int]:
        """The most that each number of the row can be."""
        return [piece.most for piece in self.pieces.values() for _ in range(piece.size)]

    def slices(self) -> Iterator[tuple[NumberBlock, slice]]:
        """Each piece with its place in the row."""
        for name, piece in self.pieces.items():
            yield piece, slice(self.starts[name], self.starts[name] + piece.size)


class Numbers:
    """A row being written, 0 where nothing has been."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.row = [0] * layout.size

    def put(self, name: str, value: int, *place: int) -> None:
        """Write a number at this place of a piece, its first if none is given; one too large counts as the most."""
        piece = self.layout.pieces[name]
        offset = 0
        for length, index in zip(piece.shape, place, strict=False):
            offset = offset * length + index
        self.row[self.layout.starts[name] + offset] = min(int(value), piece.most)

    def mark(self, name: str, indices: Iterable[int]) -> None:
        """Write a 1 at each of these places of a piece that is a list."""
        for index in indices:
            self.put(name, 1, index)
