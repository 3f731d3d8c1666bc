"""The front of a card from a deck file: its values in the corners, and what may touch it at the edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from fpdf.drawing_primitives import DeviceRGB

from cardhouse.cards import JOKERS, RED_JOKER, STANDARD, number_of, rank_of, suit_of
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DeckCard, Direction, DogDeck, Value, all_of, in_words
from cardhouse.games.dogpile.print.edges import requirements, spaced, value_in_words
from cardhouse.games.dogpile.print.heads import draw_head
from cardhouse.print.pages import HEIGHT, WIDTH, Front
from cardhouse.print.pen import INK, QUIET, WHITE, Colour, Face, Pen
from cardhouse.print.suits import colour_of, draw_figure, draw_star, draw_suit, picture_on
from cardhouse.print.text import SMALLEST, Block, Paragraph, fitted, largest_in, printable, set_at

EDGE = 5.0
"""The margin in mm, to allow for an uneven cut; the marks at the edges come closer."""

INDEX, INDEX_WIDTH = 27.0, 11.0
"""The size of the number in the corner in points, and its maximum width in mm."""
CAPITAL = 6.4
"""The height of the number, in mm."""
SIGN = 6.2
"""The size of a suit sign or star, below the number or in its place."""

WORD, WORD_WIDTH, WORD_STEP = 9.0, 21.0, 4.6
"""A word in the corner: its size, maximum width, and line height at that size."""
LOWEST = 34.0
"""The lowest y that a corner may reach."""

ASKED, ASKED_HEIGHT, ASKED_LINE = 9.0, 8.2, 4.1
"""The largest size of an edge text, its maximum height, and its height on one line."""
MARK_OFF, MARK = 3.2, 1.2
"""The distance of a mark from the edge, and its height."""

NAME, TEXT = 16.0, 10.0
NAMES = ((7.2, 12.5), (14.5, 9.0), (9.0, SMALLEST))
"""The maximum heights and least sizes of a name, in order of preference: one line, two lines, as small as legible."""
APART = 1.6
"""The gap around the name and text."""
DOG, LEAST_DOG, WORD_PADDING = 20.0, 5.0, 4.5
"""The largest and smallest size of a dog's head, and the padding of a word in the corner for its ground or star."""

PICTURE, PICTURE_ABOVE = 20.0, 3.5
"""The maximum height of a picture including the gap above it, and that gap."""

SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
"""The words that suit signs replace."""

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
"""The colours for the words of one attribute, like those of suits."""


def fronts(deck: DogDeck) -> list[Front]:
    """Return a function for each card that draws its front, in the deck's order. They may raise CardhouseError."""
    colours = _colours(deck)
    return [partial(_draw, card=card, deck=deck, colours=colours) for card in deck.cards.values()]


Colours = Mapping[tuple[str, Value], Colour]
"""The colours of attribute values that have one."""


def _colours(deck: DogDeck) -> Colours:
    """Return colours for the words of the attribute with the fewest, if there are enough colours."""
    words = [name for name in deck.matters if isinstance(deck.values[name][0], str)]
    fewest = min(words, key=lambda name: len(deck.values[name]), default="")
    values = deck.values.get(fewest, ())
    return {(fewest, value): COLOURS[n] for n, value in enumerate(values)} if len(values) <= len(COLOURS) else {}


def _draw(pen: Pen, *, card: DeckCard, deck: DogDeck, colours: Colours) -> None:
    index, words = _index(card, deck), _words(card, deck, colours)
    low = EDGE
    for degrees in (0, 180):
        with pen.turned(WIDTH / 2, HEIGHT / 2, degrees):
            low = _draw_words(pen, words, _draw_index(pen, card, index))
    if low > LOWEST:
        raise CardhouseError(
            f"{card.id} has more than there is room for in its corners: {', '.join(word.text for word in words)}. "
            "What contacts depend on stands there; make it shorter."
        )
    ends = _edge(pen, _edge_text(card, deck, deck.above), WIDTH - 2 * (EDGE + INDEX_WIDTH + APART))
    _draw_edges(pen, ends, (0, 180))
    sides, body = _between(pen, card, deck, HEIGHT - 2 * (low + APART))
    _draw_edges(pen, sides, (90, 270))
    name_at = _draw_body(pen, card, body, HEIGHT - 2 * (low + APART))
    if not _has_ordinary_picture(card):
        _draw_dog(pen, card, words, MARK_OFF + MARK + ends.height + APART, name_at)
    squeeze = min(1, (INDEX_WIDTH - 0.5) / pen.width(card.id, Face.SANS, SMALLEST))
    pen.text(EDGE, HEIGHT - EDGE, card.id, Face.SANS, SMALLEST, colour=QUIET, squeeze=squeeze)


# The values of a card, in its corners.


class _Word(NamedTuple):
    """A word in the corner: its text, the colour of its value, and whether it has the star of a wild card."""

    text: str
    colour: Colour | None = None
    star: bool = False


