"""Type for printing: which letters are available, and how small a text may become."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from cardhouse.engine.values.missing import MARK, note
from cardhouse.print.pen import INK, POINT, Align, Colour, Face, Pen, letters

SMALLEST = 6.5
"""The smallest type, in points, that is readable on a card by lamplight."""

LEADING = 1.27
"""The distance between baselines, as a multiple of the type size."""

# Invisible characters that only allow or forbid a break in a word.
_NOTHING = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
_LIKE = {0x2010: "-", 0x2011: "-"}


# Symbols and dingbats, their joiners and variation selectors, and the planes of emoji.
_PICTURES = (range(0x2600, 0x27C0), range(0x200D, 0x200E), range(0xFE00, 0xFE10), range(0x1F000, 0x1FB00))


def printable(text: str, where: str) -> str:
    """Return a text as it can be printed: letters composed with their accents, blanks plain.

    A mark replaces a letter that the typefaces lack or that belongs to a right-to-left script; `missing_letters`
    reports it in a sentence that begins with `where`.
    """
    return "".join(_set(letter, where) for letter in _composed(text))


def _set(letter: str, where: str) -> str:
    """Return what to print for a letter: itself, a mark, or nothing for an invisible character."""
    problem = _unprintable(letter)
    if problem is None:
        return letter
    category = unicodedata.category(letter)
    if category != "Cf" and not "\ufe00" <= letter <= "\ufe0f":
        note(f"{where} has {_called(letter)}: {problem}.")
    return "" if category in ("Cf", "Mn", "Me") else MARK


def _composed(text: str) -> str:
    """Compose letters with their accents, and make blanks plain."""
    text = unicodedata.normalize("NFC", text).translate(_NOTHING).translate(_LIKE)
    return "".join(" " if unicodedata.category(letter) == "Zs" and letter != "\u00a0" else letter for letter in text)


def _unprintable(letter: str) -> str | None:
    """Return why a letter can't be printed; None if it can."""
    if unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "AN"):
        return "writing that runs from right to left can't be printed"
    if unicodedata.combining(letter):
        return "an accent can be printed only on a letter that is known to bear it"
    if ord(letter) in letters():
        return None
    if any(ord(letter) in block for block in _PICTURES):
        return "emoji and other pictures can't be printed"
    return "the typefaces have Latin, Greek and Cyrillic letters, and not this"


def _called(letter: str) -> str:
    """Return a letter with its code and name: 漢 (U+6F22)."""
    name = unicodedata.name(letter, "")
    code = f"U+{ord(letter):04X}{' ' + name if name else ''}"
    return f'"{letter}" ({code})' if letter.isprintable() and not unicodedata.combining(letter) else code


class Paragraph(NamedTuple):
    """A text to print: its typeface, its size relative to the block's, its colour, and the space above it in lines."""

    text: str
    face: Face = Face.SANS
    size: float = 1
    colour: Colour = INK
    above: float = 0


class Block(NamedTuple):
    """Paragraphs set at a size: lines with their places, and the total height, in millimetres."""

    lines: list[tuple[float, str, Paragraph]]
    size: float
    height: float

    def draw(self, pen: Pen, x: float, y: float, *, align: Align = "left") -> None:
        """Draw it with its upper edge at `y`."""
        for down, line, paragraph in self.lines:
            size = max(SMALLEST, self.size * paragraph.size)
            pen.text(x, y + down, line, paragraph.face, size, colour=paragraph.colour, align=align)


def set_at(pen: Pen, paragraphs: Iterable[Paragraph], size: float, width: float) -> Block:
    """Set paragraphs at a size, in points, in a column of this width."""
    lines: list[tuple[float, str, Paragraph]] = []
    down = 0.0
    for paragraph in paragraphs:
        points = max(SMALLEST, size * paragraph.size)
        step = points * POINT * LEADING
        down += step * paragraph.above
        for line in pen.lines(paragraph.text, paragraph.face, points, width):
            down += step
            lines.append((down - step * 0.24, line, paragraph))
    return Block(lines, size, down)


def fitted(
    pen: Pen,
    paragraphs: Iterable[Paragraph],
    width: float,
    height: float,
    largest: float,
    *,
    smallest: float = SMALLEST,
) -> Block | None:
    """Set paragraphs as large as fits a column; None if they are too long even at the smallest size."""
    paragraphs = list(paragraphs)
    size = largest
    while size >= smallest:
        block = set_at(pen, paragraphs, size, width)
        if block.height <= height:
            return block
        size -= 0.25
    return None


def largest_in(pen: Pen, text: str, face: Face, width: float, largest: float, *, smallest: float = SMALLEST) -> float:
    """Return the size at which a line fits this width, within these limits."""
    return max(smallest, min(largest, largest * width / max(pen.width(text, face, largest), 0.01)))
