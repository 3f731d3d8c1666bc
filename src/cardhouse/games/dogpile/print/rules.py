"""The card with a deck's contact rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DogDeck, all_of
from cardhouse.games.dogpile.print.edges import rules_in_words, spaced
from cardhouse.print.pages import HEIGHT, WIDTH, Front
from cardhouse.print.pen import QUIET, Face, Pen
from cardhouse.print.text import Paragraph, fitted, printable

EDGE = 6.0
LARGEST = 10.0


def rules_front(deck: DogDeck) -> Front:
    """Return a function that draws the rules of a deck on a card. It raises CardhouseError if they can't be printed."""
    return partial(_draw, deck=deck)


def _draw(pen: Pen, *, deck: DogDeck) -> None:
    block = fitted(pen, _paragraphs(deck), WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE, LARGEST)
    if block is None:
        raise CardhouseError("The rules of contact, with the deck's name and text, are too long for a card.")
    block.draw(pen, EDGE, EDGE)


def _paragraphs(deck: DogDeck) -> Iterator[Paragraph]:
    yield Paragraph(printable(deck.name, "The name of the deck"), Face.SANS_BOLD, size=1.3)
    if deck.text:
        yield Paragraph(printable(deck.text, "The text of the deck"), size=0.85, colour=QUIET, above=0.15)
    for heading, direction in (("Side by side", deck.beside), ("One above the other", deck.above)):
        yield Paragraph(heading, Face.SANS_BOLD, above=0.6)
        sentence = rules_in_words(direction)
        yield Paragraph(f"{sentence[0].upper()}{sentence[1:]}.")
    yield Paragraph("Each edge of a card says what may lie there.", size=0.9, above=0.6)
    if several := " or ".join(map(spaced, _multi_valued(deck))):
        yield Paragraph(
            f"If a card has more than one {several}, each edge may use a different one.", size=0.9, above=0.3
        )
    if any(card.wild for card in deck.cards.values()):
        wild = "A card with a star is wild: it takes any value the pack needs, the same for every card that touches it."
        yield Paragraph(wild, size=0.9, above=0.3)


def _multi_valued(deck: DogDeck) -> list[str]:
    """Return the attributes with several values on some card, any of which may be used at a contact (DG-20)."""
    attributes = dict.fromkeys(
        rule.attribute for way in (deck.beside, deck.above) for rule in way.rules if not rule.different
    )
    cards = deck.cards.values()
    return [name for name in attributes if any(len(all_of(card.values.get(name, ""))) > 1 for card in cards)]
