"""A column of small print: headings, texts and rows, each below the previous one."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.print.forms import draw_heading
from cardhouse.print.pen import FAINT, INK, POINT, QUIET, Colour, Face, Pen
from cardhouse.print.text import LEADING, Paragraph, set_at

SMALL = 7.5
"""The type size of reference text, in points."""

LINE = SMALL * POINT * LEADING


class Column:
    """A column at `x`; the next item goes at `y`. `apart` is the gap before each heading."""

    def __init__(self, pen: Pen, x: float, y: float, width: float, *, apart: float = 1.5) -> None:
        self.pen, self.x, self.y, self.width, self.apart = pen, x, y, width, apart
        self.top = y

    def heading(self, text: str, note: str = "") -> None:
        """Add a heading, with an optional note at the right."""
        self.y += 3.6 + (self.apart if self.y > self.top else 0)
        draw_heading(self.pen, self.x, self.y, text)
        if note:
            self.pen.text(self.x + self.width, self.y, note, Face.SANS, SMALL, colour=QUIET, align="right")
        self.y += 1.4

    def paragraph(self, text: str, *, colour: Colour = INK) -> None:
        """Add a text over the whole width."""
        block = set_at(self.pen, [Paragraph(text, colour=colour)], SMALL, self.width)
        block.draw(self.pen, self.x, self.y)
        self.y += block.height + 0.5

    def points(self, texts: Sequence[str]) -> None:
        """Add texts one below the other, each with a box to tick."""
        for text in texts:
            self.pen.box(self.x, self.y + 0.75, 1.9, 1.9, line=QUIET, thick=0.15)
            block = set_at(self.pen, [Paragraph(text)], SMALL, self.width - 3.4)
            block.draw(self.pen, self.x + 3.4, self.y)
            self.y += block.height + 0.25

    def rule(self) -> None:
        """Add a faint line."""
        self.y += 0.4
        self.pen.line(self.x, self.y, self.x + self.width, self.y, width=0.15, colour=FAINT)
        self.y += 0.6

    def gap(self, height: float) -> None:
        """Add space."""
        self.y += height
