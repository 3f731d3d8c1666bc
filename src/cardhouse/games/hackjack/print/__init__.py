"""Hackjack in print: the deck of wounds, and a sheet for each character."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.engine.values.portraits import NO_PORTRAITS, Portraits
from cardhouse.games.hackjack.print.cards import fronts
from cardhouse.games.hackjack.print.sheets import draw_sheet
from cardhouse.games.hackjack.state import Sheet
from cardhouse.games.hackjack.wounds.schema import Wounds
from cardhouse.print.back import back_of
from cardhouse.print.pages import lay_out
from cardhouse.print.pen import Paper, Pen


def hackjack_pdf(
    wounds: Wounds,
    paper: Paper,
    *,
    cards: bool = True,
    backs: bool = True,
    sheets: Sequence[Sheet | None] = (),
    portraits: Portraits = NO_PORTRAITS,
) -> bytes:
    """Return a PDF of 52 wounds and two jokers, with or without backs, and of character sheets, empty ones for None.

    Raises CardhouseError if a text is too long for its card or has letters that can't be printed.
    """
    with Pen(paper, "Hackjack") as pen:
        if cards:
            lay_out(pen, "Hackjack", fronts(wounds), back_of("cardhouse.games.hackjack") if backs else None)
        for sheet in sheets:
            draw_sheet(pen, sheet, wounds, portraits)
        return pen.finish()
