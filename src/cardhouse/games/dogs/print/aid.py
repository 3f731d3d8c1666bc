"""The game master's page: Fast NPCs, floating traits, Demonic Influence and fallout tables."""

from __future__ import annotations

from collections.abc import Sequence

from cardhouse.games.dogs.people.fast import DEMONIC_DRAWS, FAST, FLOATS, INITIATION, Line
from cardhouse.games.dogs.people.sheet import FastType, Sheet
from cardhouse.games.dogs.print.column import SMALL, Column
from cardhouse.games.dogs.print.reference import (
    draw_choices,
    draw_draws,
    draw_seeing,
    draw_severity,
    draw_worth,
    mark_text,
    stats_in_words,
    threshold,
    value_name,
)
from cardhouse.games.dogs.state import PILES
from cardhouse.print.forms import draw_field, draw_heading
from cardhouse.print.pen import FAINT, INK, QUIET, Face, Pen
from cardhouse.print.text import largest_in, printable

EDGE, NAME, TOP, GAP = 11.0, 18.0, 25.5, 8.0
APART = 3.0
"""The gap between the parts of a column."""
NPCS = 5
"""The number of NPCs per type with a column to tick."""
TOWNS = 8
ROW = 6.6
"""The height of a blank line."""

OPENING = """\
Say what is at stake, and who is on which side. Everyone draws for the arena's two Stats. With two
characters, the one who starts Raises first. With three or more, everyone Raises once per round, best card first.

Raise with one card. Each opponent must See it or give. On your own Raise or See you may bring traits into play, each
once per conflict; improvise once; escalate to one more arena, for its Stats not yet drawn.

Help: hand over a card, sideways, for half its value, rounded down. Your own next card then lies sideways.

If you give, keep your second-best card for a follow-up. If an NPC's fallout doesn't matter, its highest fallout card
goes to the player who starts the follow-up."""
"""DV-14 to DV-24: a conflict in short."""

HEALING = """\
Draw the healer's Acuity and the patient's Body, against all cards of the Fallout pile and Demonic Influence. The
healer Raises first, and may bring traits of both into play. Blows are physical. If healing fails, or no healer comes
in time, the patient dies."""
"""DV-30: healing in short."""


def draw_aid(pen: Pen, npcs: Sequence[Sheet]) -> None:
    """Draw the page, with these Fast NPCs filled in.

    Raises CardhouseError if a name can't be printed.
    """
    pen.page()
    width = pen.paper.width - 2 * EDGE
    pen.text(EDGE, NAME - 2, "For the game master", Face.SANS_BOLD, 20)
    draw_field(pen, EDGE + 86, NAME, width - 86, "Town")
    side = 72.0
    middle = width - 2 * side - 2 * GAP
    left = Column(pen, EDGE, TOP, side, apart=APART)
    draw_worth(left)
    draw_draws(left)
    draw_seeing(left)
    left.heading("A conflict")
    for text in OPENING.split("\n\n"):
        left.paragraph(text.replace("\n", " "))
    left.heading("Healing")
    left.paragraph(HEALING.replace("\n", " "))
    left.heading("An initiation")
    left.paragraph(f"You play the opposition: draw its hand for {_line(INITIATION)}.")
    _draw_notes(left)
    centre = Column(pen, EDGE + side + GAP, TOP, middle, apart=APART)
    _draw_fast(centre, npcs)
    _draw_floats(centre)
    _draw_demonic(centre)
    right = Column(pen, pen.paper.width - EDGE - side, TOP, side, apart=APART)
    _draw_piles(right)
    draw_severity(right)
    draw_choices(right)


def _line(line: Line) -> str:
    """Return a line in words, such as `3 cards and +`."""
    cards = [f"{line.cards} {'card' if line.cards == 1 else 'cards'}"] if line.cards else []
    marks = [mark_text(thing.mark, "regular") for thing in line.things]
    return ", ".join([*cards, " and ".join(marks)])


