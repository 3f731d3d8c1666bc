"""Cards on the cells of a grid: x grows to the right, y upward."""

from collections.abc import Iterable, Iterator

import msgspec

from cardhouse.cards.card import Card

Cell = tuple[int, int]
"""A cell of the grid, x and y."""


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card on a cell."""

    card: Card
    x: int
    y: int

    @property
    def cell(self) -> Cell:
        """Its cell."""
        return self.x, self.y


def around(cell: Cell) -> Iterator[Cell]:
    """Yield the four cells that touch this one: right, left, above, below."""
    x, y = cell
    yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


def touches(cell: Cell, cells: Iterable[Cell]) -> bool:
    """Return whether a cell touches one of these, left, right, above or below."""
    return any(beside in cells for beside in around(cell))
