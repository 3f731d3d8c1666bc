"""A pen that draws a card as SVG, for a screen: the same strokes and letters as in print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fpdf.drawing_primitives import DeviceGray
from fpdf.fonts import TTFFont

from cardhouse.print.pages import HEIGHT, WIDTH, Front
from cardhouse.print.pen import INK, POINT, Align, Colour, Face, Paper, Pen


def card_svg(front: Front) -> str:
    """Return the front of a card as an SVG on white.

    Raises CardhouseError if the card can't be printed.
    """
    with SvgPen(Paper("card", WIDTH, HEIGHT), "card") as pen:
        pen.page()
        front(pen)
        return pen.svg()


def page_svg(paper: Paper, draw: Callable[[Pen], None]) -> str:
    """Return the first page of a drawing as an SVG.

    Raises CardhouseError if it can't be printed.
    """
    with SvgPen(paper, "page") as pen:
        draw(pen)
        return pen.svg()


class SvgPen(Pen):
    """A pen whose first page becomes an SVG; type is measured as in print, and each letter drawn as a shape."""

    def __init__(self, paper: Paper, title: str) -> None:
        super().__init__(paper, title)
        self._parts: list[str] = []
        self._letters: dict[tuple[str, str], tuple[str, str]] = {}
        """Each letter's shape id and path, by typeface and name; a blank has no path."""
        self._clips = 0
        self._first: list[str] | None = None

    def page(self) -> None:
        super().page()
        self._parts = []
        if self._first is None:
            self._first = self._parts

    def svg(self) -> str:
        """Return the SVG of the first page."""
        width, height = self.paper.width, self.paper.height
        letters = "".join(f'<path id="{name}" d="{path}"/>' for name, path in self._letters.values() if path)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}">'
            f"<defs>{letters}</defs>"
            f'<rect width="{_n(width)}" height="{_n(height)}" fill="#fff"/>{"".join(self._first or [])}</svg>'
        )

    @contextmanager
    def turned(self, x: float, y: float, degrees: float = 180) -> Iterator[None]:
        self._parts.append(f'<g transform="rotate({_n(-degrees)} {_n(self._x + x)} {_n(self._y + y)})">')
        yield
        self._parts.append("</g>")

    @contextmanager
    def clipped(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        self._clips += 1
        rect = _rect(self._x + x, self._y + y, width, height)
        self._parts.append(
            f'<clipPath id="c{self._clips}"><rect {rect}/></clipPath><g clip-path="url(#c{self._clips})">'
        )
        yield
        self._parts.append("</g>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        face: Face,
        size: float,
        *,
        colour: Colour = INK,
        align: Align = "left",
        squeeze: float = 1,
    ) -> None:
        if align != "left":
            x -= self.width(text, face, size, squeeze=squeeze) / (2 if align == "centre" else 1)
        self._use(face, size)
        font: Any = self._pdf.current_font
        assert isinstance(font, TTFFont)
        scale = size * POINT / float(font.ttfont["head"].unitsPerEm)
        across, drawn = 0.0, []
        glyphs, names = font.ttfont.getGlyphSet(), font.ttfont.getBestCmap()
        for letter in text:
            name = names.get(ord(letter), ".notdef")
            if path := self._letter(face, name, glyphs):
                drawn.append(f'<use href="#{path}" x="{_n(across)}"/>')
            across += glyphs[name].width
        place = f"translate({_n(self._x + x)} {_n(self._y + y)}) scale({scale * squeeze:.6f} {-scale:.6f})"
        self._parts.append(f'<g fill="{_hex(colour)}" transform="{place}">{"".join(drawn)}</g>')

    def _letter(self, face: Face, name: str, glyphs: Any) -> str:
        """Return the id of a letter's shape; "" for a blank, which has none."""
        if (face.name, name) not in self._letters:
            pen = SVGPathPen(glyphs, ntos=_n)
            glyphs[name].draw(pen)
            self._letters[face.name, name] = f"{face.name}.{name}", pen.getCommands()
        called, path = self._letters[face.name, name]
        return called if path else ""

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, width: float = 0.2, colour: Colour = INK, dash: float = 0
    ) -> None:
        ends = zip(("x1", "y1", "x2", "y2"), (self._x + x1, self._y + y1, self._x + x2, self._y + y2), strict=True)
        placed = " ".join(f'{name}="{_n(value)}"' for name, value in ends)
        self._parts.append(f"<line {placed} {_stroke(colour, width, dash)}/>")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: Colour | None = None,
        line: Colour | None = None,
        thick: float = 0.2,
        round_: float = 0,
        dash: float = 0,
    ) -> None:
        stroke = "" if line is None else _stroke(line, thick, dash)
        corner = f' rx="{_n(round_)}"' if round_ else ""
        rect = _rect(self._x + x, self._y + y, width, height)
        self._parts.append(f'<rect {rect}{corner} fill="{_hex(fill)}" {stroke}/>')

    def shape(
        self,
        path: str,
        x: float,
        y: float,
        scale: float,
        *,
        fill: Colour | None = None,
        line: Colour | None = None,
        thick: float = 0,
    ) -> None:
        stroke = "" if line is None else f'{_stroke(line, thick, 0)} stroke-linejoin="round" stroke-linecap="round"'
        place = f"translate({_n(self._x + x)} {_n(self._y + y)}) scale({_n(scale)})"
        self._parts.append(f'<path d="{path}" transform="{place}" fill="{_hex(fill)}" {stroke}/>')

    def drawing(self, inner: str, x: float, y: float, scale: float) -> None:
        place = f"translate({_n(self._x + x)} {_n(self._y + y)}) scale({scale:.5f})"
        self._parts.append(f'<g transform="{place}">{inner}</g>')


def _rect(x: float, y: float, width: float, height: float) -> str:
    return f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'


def _stroke(colour: Colour, width: float, dash: float) -> str:
    dashes = f' stroke-dasharray="{_n(dash)}"' if dash else ""
    return f'stroke="{_hex(colour)}" stroke-width="{_n(width)}"{dashes}'


def _hex(colour: Colour | None) -> str:
    if colour is None:
        return "none"
    parts = (colour.g,) * 3 if isinstance(colour, DeviceGray) else (colour.r, colour.g, colour.b)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _n(number: float) -> str:
    """Return a number, rounded to what the eye can see."""
    return f"{number:.3f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))
