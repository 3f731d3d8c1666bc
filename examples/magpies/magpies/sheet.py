"""A sheet to print: the rules, and a score table."""

from cardhouse.cli.options import Paper as PaperName
from cardhouse.engine import catalogue_of
from cardhouse.print.forms import draw_heading
from cardhouse.print.pen import FAINT, INK, PAPERS, QUIET, RED, Face, Paper, Pen
from cardhouse.print.suits import draw_suit
from cardhouse.print.text import Paragraph, set_at
from magpies.rules import Magpies
from magpies.state import MOST, MagpiesOptions

EDGE = 18.0
ROW = 8.0
NAMES = 24.0
"""The width of the column with the number of the deal."""


def print_magpies(paper: PaperName = "a4", output: str = "magpies.pdf") -> None:
    """Print the rules of Magpies and a score sheet."""
    from cardhouse.cli.printing import write_pdf

    write_pdf(magpies_pdf(PAPERS[paper]), output, [])


def magpies_pdf(paper: Paper) -> bytes:
    """Return the page as a PDF."""
    with Pen(paper, "Magpies") as pen:
        pen.page()
        width = paper.width - 2 * EDGE
        below = draw_rules(pen, draw_title(pen, width), width)
        draw_scores(pen, below + 9, width)
        return pen.finish()


def draw_title(pen: Pen, width: float) -> float:
    """Draw the title and the description; return the position below them."""
    words = catalogue_of(Magpies).words
    pen.text(EDGE, 30, words.title, Face.SERIF_BOLD, 34)
    for place, suit in enumerate("SHCD"):
        draw_suit(pen, suit, EDGE + width - 34 + 9 * place, 22.5, 7, RED if suit in "HD" else INK)
    pen.text(EDGE, 38, words.tagline, Face.SANS, 11, colour=QUIET)
    pen.line(EDGE, 42, EDGE + width, 42, width=0.3)
    return 42


def draw_rules(pen: Pen, top: float, width: float) -> float:
    """Draw each rule in a row, with its name at the left."""
    y = top + 6
    for rule in catalogue_of(Magpies).rules.values():
        pen.text(EDGE, y + 3.55, rule.title, Face.SANS_BOLD, 10)
        block = set_at(pen, [Paragraph(rule.text)], 10, width - 32)
        block.draw(pen, EDGE + 32, y)
        y += block.height + 2.4
    return y


def draw_scores(pen: Pen, top: float, width: float) -> None:
    """Draw a column for each player, and as many rows for deals as fit."""
    deals = MagpiesOptions().deals
    column = (width - NAMES) / MOST
    y = top
    while y + (deals + 2) * ROW + 5 <= pen.paper.height - EDGE + 4:
        draw_heading(pen, EDGE, y, "Points")
        for row, name in enumerate(["", *(f"Deal {number}" for number in range(1, deals + 1)), "In all"]):
            line = y + 3 + ROW * (row + 1)
            pen.text(EDGE, line - 2.4, name, Face.SANS_BOLD if name == "In all" else Face.SANS, 9, colour=QUIET)
            pen.line(EDGE, line, EDGE + width, line, width=0.3 if row in (0, deals) else 0.15, colour=QUIET)
        for place in range(MOST):
            left = EDGE + NAMES + column * place
            pen.line(left, y + 3, left, y + 3 + ROW * (deals + 2), width=0.15, colour=FAINT)
        y += (deals + 2) * ROW + 14
