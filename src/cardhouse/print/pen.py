"""A pen that draws on the pages of a PDF: all places and lengths in millimetres, all type sizes in points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from importlib.resources import as_file, files
from typing import Literal, NamedTuple, Self

from fpdf import FPDF
from fpdf.drawing import GraphicsContext, PaintedPath
from fpdf.drawing_primitives import DeviceGray, DeviceRGB, Transform
from fpdf.enums import MethodReturnValue, PathPaintRule, StrokeCapStyle, StrokeJoinStyle
from fpdf.fonts import TTFFont
from fpdf.prefs import ViewerPreferences
from fpdf.svg import SVGObject, svg_path_converter

POINT = 25.4 / 72
"""Millimetres in a point."""

Align = Literal["left", "centre", "right"]
Colour = DeviceGray | DeviceRGB


class Paper(NamedTuple):
    """A sheet of paper in portrait format, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def on_its_side(self) -> Paper:
        """The same in landscape format."""
        return Paper(self.name, self.height, self.width)


PAPERS = {"a4": Paper("a4", 210, 297), "letter": Paper("letter", 215.9, 279.4)}

CREDITS = (
    "Some drawings are adapted from icons made by DarkZaitzev, Delapouite, Lorc, Sbed, Skoll, Willdabeast "
    "(game-icons.net, CC BY 3.0)."
)
"""The credits for drawings by others: cardhouse/drawings/CREDITS.md has all of them."""

INK = DeviceGray(0)
"""Pure black, so that small type is sharp."""
QUIET = DeviceGray(0.36)
FAINT = DeviceGray(0.72)
WHITE = DeviceGray(1)
RED = DeviceRGB(0.702, 0.145, 0.114)


class Face(Enum):
    """The typefaces: the serif for indices and numbers, the sans for running text."""

    SANS = "SourceSansPro-Regular"
    SANS_BOLD = "SourceSansPro-Bold"
    SERIF = "SourceSerifPro-Regular"
    SERIF_BOLD = "SourceSerifPro-Bold"


READ = (Face.SANS, Face.SANS_BOLD)
"""The typefaces for users' texts."""


