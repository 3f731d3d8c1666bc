"""Our own drawings: the suits, courts and jokers, a star, a drop of blood; the same as on the page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from cardhouse.cards import Card, is_joker, rank_of, suit_of
from cardhouse.print.drawings import symbols
from cardhouse.print.pen import INK, RED, Colour, Pen

COURT = "translate(10 12.5) scale(.92)"
"""The place of a court's figure on a card of 100 by 140, as on the page."""


@cache
def shapes() -> dict[str, str]:
    """Return SVG paths in a box of 100 by 100 each: the suits by their letters, `star`, `drop` and others."""
    file = files("cardhouse") / "drawings" / "suits.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str])


def colour_of(card: Card) -> Colour:
    """Return red for hearts, diamonds and the red joker, otherwise black."""
    return RED if suit_of(card) in "HDR" else INK


def draw_suit(pen: Pen, suit: str, x: float, y: float, size: float, colour: Colour) -> None:
    """Draw a suit in a box of this size."""
    pen.shape(shapes()[suit], x, y, size / 100, fill=colour)


def draw_star(pen: Pen, x: float, y: float, size: float, colour: Colour, *, filled: bool) -> None:
    """Draw a joker's star, in outline for the red one."""
    pen.shape(shapes()["star"], x, y, size / 100, fill=colour if filled else None, line=colour, thick=9)


def picture_on(card: Card) -> str:
    """Return the figure of a court or joker, as the SVG inside a card of 100 by 140; "" for any other card."""
    if is_joker(card):
        return symbols("courts")[card[:2]]
    if rank_of(card) not in "JQK":
        return ""
    suit = "#b3251d" if suit_of(card) in "HD" else "#000"
    return f'<g transform="{COURT}">{symbols("courts")[card[:2]].replace("var(--suit)", suit)}</g>'


def draw_figure(pen: Pen, card: Card, x: float, y: float, height: float) -> None:
    """Draw the figure of a court or joker centred on `x`, clipped to `height`."""
    scale = height / 124
    with pen.clipped(x - 52 * scale, y, 104 * scale, height):
        pen.drawing(picture_on(card), x - (50 if is_joker(card) else 65) * scale, y - 16 * scale, scale)


def draw_drop(pen: Pen, x: float, y: float, size: float, *, filled: bool) -> None:
    """Draw a drop of blood, or an empty place for one."""
    pen.shape(shapes()["drop"], x, y, size / 100, fill=RED if filled else None, line=RED, thick=0 if filled else 5)


def circle(x: float, y: float, radius: float) -> str:
    """Return a circle as a path."""
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"
