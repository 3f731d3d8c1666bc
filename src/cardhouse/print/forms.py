"""Elements of sheets for all games: lines to write on, headings, a card named in a line."""

from __future__ import annotations

from cardhouse.cards import Card, rank_of, suit_of
from cardhouse.print.pen import QUIET, Face, Pen
from cardhouse.print.suits import colour_of, draw_suit

LABEL, HEADING = 7.5, 10.0
"""Type sizes in points: of the label below a line, and of a section's heading."""


def draw_field(pen: Pen, x: float, y: float, width: float, label: str) -> None:
    """Draw a line to write on, with a label below it."""
    pen.line(x, y, x + width, y, width=0.25)
    pen.text(x, y + 3.4, label, Face.SANS, LABEL, colour=QUIET)


def draw_heading(pen: Pen, x: float, y: float, text: str) -> None:
    """Draw a heading with its baseline at `y`."""
    pen.text(x, y, text, Face.SANS_BOLD, HEADING)


def draw_index(pen: Pen, x: float, y: float, card: Card, *, close: bool = False) -> None:
    """Draw a card's rank and suit, with the baseline at `y`: close together, or at a fixed distance for columns."""
    colour, rank = colour_of(card), rank_of(card)
    pen.text(x, y, rank, Face.SERIF_BOLD, 11, colour=colour)
    apart = pen.width(rank, Face.SERIF_BOLD, 11) + 0.7 if close else 6
    draw_suit(pen, suit_of(card), x + apart, y - 2.7, 3.2, colour)
