"""The front of a Hackjack card: its index, its value, its wound, and how the wound ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from cardhouse.cards import JOKERS, RED_JOKER, STANDARD, Card, is_joker, rank_of, suit_of
from cardhouse.engine import CardhouseError, catalogue_of
from cardhouse.games.hackjack.print.keepsake import draw_frame, draw_keepsake, draw_tally
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.wounds.schema import Ends, Wound, Wounds, is_dice
from cardhouse.print.pages import HEIGHT, WIDTH, Front
from cardhouse.print.pen import INK, QUIET, RED, Colour, Face, Pen
from cardhouse.print.suits import colour_of, draw_drop, draw_figure, draw_star, draw_suit
from cardhouse.print.text import SMALLEST, Block, Paragraph, fitted, printable, set_at

EDGE = 5.0
"""The margin in mm, to allow for an uneven cut."""

INDEX = 27.0
"""The size of a rank, in points."""
CAPITAL = 6.4
"""The height of a rank, in mm."""
INDEX_MIDDLE = EDGE + 4.3
SUIT = 6.2

NAME, LARGEST_TEXT = 13.0, 10.0
SMALLEST_NAME = 10.0
NAME_FROM, TEXT_TO = 24.0, 66.5
FACT = 5.6
"""The distance between facts, in mm."""

TOGETHER = 20
"""The longest meaning, in letters, that is kept on one line."""

MOST_DROPS = 8
"""Blood above this is shown only as a number."""


def fronts(wounds: Wounds) -> list[Front]:
    """Return functions that draw the 54 fronts, in deck order with the jokers last. They may raise CardhouseError."""
    return [
        *(partial(draw_wound, card=card, wound=wounds[card]) for card in STANDARD),
        *(partial(_draw_joker, card=card) for card in JOKERS),
    ]


@cache
def ends_in_words(ends: Ends) -> str:
    """Return how a wound ends, such as `until recovered`."""
    return catalogue_of(Hackjack).words.values[f"ends.{ends}"]


def _blocks(pen: Pen, card: Card, wound: Wound) -> tuple[Block, Block]:
    """Return the name, and the text with its rolls.

    Raises CardhouseError if they can't be printed.
    """
    height = min(TEXT_TO, HEIGHT - EDGE - FACT * _facts(wound)) - NAME_FROM
    name = Paragraph(printable(wound.name, f"The name of {card}"), Face.SANS_BOLD)
    text = Paragraph(printable(wound.text, f"The text of {card}"), above=0.35)
    details = [
        Paragraph(printable(line, f"The roll text of {card}"), size=0.88, colour=QUIET, above=0.35)
        for line in details_of(wound)
    ]
    width = WIDTH - 2 * EDGE
    # Shrink the name only if it doesn't fit on two lines.
    head = fitted(pen, [name], width, 11.7, NAME, smallest=SMALLEST_NAME) or fitted(pen, [name], width, 16, NAME)
    body = head and fitted(pen, [text, *details], width, height - head.height, LARGEST_TEXT)
    if head is None or body is None:
        raise CardhouseError(
            f"The wound of {card}, {wound.name}, is too long for a card, even in the smallest type that can be read "
            f"({SMALLEST} pt). Make its text shorter{', or what is rolled for it' if details else ''}."
        )
    return head, body


def details_of(wound: Wound) -> Iterator[str]:
    """Yield each roll and the meanings of its faces: `d2 arm: 1 left, 2 right`.

    Skip rolls whose number itself counts.
    """
    for detail in wound.details:
        # Keep a short meaning on one line with its number.
        faces = (
            f"{face}\u00a0{means.replace(' ', chr(0xA0)) if len(means) <= TOGETHER else means}"
            for face, means in enumerate(detail.means, start=1)
        )
        if detail.means:
            yield f"{detail.dice.removeprefix('1')} {detail.what}: {', '.join(faces)}"


def draw_wound(pen: Pen, *, card: Card, wound: Wound) -> None:
    """Draw the front of a card, with the origin at its corner. Raises CardhouseError if it can't be printed."""
    head, body = _blocks(pen, card, wound)
    draw_frame(pen)
    _draw_indices(pen, card)
    _draw_value(pen, card)
    head.draw(pen, EDGE, NAME_FROM)
    body.draw(pen, EDGE, NAME_FROM + head.height)
    y = HEIGHT - EDGE - FACT * _facts(wound)
    draw_keepsake(pen, card, wound)
    if wound.blood:
        y += FACT
        draw_blood(pen, EDGE, y, wound.blood)
    if wound.trauma:
        y += FACT
        draw_trauma(pen, EDGE, y, wound.trauma)
    pen.text(EDGE, y + FACT, f"Lasts {ends_in_words(wound.ends)}", Face.SANS, 8, colour=QUIET)


