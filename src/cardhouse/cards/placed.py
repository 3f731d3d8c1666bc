"""Cards on the cells of a grid: x grows to the right, y upward."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from cardhouse.cards.card import Card

Cell = tuple[int, int]
"""A cell of the grid, x and y."""
Coordinate = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""Whatever JavaScript represents exactly; a game's grid is smaller."""


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card on a cell."""

    card: Card
    x: Coordinate
    y: Coordinate

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
