"""Dogs Play Cards, Too on paper: character sheets, and a page for the game master."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.engine.values.portraits import NO_PORTRAITS, Portraits
from cardhouse.games.dogs.people.sheet import Sheet
from cardhouse.games.dogs.people.templates import TEMPLATES
from cardhouse.games.dogs.print.aid import draw_aid
from cardhouse.games.dogs.print.sheets import draw_blank, draw_sheet
from cardhouse.print.pen import Paper, Pen


def dogs_pdf(
    paper: Paper,
    *,
    sheets: Sequence[Sheet] = (),
    portraits: Portraits = NO_PORTRAITS,
    blank: bool = False,
    aid: bool = True,
) -> bytes:
    """Return a PDF: the game master's page, a sheet per character, and blank sheets for each template and for none.

    Fast NPCs have no sheet; the game master's page lists them. Raises CardhouseError if a text has unprintable letters.
    """
    with Pen(paper.on_its_side, "Dogs Play Cards, Too") as pen:
        if aid:
            draw_aid(pen, [sheet for sheet in sheets if sheet.fast is not None])
        for sheet in sheets:
            if sheet.fast is None:
                draw_sheet(pen, sheet, portraits)
        for template in (*TEMPLATES, None) if blank else ():
            draw_blank(pen, template)
        return pen.finish()
