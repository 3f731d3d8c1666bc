"""The order sheet: a line for each character, and the ranks of cards at the side."""

from cardhouse.cards import JOKERS
from cardhouse.engine import catalogue_of
from cardhouse.print.forms import draw_heading, draw_index
from cardhouse.print.pen import FAINT, QUIET, Face, Paper, Pen
from cardhouse.print.suits import colour_of as colour_of_card
from cardhouse.print.suits import draw_star, draw_suit
from cardhouse.print.text import Paragraph, set_at
from showdown.rules import Showdown
from showdown.state import SUITS_UP

MARGIN, SIDE = 16.0, 62.0
ROWS, ROW = 15, 15.2
COLUMNS = (("Name", 0.0), ("Card", 62.0), ("Nerve", 79.0), ("Tokens", 94.0))
TOLD = ("SD-4", "SD-5", "SD-7", "SD-8", "SD-9", "SD-10")
"""The rules that players look up during a round."""


def order_pdf(paper: Paper) -> bytes:
    """Return one page in portrait format."""
    with Pen(paper, "Showdown: the order") as pen:
        pen.page()
        pen.text(MARGIN, 24, "Showdown", Face.SERIF_BOLD, 24)
        with pen.within(MARGIN, 34):
            draw_rows(pen, paper.width - 2 * MARGIN - SIDE - 10)
        with pen.within(paper.width - MARGIN - SIDE, 34):
            draw_order(pen)
            draw_rules(pen, 58)
        return pen.finish()


def draw_rows(pen: Pen, width: float) -> None:
    """Draw a line for each character: a place for its card, its nerve and its tokens."""
    for label, x in COLUMNS:
        pen.text(x, 0, label, Face.SANS, 8, colour=QUIET)
    for row in range(1, ROWS + 1):
        y = row * ROW
        pen.line(0, y, width, y, width=0.25)
        pen.box(COLUMNS[1][1], y - 12.4, 8.8, 11, line=FAINT, round_=1)
        pen.text(COLUMNS[2][1], y - 2, "d", Face.SERIF, 12, colour=FAINT)
        for token in range(2):
            pen.box(COLUMNS[3][1] + 6 * token, y - 6.5, 4.4, 4.4, line=FAINT, round_=2.2)


def draw_order(pen: Pen) -> None:
    """Draw the order of cards (SD-3)."""
    draw_heading(pen, 0, 0, "First to last")
    for place, card in enumerate(JOKERS):
        draw_star(pen, place * 9.0, 4, 6, colour_of_card(card), filled=place == 1)
    pen.text(20, 9, "whenever they like", Face.SANS, 9)
    for place, card in enumerate(("SA", "SK", "SQ", "SJ", "S10")):
        draw_index(pen, place * 11.0, 19, card, close=True)
    pen.text(58, 19, "…", Face.SANS, 11)
    draw_heading(pen, 0, 31, "Of equal ranks")
    for place, suit in enumerate(reversed(SUITS_UP)):
        draw_suit(pen, suit, place * 11.0, 35, 6, colour_of_card(f"{suit}A"))


def draw_rules(pen: Pen, y: float) -> None:
    """Draw the rules to look up."""
    rules = catalogue_of(Showdown).rules
    texts = [
        paragraph
        for rule in TOLD
        for paragraph in (
            Paragraph(rules[rule].title, Face.SANS_BOLD, above=0.6),
            Paragraph(rules[rule].text),
        )
    ]
    set_at(pen, texts, 8.5, SIDE).draw(pen, 0, y - 8)