def _draw_fast(column: Column, npcs: Sequence[Sheet]) -> None:
    """Draw the four types (DV-34): the draws of each line, and boxes to tick for each NPC."""
    column.heading("Fast NPCs", "one line at the start, and one for each escalation")
    column.paragraph("Each additional member of a group adds a card to the first line, and a trait.")
    half = (column.width - 6) / 2
    top = column.y + 1
    for number, kind in enumerate(FAST):
        x, y = column.x + (half + 6) * (number % 2), top + 49 * (number // 2)
        _draw_type(column.pen, x, y, half, kind, [npc for npc in npcs if npc.fast == kind])
    column.y = top + 49 * 2


def _draw_type(pen: Pen, x: float, y: float, width: float, kind: FastType, npcs: Sequence[Sheet]) -> None:
    draw_heading(pen, x, y + 3.6, value_name("type", kind))
    step, box = 4.9, 3.4
    first = x + width - step * NPCS + (step - box)
    for number in range(NPCS):
        pen.text(
            first + number * step + box / 2, y + 3.6, str(number + 1), Face.SANS, SMALL, colour=QUIET, align="centre"
        )
    y += 5
    for line in FAST[kind]:
        pen.text(x, y + 3.2, _line(line), Face.SANS, 8.5)
        for number in range(NPCS):
            pen.box(first + number * step, y + 0.4, box, box, line=INK, thick=0.15)
        y += 4.6
    for number in range(NPCS):
        y += 4.6
        pen.text(x, y - 1, str(number + 1), Face.SANS, SMALL, colour=QUIET)
        pen.line(x + 4, y, x + width, y, width=0.15, colour=FAINT)
        if number < len(npcs):
            name = _npc_name(npcs[number])
            pen.text(x + 4, y - 1, name, Face.SANS, largest_in(pen, name, Face.SANS, width - 4, 9))


def _npc_name(npc: Sheet) -> str:
    """Return an NPC's name, and the number of additional members of its group (DV-35)."""
    name = printable(npc.name, f"The name {npc.name}")
    return f"{name}, and {npc.members} more" if npc.members else name


def _draw_floats(column: Column) -> None:
    """Draw the floating traits, to be ticked off in each Town (DV-36)."""
    column.heading("Floating traits", "for anyone, at any time; each once per Town")
    pen, step = column.pen, (column.width - 16) / TOWNS
    for number in range(TOWNS):
        pen.text(
            column.x + 16 + step * (number + 0.5),
            column.y + 3,
            str(number + 1),
            Face.SANS,
            SMALL,
            colour=QUIET,
            align="centre",
        )
    column.gap(4)
    for mark in FLOATS:
        face, size = (Face.SERIF_BOLD, 10) if mark_text(mark) else (Face.SANS, 8.5)
        pen.text(column.x, column.y + 3.1, mark_text(mark, "regular"), face, size)
        for number in range(TOWNS):
            pen.box(column.x + 16 + step * (number + 0.5) - 1.7, column.y + 0.2, 3.4, 3.4, line=INK, thick=0.15)
        column.gap(4.6)


def _draw_demonic(column: Column) -> None:
    """Draw the effect of Demonic Influence by its dice (DV-31)."""
    column.heading("Demonic Influence", "one trait, for the side it strengthens")
    pen, step = column.pen, column.width / len(DEMONIC_DRAWS)
    for number, (dice, line) in enumerate(DEMONIC_DRAWS.items()):
        x = column.x + step * number
        marks = mark_text(line.things[0].mark, "regular")
        pen.text(x, column.y + 3, f"{dice}d10", Face.SERIF_BOLD, 9)
        more = f", and {line.cards} card" if line.cards else ""
        pen.text(x, column.y + 6.6, f"{marks}{more}", Face.SANS, SMALL)
    column.gap(7.5)


def _draw_notes(column: Column) -> None:
    """Draw blank lines to the end of the page."""
    column.heading("Stakes, sides, cards kept for follow-ups")
    end = column.pen.paper.height - EDGE
    while column.y + ROW <= end:
        column.gap(ROW)
        column.pen.line(column.x, column.y, column.x + column.width, column.y, width=0.15, colour=FAINT)


def _draw_piles(column: Column) -> None:
    """Draw each pile's experience threshold (DV-26) and its arena's Stats (DV-9)."""
    column.heading("Arenas and fallout", "for the Experience pile")
    pen = column.pen
    for pile in PILES:
        pen.text(column.x, column.y + 3.1, value_name("pile", pile), Face.SANS_BOLD, 8.5)
        pen.text(column.x + 17, column.y + 3.1, stats_in_words(pile), Face.SANS, 8.5)
        pen.text(column.x + column.width, column.y + 3.1, threshold(pile), Face.SERIF_BOLD, 9, align="right")
        column.gap(4.4)
    column.paragraph("All other cards go to the Fallout pile: the highest decides how bad it is.")
