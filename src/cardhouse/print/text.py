"""What can be set in type: which letters there are, and how small a text may become."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from cardhouse.engine.values.missing import MARK, note
from cardhouse.print.pen import INK, POINT, Align, Colour, Face, Pen, letters

SMALLEST = 6.5
"""The least size, in points, at which anybody reads a card by lamplight."""

LEADING = 1.27
"""From base line to base line, in sizes of the type."""

# What has no ink of its own: it only says where a word may be parted, or that it may not.
_NOTHING = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
_LIKE = {0x2010: "-", 0x2011: "-"}


# Signs and dingbats, what joins or varies them, and the planes of emoji.
_PICTURES = (range(0x2600, 0x27C0), range(0x200D, 0x200E), range(0xFE00, 0xFE10), range(0x1F000, 0x1FB00))


def printable(text: str, where: str) -> str:
    """A text as it can be set: letters and their accents in one, blanks plain.

    A mark stands in the place of a letter that has no sign in the typefaces, or belongs to a writing that runs from
    right to left; `missing_letters` tells of it in a sentence that begins with `where`.
    """
    return "".join(_set(letter, where) for letter in _composed(text))


def _set(letter: str, where: str) -> str:
    """What is set for a letter: itself, a mark, or nothing for what has no ink of its own."""
    problem = _unprintable(letter)
    if problem is None:
        return letter
    category = unicodedata.category(letter)
    if category != "Cf" and not "\ufe00" <= letter <= "\ufe0f":
        note(f"{where} has {_called(letter)}: {problem}.")
    return "" if category in ("Cf", "Mn", "Me") else MARK


def _composed(text: str) -> str:
    """Letters and their accents in one, blanks plain."""
    text = unicodedata.normalize("NFC", text).translate(_NOTHING).translate(_LIKE)
    return "".join(" " if unicodedata.category(letter) == "Zs" and letter != "\u00a0" else letter for letter in text)


def _unprintable(letter: str) -> str | None:
    """Why a letter can't be printed, if it can't."""
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
    """A letter by its sign and its name: 漢 (U+6F22)."""
    name = unicodedata.name(letter, "")
    code = f"U+{ord(letter):04X}{' ' + name if name else ''}"
    return f'"{letter}" ({code})' if letter.isprintable() and not unicodedata.combining(letter) else code


class Paragraph(NamedTuple):
    """A text to be set: its face, its size in sizes of the whole, its colour, the room above it in lines."""

    text: str
    face: Face = Face.SANS
    size: float = 1
    colour: Colour = INK
    above: float = 0


class Block(NamedTuple):
    """Paragraphs set at a size: lines with their places, and how high all of them are, in millimetres."""

    lines: list[tuple[float, str, Paragraph]]
    size: float
    height: float

    def draw(self, pen: Pen, x: float, y: float, *, align: Align = "left") -> None:
        """Write it, its upper edge at `y`."""
        for down, line, paragraph in self.lines:
            size = max(SMALLEST, self.size * paragraph.size)
            pen.text(x, y + down, line, paragraph.face, size, colour=paragraph.colour, align=align)


def set_at(pen: Pen, paragraphs: Iterable[Paragraph], size: float, width: float) -> Block:
    """Paragraphs at a size, in points, in a column so wide."""
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
    """Paragraphs in a column so wide and high, as large as may be; None if they are too long at the smallest size."""
    paragraphs = list(paragraphs)
    size = largest
    while size >= smallest:
        block = set_at(pen, paragraphs, size, width)
        if block.height <= height:
            return block
        size -= 0.25
    return None


def largest_in(pen: Pen, text: str, face: Face, width: float, largest: float, *, smallest: float = SMALLEST) -> float:
    """The size at which a line is no wider than this, no smaller and no larger than these."""
    return max(smallest, min(largest, largest * width / max(pen.width(text, face, largest), 0.01)))
