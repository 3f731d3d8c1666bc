"""Reading a PDF as a person would who holds the page: places in millimetres from the upper left corner."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator
from ctypes import c_int, c_uint
from functools import cached_property
from typing import Any, NamedTuple

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]
from PIL.Image import Image

POINT = 25.4 / 72


class Box(NamedTuple):
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Line(NamedTuple):
    """A piece of text as it was set: what it says, where its ink is, its size in points, its font."""

    text: str
    box: Box
    size: float
    font: str
    embedded: bool


class Path(NamedTuple):
    """Something drawn: where it is, and the colour it is filled with, if it is."""

    box: Box
    fill: tuple[int, int, int] | None


class Page:
    """A page of a PDF."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._text = page.get_textpage()
        width, self._height = page.get_size()
        self.size = width * POINT, self._height * POINT

    @cached_property
    def lines(self) -> list[Line]:
        found = []
        for item in self._page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], textpage=self._text):
            font = item.get_font()
            name, embedded = font.get_base_name(), bool(font.is_embedded)
            found.append(Line(item.extract().strip(), self._box(item), item.get_font_size(), name, embedded))
        return found

    @cached_property
    def paths(self) -> list[Path]:
        return [
            Path(self._box(item), _fill(item)) for item in self._page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH])
        ]

    def text(self, box: Box | None = None) -> str:
        """All that stands in a box, in one line; the whole page's without one."""
        if box is None:
            said = self._text.get_text_range()
        else:
            said = self._text.get_text_bounded(
                box.left / POINT, self._height - box.bottom / POINT, box.right / POINT, self._height - box.top / POINT
            )
        return " ".join(re.split(r"\s+", said.strip()))

    def picture(self, per_mm: int) -> Image:
        """The page as it looks, so many pixels to a millimetre."""
        image: Image = self._page.render(scale=per_mm * POINT).to_pil().convert("RGB")
        return image

    def _box(self, item: Any) -> Box:
        left, bottom, right, top = item.get_bounds()
        return Box(left * POINT, (self._height - top) * POINT, right * POINT, (self._height - bottom) * POINT)


def read(data: bytes) -> list[Page]:
    """The pages of a PDF, which stays open until the tests are over."""
    document = pypdfium2.PdfDocument(data)
    atexit.register(document.close)
    return [Page(page) for page in document]


def cells(page: Page) -> Iterator[Box]:
    """Where the nine cards of a page lie, row by row."""
    width, height = page.size
    left, top = (width - 3 * 63) / 2, (height - 3 * 88) / 2
    for row in range(3):
        for column in range(3):
            x, y = left + 63 * column, top + 88 * row
            yield Box(x, y, x + 63, y + 88)


def _fill(item: Any) -> tuple[int, int, int] | None:
    mode, stroked = c_int(), c_int()
    pdfium.FPDFPath_GetDrawMode(item.raw, mode, stroked)
    if not mode.value:
        return None
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    pdfium.FPDFPageObj_GetFillColor(item.raw, red, green, blue, alpha)
    return red.value, green.value, blue.value
