"""Any deck file for Dogpile in print: its cards, and its rules on cards of their own."""

from __future__ import annotations

from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.print.cards import fronts
from cardhouse.games.dogpile.print.rules import rules_front
from cardhouse.print.back import back_of
from cardhouse.print.pages import PER_PAGE, lay_out
from cardhouse.print.pen import Paper, Pen
from cardhouse.print.text import printable

LONGEST_TITLE = 24
"""The longest title at the foot of a page, in letters."""


def deck_pdf(deck: DogDeck, paper: Paper, *, backs: bool = True) -> bytes:
    """Return a PDF of a deck's cards in its own order, with or without backs (DG-20).

    Rule cards, one for each player, fill the last page or one page more. Raises CardhouseError if a card has too much
    on it, or letters that can't be printed.
    """
    name = printable(deck.name, "The name of the deck")
    title = name if len(name) <= LONGEST_TITLE else f"{name[: LONGEST_TITLE - 1].rstrip()}…"
    with Pen(paper, name) as pen:
        rules = [rules_front(deck)] * rules_count(deck)
        lay_out(pen, title, [*fronts(deck), *rules], back_of("cardhouse.games.dogpile") if backs else None)
        return pen.finish()


def rules_count(deck: DogDeck) -> int:
    """Return the number of rule cards, 1 to 9."""
    return PER_PAGE - len(deck.cards) % PER_PAGE
