"""The front of a card from a deck file: what it is stands in its corners, what may lie beside it at its edges."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from fpdf.drawing_primitives import DeviceRGB

from cardhouse.cards import JOKERS, RED_JOKER, STANDARD, rank_of, suit_of
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DeckCard, Direction, DogDeck, Value
from cardhouse.print.deck.edges import ANYTHING, called, may_lie, spaced
from cardhouse.print.pages import HEIGHT, WIDTH, Front
from cardhouse.print.pen import INK, QUIET, WHITE, Colour, Face, Pen
from cardhouse.print.suits import colour_of, draw_jester, draw_star, draw_suit
from cardhouse.print.text import SMALLEST, Block, Paragraph, fitted, largest_in, printable

EDGE = 5.0
"""What is printed keeps so far from the edge, for a cut that isn't straight; the marks of the edges come nearer."""

INDEX = 27.0
"""The size of the number in the corner, in points."""
CAPITAL = 6.4
"""How high it is, in millimetres."""
INDEX_WIDTH = 11.0
SIGN = 6.2
"""A suit sign in the corner."""

WORD, WORD_WIDTH, WORD_STEP = 9.0, 21.0, 4.4
"""A word in the corner: its size, how wide it may be, and from one to the next."""

ASKED = 8.5
"""The largest size of what stands at an edge."""
ASKED_HEIGHT = 7.2
MARK_OFF, MARK = 3.3, 1.1
"""How far from the edge its mark is, and how high."""

NAME, SMALLEST_NAME, TEXT = 15.0, 9.0, 9.5
BODY = 12.5
"""How far from the card's sides its name and text stand."""

COLOURS = (
    DeviceRGB(0.10, 0.36, 0.62),
    DeviceRGB(0.72, 0.29, 0.02),
    DeviceRGB(0.10, 0.44, 0.24),
    DeviceRGB(0.60, 0.12, 0.38),
    DeviceRGB(0.35, 0.26, 0.55),
    DeviceRGB(0.44, 0.40, 0.06),
    DeviceRGB(0.05, 0.42, 0.46),
    DeviceRGB(0.33, 0.33, 0.33),
)
"""For the words of one attribute, as suits have colours."""


def fronts(deck: DogDeck) -> list[Front]:
    """A front for each card, in the deck's order; drawing one that can't be raises CardhouseError."""
    colours = _colours(deck)
    return [partial(_draw, card=card, deck=deck, colours=colours) for card in deck.cards.values()]


class _Word(NamedTuple):
    """A word in the corner: what it says, its colour if it has one, and whether the card is wild in it."""

    text: str
    colour: Colour | None = None
    free: bool = False


class _Corner(NamedTuple):
    """What stands in a corner: a number or a rank, or None where a star stands for any; then the words."""

    index: str | None
    words: list[_Word]


def _draw(pen: Pen, *, card: DeckCard, deck: DogDeck, colours: dict[Value, Colour]) -> None:
    corner = _corner(card, deck, colours)
    for degrees in (0, 180):
        with pen.turned(WIDTH / 2, HEIGHT / 2, degrees):
            low = _draw_corner(pen, card, corner)
        _draw_edge(pen, card, _asked(pen, deck, card, deck.above, WIDTH - 34), degrees)
    for degrees in (90, 270):
        _draw_edge(pen, card, _asked(pen, deck, card, deck.beside, HEIGHT - 2 * low), degrees)
    _draw_body(pen, card, deck, low)
    pen.text(EDGE, HEIGHT - EDGE, card.id, Face.SANS, SMALLEST, colour=QUIET)


# The corners.


def _colours(deck: DogDeck) -> dict[Value, Colour]:
    """Colours for the words of the attribute that has fewest of them, if there are enough colours."""
    words = [
        values
        for attribute in deck.matters
        if all(isinstance(value, str) for value in (values := deck.values[attribute]))
    ]
    fewest = min(words, key=len, default=())
    return dict(zip(fewest, COLOURS, strict=False)) if len(fewest) <= len(COLOURS) else {}
