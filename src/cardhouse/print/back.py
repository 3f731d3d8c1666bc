"""The back of a card: a game's own, as on the page; its pattern runs over the edge, and it is the same upside down."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fpdf.drawing_primitives import DeviceRGB

from cardhouse.print.pages import HEIGHT, WIDTH, Back, Sides
from cardhouse.print.pen import Colour, Pen
from cardhouse.print.suits import circle

ACROSS, DOWN, TILE = 8, 11, 12
"""Tiles of the pattern along the sides of a card, and the side of a tile in the drawing.

They are whole numbers, so that neighbours join and a cut beside the line doesn't show.
"""
RADIUS = 16.0
EMBLEM, APART = 11.5, 6.6
"""The height of the emblem, and the distance of its middle from the middle of the card."""
_CIRCLE = re.compile(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"')


def back_of(package: str) -> Back:
    """Return what draws the back of a game's cards: its drawing is `page/world/back.svg` of this package."""
    svg = (files(package) / "page" / "world" / "back.svg").read_text("utf-8")
    before, _, after = svg.partition("<pattern")
    tile, _, front = after.partition(">")[2].partition("</pattern>")
    ground, line = before.rpartition('fill="')[2].partition('"')[0], front.partition('stroke="')[2].partition('"')[0]
    emblem = f"<g {front.partition('<circle')[2].partition('><g ')[2]}".partition("</svg>")[0]
    emblem = emblem.replace("currentColor", "#f8f2e5")

    def draw(pen: Pen, over: Sides) -> None:
        width, height = over.left + WIDTH + over.right, over.top + HEIGHT + over.bottom
        scale = WIDTH / ACROSS / TILE
        with pen.clipped(-over.left, -over.top, width, height):
            pen.box(-over.left, -over.top, width, height, fill=_colour(ground))
            if _CIRCLE.search(tile):
                pen.shape(_tiles(tile), 0, 0, scale, fill=_colour(line))
            else:
                pen.shape(_tiles(tile), 0, 0, scale, line=_colour(line), thick=0.7)
        middle = circle(WIDTH / 2, HEIGHT / 2, RADIUS)
        pen.shape(middle, 0, 0, 1, fill=_colour(ground), line=_colour(line), thick=0.6)
        for degrees in (0, 180):
            with pen.turned(WIDTH / 2, HEIGHT / 2, degrees):
                _draw_emblem(pen, emblem)

    return draw


def _draw_emblem(pen: Pen, emblem: str) -> None:
    """Draw the emblem, which has 32 by 32 around (50, 70) in its drawing, above the middle of the card."""
    scale = EMBLEM / 32
    pen.drawing(emblem, WIDTH / 2 - 50 * scale, HEIGHT / 2 - APART - 70 * scale, scale)


@cache
def _tiles(tile: str) -> str:
    """Return a path of the tiles of a card and of one more on each side; every other one is upside down."""
    drawn = re.findall(r' d="([^"]+)"', tile)
    drawn += [circle(float(x), float(y), float(radius)) for x, y, radius in _CIRCLE.findall(tile)]
    high = HEIGHT / DOWN / (WIDTH / ACROSS) * TILE
    pen = SVGPathPen(None, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
    for row in range(-1, DOWN + 1):
        for column in range(-1, ACROSS + 1):
            x, y = column * TILE, row * high
            here = (-1, 0, 0, -1, x + TILE, y + TILE) if (row + column) % 2 else (1, 0, 0, 1, x, y)
            for path in drawn:
                parse_path(path, TransformPen(pen, here))
    return str(pen.getCommands())


def _colour(text: str) -> Colour:
    return DeviceRGB(*(part / 255 for part in bytes.fromhex(text[1:])))
