"""Reference tables for printing: card values, draws, Seeing a Raise, and the severity of fallout."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import fields

from cardhouse.cards import RANKS
from cardhouse.engine import Words, catalogue_of
from cardhouse.games.dogs.actions import ExperienceChoice, FalloutChoice
from cardhouse.games.dogs.fallout.aftermath import LONG_TERM
from cardhouse.games.dogs.print.column import LINE, SMALL, Column
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import ARENAS, EXPERIENCE_FROM, Pile
from cardhouse.print.pen import QUIET, Face

WORTH = (("A", "1"), ("2 to 10", "their number"), ("J Q", "12"), ("K", "14"))
"""DV-8: card values."""

DRAWS = (
    (("", "1 card"), ("*", "2, keep both")),
    (("-", "2, keep the worse"), ("-*", "4, keep the 2 worst")),
    (("+", "2, keep the better"), ("+*", "4, keep the 2 best")),
)
"""DV-6, DV-7: the draw for each mark, and for the same mark with a star."""

SEEING = (
    "One card that matches or beats it: you block.",
    "Two or more that together match or beat it: you Take the Blow. Draw as many, face down, to that arena's pile.",
    "One card worth double: you Reverse the Blow, and the card goes back to your hand.",
)
"""DV-17 to DV-19: how to See a Raise."""

SEVERITY = (
    ("J of spades", "dying", "The character is done."),
    ("J 10 9", "mortally_wounded", "Two long-term choices. Win a healing conflict, or die."),
    (
        "8 7 6",
        "injured",
        "Two long-term choices. Draw a card for each point of Body. If none matches this card, you need healing.",
    ),
    ("5 4 3", "long_term", "One long-term choice."),
    ("2 A or none", "short_term", "One short-term choice."),
)
"""DV-28, DV-29: the highest card of the Fallout pile, its severity, and the consequences."""


def words() -> Words:
    """Return the game's own texts."""
    return catalogue_of(Dogs).words


def value_name(field: str, of: str) -> str:
    """Return the name of a value."""
    return words().values.get(f"{field}.{of}", of)


def mark_text(mark: str, regular: str = "") -> str:
    """Return a mark for print: nothing or a word for regular, and a proper minus sign."""
    return mark.removeprefix("o").replace("-", "\u2212") or regular


def in_words(mark: str) -> str:
    """Return a mark's meaning (DV-2), such as `strong, significant`; for an alternative, both meanings."""
    either = (value_name("kind", part[0]) + (", significant" if "*" in part else "") for part in mark.split(" or "))
    return ", or ".join(either)


def stats_in_words(arena: str) -> str:
    """Return the two Stats of an arena (DV-9)."""
    return " + ".join(value_name("stat", stat) for stat in ARENAS[arena])


def threshold(pile: Pile) -> str:
    """Return the ranks that count as experience in a pile, such as `10 and up` (DV-26)."""
    ranks = RANKS[EXPERIENCE_FROM[pile] - 1 :]
    return " or ".join(ranks) if len(ranks) < 3 else f"{ranks[0]} and up"


def choices(list_: str) -> list[str]:
    """Return the options of a list in the game's own words (DV-32)."""
    experience, fallout = (
        get_args(next(field.type for field in fields(action) if field.name == "choice"))
        for action in (ExperienceChoice, FalloutChoice)
    )
    short_term = [choice for choice in fallout if choice not in LONG_TERM]
    chosen = {"experience": experience, "long_term": LONG_TERM, "short_term": short_term}[list_]
    own = words().values
    return [own.get(f"{list_}.{choice}", own[f"choice.{choice}"]) for choice in chosen]


def draw_worth(column: Column) -> None:
    """Draw the card values (DV-8)."""
    column.heading("Card values")
    pen, y = column.pen, column.y + 3
    # Each column is as wide as its text; the space left over goes between them.
    widths = [pen.width(rank, Face.SERIF_BOLD, 9) + 1.2 + pen.width(is_, Face.SANS, SMALL) for rank, is_ in WORTH]
    apart = (column.width - sum(widths)) / (len(WORTH) - 1)
    x = column.x
    for (rank, is_), width in zip(WORTH, widths, strict=True):
        pen.text(x, y, rank, Face.SERIF_BOLD, 9)
        pen.text(x + pen.width(rank, Face.SERIF_BOLD, 9) + 1.2, y, is_, Face.SANS, SMALL)
        x += width + apart
    column.gap(4.2)


def draw_draws(column: Column) -> None:
    """Draw the number of cards for each mark (DV-6, DV-7) and for improvising (DV-11)."""
    column.heading("For each mark you draw")
    pen, half = column.pen, column.width / 2
    for pair in DRAWS:
        for place, (mark, text) in enumerate(pair):
            x = column.x + half * place
            if mark:
                pen.text(x + 2.5, column.y + 3, mark_text(mark), Face.SERIF_BOLD, 10, align="centre")
            else:
                pen.text(x, column.y + 3, "none", Face.SANS, SMALL, colour=QUIET)
            pen.text(x + 7, column.y + 3, text, Face.SANS, SMALL)
        column.gap(3.9)
    column.gap(0.4)
    plain, star = mark_text("-"), mark_text("-*")
    column.paragraph(
        f"Improvised: like {plain}. Desperate, or really significant: like {star}. A gun: its own, and like {plain}."
    )


def draw_seeing(column: Column) -> None:
    """Draw the ways to See a Raise (DV-17 to DV-19)."""
    column.heading("Seeing a Raise")
    for text in SEEING:
        column.paragraph(text)


def draw_severity(column: Column) -> None:
    """Draw the table of severities by highest fallout card (DV-28, DV-29)."""
    column.heading("Your highest fallout card")
    for cards, severity, follows in SEVERITY:
        column.rule()
        pen, indent = column.pen, 21.0
        base = column.y + LINE * 0.76
        pen.text(column.x, base, cards, Face.SERIF_BOLD, 9)
        called = f"{value_name('severity', severity).capitalize()}."
        pen.text(column.x + indent, base, called, Face.SANS_BOLD, SMALL)
        after = indent + pen.width(called, Face.SANS_BOLD, SMALL) + 1.2
        if pen.width(follows, Face.SANS, SMALL) > column.width - after:  # continue on a line of its own
            column.gap(LINE)
            after = indent
        rest = Column(pen, column.x + after, column.y, column.width - after)
        rest.paragraph(follows)
        column.y = rest.y
    column.rule()


def draw_choices(column: Column) -> None:
    """Draw the three lists of options (DV-32)."""
    for list_, title, note in (
        ("experience", "Experience", "with two or more red cards"),
        ("long_term", "Long-term", "for good"),
        ("short_term", "Short-term", "for now"),
    ):
        column.heading(title, note)
        column.points(choices(list_))
        column.gap(0.4)
