"""The layout of cards for cutting: nine to a page, edge to edge, crop marks in the margins, backs mirrored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardhouse.print.pen import QUIET, Face, Paper, Pen

WIDTH, HEIGHT = 63.0, 88.0
"""A poker card, in millimetres."""

COLUMNS, ROWS = 3, 3
PER_PAGE = COLUMNS * ROWS

BLEED = 3.0
"""The length by which a back extends over a free edge, in millimetres."""

MARK_OFF, MARK_LONG, MARK_THICK = 1.5, 4.0, 0.15
"""Crop marks, in millimetres: their distance from the cards, length and thickness."""


class Sides(NamedTuple):
    """A length for each side, in millimetres."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0


Front = Callable[[Pen], None]
"""Draws the front of a card; the pen's origin is the card's upper left corner."""

Back = Callable[[Pen, Sides], None]
"""Draws the back of a card, extended over its edges by this much."""


class Spot(NamedTuple):
    """A place on the page for a card, counted from 0."""

    column: int
    row: int

    def mirrored(self) -> Spot:
        """Return its place on the back of the page, which is turned over on its long edge."""
        return Spot(COLUMNS - 1 - self.column, self.row)

    def corner(self, paper: Paper) -> tuple[float, float]:
        """Return its upper left corner on the page."""
        left, top = corner(paper)
        return left + self.column * WIDTH, top + self.row * HEIGHT


def corner(paper: Paper) -> tuple[float, float]:
    """Return the upper left corner of all the cards; they are centred, so it is the same on the back."""
    return (paper.width - COLUMNS * WIDTH) / 2, (paper.height - ROWS * HEIGHT) / 2


def lay_out(pen: Pen, title: str, fronts: Sequence[Front], back: Back | None) -> None:
    """Draw pages of cards, each followed by the page of their backs, if they have one.

    The backs have no crop marks: a page is cut along those of its front, and a second set would be off by the printer's
    misalignment.
    """
    for start in range(0, len(fronts), PER_PAGE):
        page = fronts[start : start + PER_PAGE]
        spots = [Spot(number % COLUMNS, number // COLUMNS) for number in range(len(page))]
        pen.page()
        for spot, front in zip(spots, page, strict=True):
            with pen.within(*spot.corner(pen.paper)):
                front(pen)
        draw_marks(pen, spots)
        count = f"cards {start + 1} to {start + len(page)} of {len(fronts)}"
        _draw_foot(pen, f"{title}, {count}", on_both_sides=back is not None)
        if back is not None:
            pen.page()
            mirrored = [spot.mirrored() for spot in spots]
            for spot in mirrored:
                with pen.within(*spot.corner(pen.paper)):
                    back(pen, _bleed(spot, mirrored))


def _bleed(spot: Spot, others: Sequence[Spot]) -> Sides:
    """Return how far a back may extend: not over another one."""

    def over(column: int, row: int) -> float:
        return 0 if Spot(spot.column + column, spot.row + row) in others else BLEED

    return Sides(over(-1, 0), over(0, -1), over(1, 0), over(0, 1))


def draw_marks(pen: Pen, spots: Sequence[Spot]) -> None:
    """Draw crop marks in the margins, at every edge of a card: one cut separates the cards on both its sides."""
    left, top = corner(pen.paper)
    right, bottom = left + COLUMNS * WIDTH, top + ROWS * HEIGHT
    near, far = MARK_OFF, MARK_OFF + MARK_LONG
    for column in sorted({spot.column + side for spot in spots for side in (0, 1)}):
        x = left + column * WIDTH
        for y1, y2 in ((top - far, top - near), (bottom + near, bottom + far)):
            pen.line(x, y1, x, y2, width=MARK_THICK)
    for row in sorted({spot.row + side for spot in spots for side in (0, 1)}):
        y = top + row * HEIGHT
        for x1, x2 in ((left - far, left - near), (right + near, right + far)):
            pen.line(x1, y, x2, y, width=MARK_THICK)


def _draw_foot(pen: Pen, title: str, *, on_both_sides: bool) -> None:
    """Draw the page's title, printing instructions, and a line to check the scale, between the crop marks."""
    left, top = corner(pen.paper)
    y = top + ROWS * HEIGHT + 3.6
    how = "Print at 100%, two-sided, flipped on the long edge." if on_both_sides else "Print at 100%."
    pen.text(left + 3, y, title, Face.SANS, 6.5, colour=QUIET)
    pen.text(left + WIDTH * 1.5, y, how, Face.SANS, 6.5, colour=QUIET, align="centre")
    x = left + COLUMNS * WIDTH - 3
    label = "50 mm"
    pen.text(x, y, label, Face.SANS, 6.5, colour=QUIET, align="right")
    end = x - pen.width(label, Face.SANS, 6.5) - 0.8
    pen.line(end - 50, y - 0.8, end, y - 0.8, width=0.15, colour=QUIET)
    for tick in (end - 50, end):
        pen.line(tick, y - 1.6, tick, y, width=0.15, colour=QUIET)