def _number(deck: DogDeck) -> str | None:
    """Return the attribute whose number is large in the corner: the first numeric one."""
    return next((name for name in deck.matters if isinstance(deck.values[name][0], int)), None)


def _index(card: DeckCard, deck: DogDeck) -> str | None:
    """Return the large text in the corner, or None for the star of a card that is wild there."""
    if card.id in STANDARD:
        return rank_of(card.id)
    number = _number(deck)
    if card.id in deck.jokers or (number is not None and number not in card.values):
        return None
    return "" if number is None else in_words(card.values[number])


def _words(card: DeckCard, deck: DogDeck, colours: Colours) -> list[_Word]:
    """Return a word for each other attribute that contacts depend on."""
    if card.id in deck.jokers:
        return [_Word("wild")]
    known: set[Value] = {number_of(card.id), SUIT_WORDS[suit_of(card.id)]} if card.id in STANDARD else set()
    number = None if card.id in STANDARD else _number(deck)
    found = []
    for name in deck.matters:
        if name not in card.values:
            found.append(_Word(f"any {spaced(name)}", star=name != number))
            continue
        for value in all_of(card.values[name]):
            if name != number and value not in known:
                text = printable(value_in_words(name, value), f"The {spaced(name)} of {card.id}")
                found.append(_Word(text, colours.get((name, value))))
    return found


def _draw_index(pen: Pen, card: DeckCard, index: str | None) -> float:
    """Draw the number, the rank with its suit, or the star. Returns the y below it."""
    if index is None:
        colour = colour_of(card.id) if card.id in JOKERS else INK
        draw_star(pen, EDGE - 0.2, EDGE - 0.5, SIGN + 1.2, colour, filled=card.id != RED_JOKER)
        return EDGE + CAPITAL
    if not index:
        return EDGE - 1
    standard = card.id in STANDARD
    colour = colour_of(card.id) if standard else INK
    width = pen.width(index, Face.SERIF_BOLD, INDEX)
    squeeze = min(1, INDEX_WIDTH / width)
    pen.text(EDGE, EDGE + CAPITAL, index, Face.SERIF_BOLD, INDEX, colour=colour, squeeze=squeeze)
    if not standard:
        return EDGE + CAPITAL
    middle = EDGE + width * squeeze / 2
    draw_suit(pen, suit_of(card.id), middle - SIGN / 2, EDGE + CAPITAL + 2.2, SIGN, colour)
    return EDGE + CAPITAL + 2.2 + SIGN


def _draw_words(pen: Pen, words: list[_Word], y: float) -> float:
    """Draw the words below the index. Returns the y below them."""
    y += 0.4
    for text, colour, star in words:
        indent = 4.1 if star else 0.8 if colour is not None else 0
        size = largest_in(pen, text, Face.SANS_BOLD, WORD_WIDTH - indent, WORD)
        for number, line in enumerate(pen.lines(text, Face.SANS_BOLD, size, WORD_WIDTH - indent)):
            height = WORD_STEP * size / WORD
            y += height
            if star and not number:
                draw_star(pen, EDGE - 0.3, y - 3.1, 3.6, INK, filled=True)
            if colour is not None:
                width = pen.width(line, Face.SANS_BOLD, size)
                pen.box(EDGE - 0.2, y - height * 0.68, width + 2, height * 0.88, fill=colour, round_=height * 0.22)
            ink = INK if colour is None else WHITE
            pen.text(EDGE + indent, y, line, Face.SANS_BOLD, size, colour=ink)
    return y + 1


# The edges: the contacts of a card.


def _edge_text(card: DeckCard, deck: DogDeck, direction: Direction) -> str:
    """Return what may touch the card in a direction: `size 2 to 4, not terrier`."""
    phrases = requirements(deck, card, direction)
    if phrases is None:
        return "anything"
    # Keep each phrase on one line.
    whole = [printable(phrase, f"The edge text of {card.id}").replace(" ", "\u00a0") for phrase in phrases]
    return (", " if direction.all else " or ").join(whole)


def _edge(pen: Pen, phrase: str, width: float, height: float = ASKED_HEIGHT) -> Block:
    """Return the block of an edge text, or a reference to the rules if it is too long."""
    found = fitted(pen, [Paragraph(phrase, Face.SANS_BOLD)], width, height, ASKED)
    return found or set_at(pen, [Paragraph("see the rules", Face.SANS_BOLD)], ASKED, width)


def _draw_edges(pen: Pen, block: Block, turns: tuple[int, int]) -> None:
    """Draw the text at two opposite edges, tops outward, each with a mark that points outward."""
    for degrees in turns:
        away = (WIDTH if degrees % 180 else HEIGHT) / 2
        with pen.turned(WIDTH / 2, HEIGHT / 2, degrees), pen.within(WIDTH / 2, HEIGHT / 2 - away):
            pen.shape(f"M-1.6 {MARK}H1.6L0 0Z", 0, MARK_OFF, 1, fill=INK)
            block.draw(pen, 0, MARK_OFF + MARK, align="centre")


