"""The back of a card: a lattice that continues over the edge, and a house of cards in the middle."""

from __future__ import annotations

from fpdf.drawing_primitives import DeviceRGB

from cardhouse.print.pages import HEIGHT, WIDTH, Sides
from cardhouse.print.pen import WHITE, Pen
from cardhouse.print.suits import circle

GROUND = DeviceRGB(0.122, 0.290, 0.235)
LINE = DeviceRGB(0.353, 0.565, 0.482)

ACROSS, DOWN = WIDTH / 12, HEIGHT / 17
"""The size of a mesh. A card is a whole number of meshes, so that neighbours join and an inexact cut doesn't show."""

HOUSE = "M-26 0-13-22 0 0 13-22 26 0M-17-23.5H17M-13-25 0-47 13-25"
"""A house of cards on a table, with its origin in the middle of the table."""
MIRRORED = "M-26 0-13 22 0 0 13 22 26 0M-17 23.5H17M-13 25 0 47 13 25"
"""Its reflection in the table, so that the card looks the same upside down."""


def draw_back(pen: Pen, over: Sides) -> None:
    """Draw a card's back, extended over its edges by this much."""
    width, height = over.left + WIDTH + over.right, over.top + HEIGHT + over.bottom
    with pen.clipped(-over.left, -over.top, width, height):
        pen.box(-over.left, -over.top, width, height, fill=GROUND)
        pen.shape(_lattice(), 0, 0, 1, line=LINE, thick=0.3)
    middle = WIDTH / 2, HEIGHT / 2
    pen.shape(circle(*middle, 17.8), 0, 0, 1, fill=GROUND, line=LINE, thick=0.45)
    pen.shape(circle(*middle, 16.6), 0, 0, 1, line=LINE, thick=0.2)
    for house in (HOUSE, MIRRORED):
        pen.shape(house, *middle, 0.31, line=WHITE, thick=3)
    pen.shape("M-36 0H36", *middle, 0.31, line=WHITE, thick=1.4)


def _lattice() -> str:
    """Return lines that fall and rise through the corners of the meshes, over the card and its bleed."""
    rows = range(-18, 37)
    # Each line crosses sixteen meshes: the card's twelve and two on either side.
    x1, x2, drop = -2 * ACROSS, 14 * ACROSS, 16 * DOWN
    falling = (f"M{x1} {row * DOWN}L{x2} {row * DOWN + drop}" for row in rows)
    rising = (f"M{x1} {row * DOWN}L{x2} {row * DOWN - drop}" for row in rows)
    return "".join((*falling, *rising))