def _facts(wound: Wound) -> int:
    """Return the number of lines below the text."""
    return 1 + bool(wound.blood) + bool(wound.trauma)


def _draw_indices(pen: Pen, card: Card) -> None:
    """Draw the index in the upper left corner, and upside down in the opposite one."""
    _draw_index(pen, card)
    with pen.turned(WIDTH / 2, HEIGHT / 2):
        _draw_index(pen, card)


def _draw_index(pen: Pen, card: Card) -> None:
    colour = colour_of(card)
    if is_joker(card):
        draw_star(pen, INDEX_MIDDLE - 4.1, EDGE - 0.4, 8.2, colour, filled=card != RED_JOKER)
        return
    rank = rank_of(card)
    squeeze = 0.82 if len(rank) > 1 else 1
    y = EDGE + CAPITAL
    pen.text(INDEX_MIDDLE, y, rank, Face.SERIF_BOLD, INDEX, colour=colour, align="centre", squeeze=squeeze)
    draw_suit(pen, suit_of(card), INDEX_MIDDLE - SUIT / 2, y + 2.3, SUIT, colour)


def _draw_value(pen: Pen, card: Card) -> None:
    """Draw what the card adds to the death-score (HJ-2)."""
    pen.text(WIDTH - EDGE, EDGE + CAPITAL, f"+{card_value(card)}", Face.SERIF, 20, align="right")
    pen.text(WIDTH - EDGE, EDGE + CAPITAL + 3.6, "death-score", Face.SANS, 7, colour=QUIET, align="right")
    draw_tally(pen, WIDTH - EDGE, EDGE + CAPITAL + 5.4, card_value(card))


def draw_blood(pen: Pen, x: float, y: float, blood: int | str) -> None:
    """Draw the line for Blood: its number or dice, and a drop for each point."""
    x = _draw_fact(pen, x, y, "Blood", str(blood), RED)
    drops = 1 if is_dice(blood) or int(blood) > MOST_DROPS else int(blood)
    for number in range(drops):
        draw_drop(pen, x + number * 2.9, y - 2.9, 3.2, filled=True)


def draw_trauma(pen: Pen, x: float, y: float, trauma: int) -> None:
    """Draw the line for Trauma: its number, and a seam with a stitch for each point."""
    x = _draw_fact(pen, x, y, "Trauma", str(trauma), INK)
    draw_seam(pen, x, y - 1.3, trauma)


def _draw_fact(pen: Pen, x: float, y: float, label: str, value: str, colour: Colour) -> float:
    """Draw a label and its value in two columns. Returns the x after them."""
    pen.text(x, y, label, Face.SANS, 8, colour=QUIET)
    pen.text(x + 11.5, y, value, Face.SERIF_BOLD, 11, colour=colour)
    return x + 11.5 + pen.width(value, Face.SERIF_BOLD, 11) + 1.4


def draw_seam(pen: Pen, x: float, y: float, stitches: int) -> None:
    """Draw a seam with this many stitches."""
    step = 2.5
    pen.line(x, y, x + step * stitches, y, width=0.3)
    for number in range(stitches):
        middle = x + step * (number + 0.5)
        pen.line(middle - 0.35, y + 1.2, middle + 0.35, y - 1.2, width=0.5)


def _draw_joker(pen: Pen, *, card: Card) -> None:
    """Draw a lucky break (HJ-29)."""
    draw_frame(pen)
    _draw_indices(pen, card)
    draw_figure(pen, card, WIDTH / 2, 6, 31)
    text = [
        Paragraph("Lucky break", Face.SANS_BOLD, size=NAME / LARGEST_TEXT),
        Paragraph("Nothing happens to you: no wound, and nothing is added to your death-score.", above=0.35),
        Paragraph(
            "Leave the jokers out of the deck, unless your table plays with the option jokers (HJ-29).",
            size=0.88,
            colour=QUIET,
            above=0.5,
        ),
    ]
    set_at(pen, text, LARGEST_TEXT, WIDTH - 2 * EDGE).draw(pen, EDGE, 41)