# The name and text, in the middle.


def _between(pen: Pen, card: DeckCard, deck: DogDeck, height: float) -> tuple[Block, tuple[Block, Block]]:
    """Return the blocks for the sides, and for the name and text between them.

    A long text limits the sides to one line.
    """
    phrase = _edge_text(card, deck, deck.beside)
    for room in (ASKED_HEIGHT, ASKED_LINE):
        sides = _edge(pen, phrase, height, room)
        width = WIDTH - 2 * (MARK_OFF + MARK + sides.height + APART)
        for blocks in _blocks(pen, card, deck, width, height):
            return sides, blocks
    raise CardhouseError(
        f"{card.id}, {card.name}, has more text than there is room for, even in the smallest type that can be read "
        f"({SMALLEST} pt). Make it shorter, or its attributes."
    )


def _blocks(pen: Pen, card: DeckCard, deck: DogDeck, width: float, height: float) -> Iterator[tuple[Block, Block]]:
    """Yield the blocks of name and text that fit, the best first."""
    name = printable(card.name, f"The name of {card.id}")
    # Shrink a long word rather than split it.
    largest = largest_in(pen, max(name.split(" "), key=len), Face.SANS_BOLD, width - 0.2, NAME)
    # The corners already have the values that contacts depend on.
    unsaid = [attribute for attribute in card.values if attribute not in deck.matters]
    for name_height, smallest in NAMES:
        head = fitted(pen, [Paragraph(name, Face.SANS_BOLD)], width, name_height, largest, smallest=smallest)
        for attributes in (list(card.values), unsaid):
            body = head and fitted(pen, _paragraphs(card, deck, attributes), width, height - head.height, TEXT)
            if head and body:
                yield head, body


def _draw_body(pen: Pen, card: DeckCard, blocks: tuple[Block, Block], height: float) -> float:
    """Draw the name and text, and the picture if there is one and it fits. Returns the y where they begin."""
    text_height = sum(block.height for block in blocks)
    picture = _picture_height(card, height - text_height)
    top = y = (HEIGHT - text_height - picture) / 2
    for block in blocks:
        block.draw(pen, WIDTH / 2, y, align="centre")
        y += block.height
    if picture:
        _draw_picture(pen, card, y + PICTURE_ABOVE, picture - PICTURE_ABOVE)
    return top


def _draw_dog(pen: Pen, card: DeckCard, words: list[_Word], top: float, bottom: float) -> None:
    """Draw the dog's head above the name and beside the words of the corner, if it fits."""
    size = min(DOG, bottom - top - 1)
    if size < LEAST_DOG:
        return
    widest = max((pen.width(word.text, Face.SANS_BOLD, WORD) for word in words), default=0)
    left = EDGE + min(WORD_WIDTH, widest + WORD_PADDING) + APART
    draw_head(pen, card, max((WIDTH - size) / 2, left - size * 0.08), (top + bottom - size) / 2, size)


def _paragraphs(card: DeckCard, deck: DogDeck, attributes: Iterable[str]) -> Iterator[Paragraph]:
    """Yield what the card is wild in, its text, and its values of these attributes."""
    free = [spaced(name) for name in deck.matters if name not in card.values]
    if free:
        names = " and ".join(filter(None, (", ".join(free[:-1]), free[-1])))
        yield Paragraph(f"Wild: any {names}", Face.SANS_BOLD, above=0.3)
    if card.text:
        yield Paragraph(printable(card.text, f"The text of {card.id}"), above=0.35)
    has = [f"{spaced(name)} {in_words(card.values[name])}".replace(" ", "\u00a0") for name in attributes]
    if has:
        yield Paragraph(printable(", ".join(has), f"What stands on {card.id}"), size=0.85, colour=QUIET, above=0.5)


def _picture_height(card: DeckCard, room: float) -> float:
    """Return the height of the picture including the gap above it, or 0 without one."""
    height = min(PICTURE, room)
    return height if _has_ordinary_picture(card) and height >= SIGN + PICTURE_ABOVE else 0


def _has_ordinary_picture(card: DeckCard) -> bool:
    """Return whether the card is wild or has the id of an ordinary card. All others show a dog."""
    return card.wild or card.id in STANDARD


def _draw_picture(pen: Pen, card: DeckCard, y: float, size: float) -> None:
    """Draw a star for a wild card; a jester or a suit for one with the id of an ordinary card."""
    if card.id in JOKERS or (card.id in STANDARD and picture_on(card.id)):
        draw_figure(pen, card.id, WIDTH / 2, y, size)
    elif card.id in STANDARD:
        draw_suit(pen, suit_of(card.id), (WIDTH - size) / 2, y, size, colour_of(card.id))
    else:
        draw_star(pen, (WIDTH - size) / 2, y, size, INK, filled=True)
