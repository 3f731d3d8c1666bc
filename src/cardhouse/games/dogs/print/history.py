"""The history on a printed sheet: the changes made by each conflict."""

from __future__ import annotations

from itertools import groupby

from cardhouse.engine import fill
from cardhouse.games.dogs.people.sheet import Noted, Sheet
from cardhouse.games.dogs.print.column import SMALL
from cardhouse.games.dogs.print.reference import words
from cardhouse.print.forms import draw_heading
from cardhouse.print.pen import FAINT, QUIET, Face, Pen
from cardhouse.print.text import Block, Paragraph, printable, set_at

ROW = 6.2


def draw_history(pen: Pen, x: float, y: float, width: float, end: float, sheet: Sheet | None) -> None:
    """Draw as many recent conflicts as fit, oldest first, and fill up with blank lines."""
    draw_heading(pen, x, y + 3.6, "History")
    blocks = _blocks(pen, width, sheet)
    shown = _latest(blocks, end - y - 5.4)
    if len(shown) < len(blocks):
        note = f"the latest {len(shown)} of {len(blocks)} conflicts" if shown else "in the roster file"
        pen.text(x + width, y + 3.6, note, Face.SANS, SMALL, colour=QUIET, align="right")
    y += 5.4
    for block in shown:
        block.draw(pen, x, y)
        y += block.height + 0.6
    while y + ROW <= end + 0.5:
        y += ROW
        pen.line(x, y, x + width, y, width=0.15, colour=FAINT)


def _blocks(pen: Pen, width: float, sheet: Sheet | None) -> list[Block]:
    """Return a text for each conflict: its stakes and its events."""
    if sheet is None:
        return []
    found = []
    for stakes, notes in groupby(sheet.history, key=_stakes):
        sentences = " ".join(_event_text(sheet.name, note) for note in notes)
        text = f"\u201c{stakes}\u201d {sentences}" if stakes else sentences
        found.append(set_at(pen, [Paragraph(printable(text, "The history"))], SMALL, width))
    return found


def _stakes(note: Noted) -> str:
    """Return the stakes; for a healing conflict, a life."""
    return fill(words().page["life_of"], {"name": note.stakes}) if note.healing else note.stakes


def _event_text(name: str, note: Noted) -> str:
    """Return an event in the game's words."""
    return fill(words().events.get(note.key, note.key), {"name": name, **note.about}, None, words().values)


def _latest(blocks: list[Block], height: float) -> list[Block]:
    """Return as many of the last blocks as fit."""
    shown: list[Block] = []
    for block in reversed(blocks):
        height -= block.height + 0.6
        if height < 0:
            break
        shown.insert(0, block)
    return shown
