"""What is drawn in our own hand: the suits, a joker's cap, a drop of blood, a stitch.

The suits and the jester are those of the page, `web/src/parts/suits.ts`, each in a box of 100 by 100 if nothing else is
said.
"""

from __future__ import annotations

from cardhouse.cards import Card, suit_of
from cardhouse.print.pen import INK, RED, WHITE, Colour, Pen

SUIT_PATHS = {
    "H": "M50 91C24 68 7 51 7 32 7 18 17 9 29 9c10 0 17 6 21 16C54 15 61 9 71 9c12 0 22 9 22 23 0 19-17 36-43 59Z",
    "D": "M50 4c9 18 21 32 35 46-14 14-26 28-35 46C41 78 29 64 15 50 29 36 41 22 50 4Z",
    "S": (
        "M50 5C43 25 9 41 9 63c0 12 9 20 20 20 7 0 13-3 17-9-1 10-5 16-13 21h34c-8-5-12-11-13-21 4 6 10 9 17 9 11 0"
        " 20-8 20-20C91 41 57 25 50 5Z"
    ),
    "C": (
        "M50 6c-12 0-21 9-21 21 0 6 3 12 7 16-3-2-6-3-10-3C14 40 5 49 5 61s9 21 21 21c9 0 17-5 20-13 0 11-4 19-12"
        " 26h32c-8-7-12-15-12-26 3 8 11 13 20 13 12 0 21-9 21-21s-9-21-21-21c-4 0-7 1-10 3 4-4 7-10 7-16"
        " 0-12-9-21-21-21Z"
    ),
}

STAR = "M50 6 61 38h34L68 58l10 33-28-20-28 20 10-33L5 38h34Z"
"""For the jokers' corner."""

CAP = "M30 108C31 88 27 71 13 75c5-16 24-19 33-2 0-14 4-24 11-32 7 8 11 18 11 32 9-17 28-14 33 2-14-4-18 13-17 33Z"
BAND = "M29 116h56"
BELLS = ((12, 81), (57, 35), (102, 81))
"""A jester's cap with three bells, in a card's box of 100 by 140."""

DROP = "M50 3C57 23 83 43 83 66A33 33 0 0 1 17 66C17 43 43 23 50 3Z"


def colour_of(card: Card) -> Colour:
    """Red for hearts, diamonds and the red joker, else black."""
    return RED if suit_of(card) in "HDR" else INK


def draw_suit(pen: Pen, suit: str, x: float, y: float, size: float, colour: Colour) -> None:
    """A suit in a box of this size."""
    pen.shape(SUIT_PATHS[suit], x, y, size / 100, fill=colour)


def draw_star(pen: Pen, x: float, y: float, size: float, colour: Colour, *, filled: bool) -> None:
    """The star of a joker, in outline for the red one."""
    pen.shape(STAR, x, y, size / 100, fill=colour if filled else None, line=colour, thick=9)


def draw_jester(pen: Pen, x: float, y: float, height: float, colour: Colour, *, filled: bool) -> None:
    """A jester's cap, about as wide as it is high, around the middle `x`."""
    scale = height / 92
    with pen.within(x - 57 * scale, y - 28 * scale):
        pen.shape(CAP, 0, 0, scale, fill=colour if filled else None, line=colour, thick=3.4)
        pen.shape(BAND, 0, 0, scale, line=colour, thick=3.4)
        for across, down in BELLS:
            pen.shape(circle(across, down, 5), 0, 0, scale, fill=colour, line=WHITE if filled else colour, thick=1)


def draw_drop(pen: Pen, x: float, y: float, size: float, *, filled: bool) -> None:
    """A drop of blood, or the place for one."""
    pen.shape(DROP, x, y, size / 100, fill=RED if filled else None, line=RED, thick=0 if filled else 5)


def circle(x: float, y: float, radius: float) -> str:
    """A circle as a path."""
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"