class Pen:
    """A document being drawn, one page after another.

    Coordinates inside `within` are relative to that place; drawings inside `turned` are rotated around a point. Equal
    strokes make equal bytes. Use it in a `with` block, because it holds files open.
    """

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper = paper
        self._x = self._y = 0.0
        self._pdf = pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_title(title)
        pdf.set_lang("en")
        pdf.set_creator("Cardhouse")
        pdf.set_subject(CREDITS)
        # A fixed date: the time of printing is private, and equal cards make equal bytes on any day.
        pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
        # A print dialogue would shrink the pages to its margins, and the cards would be too small.
        pdf.viewer_preferences = ViewerPreferences(
            display_doc_title=True, print_scaling="None", duplex="DuplexFlipLongEdge"
        )
        for face in Face:
            _add_font(pdf, face)
        # A deck repeats its drawings, and reading one takes longer than drawing it.
        self._outline = cache(self._read_path)
        self._inner = cache(self._read_svg)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        _close(self._pdf)

    def page(self) -> None:
        """Begin a new page."""
        self._pdf.add_page()

    def finish(self) -> bytes:
        """Return the whole document."""
        return bytes(self._pdf.output())

    @contextmanager
    def within(self, x: float, y: float) -> Iterator[None]:
        """Move the origin to this place."""
        before = self._x, self._y
        self._x, self._y = self._x + x, self._y + y
        yield
        self._x, self._y = before

    @contextmanager
    def turned(self, x: float, y: float, degrees: float = 180) -> Iterator[None]:
        """Rotate drawings around a point, anticlockwise; by default upside down."""
        with self._pdf.local_context(), self._pdf.rotation(degrees, self._x + x, self._y + y):
            yield

    @contextmanager
    def clipped(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draw only inside this box."""
        with self._pdf.local_context(), self._pdf.rect_clip(self._x + x, self._y + y, width, height):
            yield

    # Type.

    def width(self, text: str, face: Face, size: float, *, squeeze: float = 1) -> float:
        """Return the width of a line of text."""
        self._use(face, size)
        return float(self._pdf.get_string_width(text)) * squeeze

    def lines(self, text: str, face: Face, size: float, width: float) -> list[str]:
        """Break a text into lines of at most this width; a longer word is split."""
        self._use(face, size)
        found = self._pdf.multi_cell(width, text=text, align="L", dry_run=True, output=MethodReturnValue.LINES)
        assert isinstance(found, list)
        return found

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
        """Write a line with its baseline at `y`; `squeeze` scales its width."""
        if align != "left":
            x -= self.width(text, face, size, squeeze=squeeze) / (2 if align == "centre" else 1)
        self._use(face, size)
        self._pdf.set_text_color(colour)
        self._pdf.set_stretching(squeeze * 100)
        self._pdf.text(self._x + x, self._y + y, text)
        self._pdf.set_stretching(100)

    def _use(self, face: Face, size: float) -> None:
        self._pdf.set_font(face.name, size=size)

    # Lines and shapes.

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, width: float = 0.2, colour: Colour = INK, dash: float = 0
    ) -> None:
        """Draw a straight line, dashed if `dash` isn't 0."""
        self._stroke(width, colour, dash)
        self._pdf.line(self._x + x1, self._y + y1, self._x + x2, self._y + y2)

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
        """Draw a rectangle, filled, outlined or both."""
        if line is not None:
            self._stroke(thick, line, dash)
        if fill is not None:
            self._pdf.set_fill_color(fill)
        style = ("F" if fill is not None else "") + ("D" if line is not None else "")
        self._pdf.rect(
            self._x + x, self._y + y, width, height, style=style, round_corners=round_ > 0, corner_radius=round_
        )

    def _stroke(self, width: float, colour: Colour, dash: float) -> None:
        self._pdf.set_line_width(width)
        self._pdf.set_draw_color(colour)
        self._pdf.set_dash_pattern(dash, dash)

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
        """Draw an SVG path with its origin at this place, filled, outlined or both; `thick` is in the path's units."""
        drawn = self._place(self._outline(path), x, y, scale)
        drawn.style.fill_color = fill
        drawn.style.stroke_color = line
        drawn.style.stroke_width = thick
        drawn.style.stroke_join_style = StrokeJoinStyle.ROUND
        drawn.style.stroke_cap_style = StrokeCapStyle.ROUND
        drawn.style.paint_rule = _paint(fill is not None, line is not None)
        self._pdf.draw_path(drawn, copy=False)

    def drawing(self, inner: str, x: float, y: float, scale: float) -> None:
        """Draw the inner part of an SVG with its origin at this place, in its own colours."""
        self._pdf.draw_path(self._place(self._inner(inner), x, y, scale), copy=False)

    def _place(self, drawn: PaintedPath | GraphicsContext, x: float, y: float, scale: float) -> GraphicsContext:
        """Return a group with this drawing at this place."""
        placed = GraphicsContext()
        placed.transform = Transform.scaling(scale, scale).translate(self._x + x, self._y + y)
        placed.add_item(drawn, clone=False)
        return placed

    def _read_path(self, path: str) -> PaintedPath:
        drawn = PaintedPath()
        svg_path_converter(drawn, path)
        drawn.style.auto_close = False
        return drawn

    def _read_svg(self, inner: str) -> GraphicsContext:
        return SVGObject(f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>').base_group


def _paint(fill: bool, line: bool) -> PathPaintRule:
    if fill and line:
        return PathPaintRule.STROKE_FILL_NONZERO
    return PathPaintRule.FILL_NONZERO if fill else PathPaintRule.STROKE


def _add_font(pdf: FPDF, face: Face) -> None:
    with as_file(files("cardhouse") / "faces" / f"{face.value}.ttf") as file:
        pdf.add_font(face.name, "", file)


@cache
def letters() -> frozenset[int]:
    """Return the code points that a text may have: those in all typefaces for running text."""
    pdf = FPDF()
    for face in READ:
        _add_font(pdf, face)
    found = [frozenset(font.cmap) for font in _fonts(pdf)]
    _close(pdf)
    return frozenset.intersection(*found)


def _close(pdf: FPDF) -> None:
    for font in _fonts(pdf):
        font.close()


def _fonts(pdf: FPDF) -> list[TTFFont]:
    return [font for font in pdf.fonts.values() if isinstance(font, TTFFont)]
