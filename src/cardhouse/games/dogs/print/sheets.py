"""A character's sheet: a landscape page, so that four piles of cards fit at its lower edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardhouse.cards import Card
from cardhouse.engine.values.portraits import NO_PORTRAITS, Portraits
from cardhouse.games.dogs.people.sheet import STATS, Sheet, Stats
from cardhouse.games.dogs.people.templates import BELONGINGS, TEMPLATES
from cardhouse.games.dogs.print.column import SMALL, Column
from cardhouse.games.dogs.print.history import draw_history
from cardhouse.games.dogs.print.reference import (
    draw_choices,
    draw_draws,
    draw_seeing,
    draw_severity,
    draw_worth,
    stats_in_words,
    threshold,
    value_name,
)
from cardhouse.games.dogs.print.things import Groups, blank_groups, draw_things, groups_of
from cardhouse.games.dogs.state import PILES
from cardhouse.print.drawings import symbols
from cardhouse.print.forms import draw_field, draw_heading, draw_index
from cardhouse.print.pages import WIDTH as CARD_WIDTH
from cardhouse.print.pen import FAINT, INK, QUIET, RED, WHITE, Face, Pen
from cardhouse.print.people import Place, State, draw_portrait
from cardhouse.print.text import Block, Paragraph, fitted, largest_in, printable

EDGE = 11.0
LEFT, RIGHT, GAP = 58.0, 76.0, 8.0
"""The widths of the left and right columns, and their distance from the middle one."""

NAME, TOP = 18.0, 25.5
"""The baseline of the name, and the top of the columns."""
PILES_HIGH = 54.5
"""The distance of the piles' headings from the lower edge."""
MARGIN = 8.0
"""The margin that printers can't print on."""

PORTRAIT = 13.0
BOX = 17.0
"""The side of a Stat's box."""
LISTS, AT_HAND, HISTORY = 0.62, 16.0, 16.0
"""The usual share of the middle for things, and the least heights of kept cards and history."""
CARD = 10.5
"""The distance between cards in a line."""
SIGNS = {"talking": "conversation", "physical": "hand", "fighting": "fist", "guns": "revolver"}
"""The drawing of each arena, as in the game's six pictures."""
SIGN = 9.0


def draw_sheet(pen: Pen, sheet: Sheet, portraits: Portraits = NO_PORTRAITS) -> None:
    """Draw a character's sheet, with more pages if its things don't fit even in small type.

    Raises CardhouseError if a text can't be printed.
    """
    groups = groups_of(sheet)
    _draw_page(pen, printable(sheet.name, f"The name {sheet.name}"), _state(sheet), sheet, groups, portraits)


def draw_blank(pen: Pen, template: str | None) -> None:
    """Draw a blank sheet with a template's slots (DV-3), or without any."""
    if template is None:
        _draw_page(pen, "", "", None, blank_groups((), (), ()))
        return
    chosen = TEMPLATES[template]
    state = f"{value_name('template', template)}: {chosen.points} points"
    _draw_page(pen, "", state, None, blank_groups(chosen.trait, chosen.relationship, _belongings()))


def _belongings() -> tuple[str, ...]:
    """Return the marks of the default belongings; the last is an alternative (DV-4)."""
    first, second = BELONGINGS
    return (*first[:2], f"{first[2]} or {second[2]}")


def _state(sheet: Sheet) -> str:
    """Return the character's condition in words; empty if well and present."""
    parts = [] if sheet.condition == "well" else [sheet.condition.replace("_", " ")]
    return ", ".join([*parts, *(["has left the scene"] if sheet.away else [])])


def _draw_page(
    pen: Pen, name: str, state: str, sheet: Sheet | None, groups: Groups, portraits: Portraits = NO_PORTRAITS
) -> None:
    pen.page()
    looks: tuple[str, State] | None = None
    if sheet is not None:
        looks = sheet.name, "dead" if sheet.condition == "dead" else "up"
    draw_portrait(pen, Place(EDGE, NAME + 3 - PORTRAIT, PORTRAIT), looks, portraits, "faith")
    _draw_name(pen, name, state, sheet)
    piles = pen.paper.height - PILES_HIGH
    left = Column(pen, EDGE, TOP, LEFT)
    _draw_stats(left, sheet.stats if sheet is not None else None)
    draw_worth(left)
    draw_draws(left)
    draw_seeing(left)
    right = Column(pen, pen.paper.width - EDGE - RIGHT, TOP, RIGHT)
    draw_severity(right)
    draw_choices(right)
    x, width = EDGE + LEFT + GAP, pen.paper.width - 2 * EDGE - LEFT - RIGHT - 2 * GAP
    bottom = piles - 6
    most = bottom - HISTORY - AT_HAND - (6 if sheet is not None and sheet.wounds else 0)
    end, rest = draw_things(pen, x, TOP, width, (TOP + (bottom - TOP) * LISTS, most), groups)
    y = _draw_at_hand(pen, x, end + 2, width, sheet)
    draw_history(pen, x, y, width, bottom, sheet)
    _draw_piles(pen, piles)
    if rest:
        _draw_rest(pen, name, rest)


def _draw_name(pen: Pen, name: str, state: str, sheet: Sheet | None) -> None:
    right = pen.paper.width - EDGE - RIGHT
    x = EDGE + PORTRAIT + 4
    width = right - GAP - x
    draw_field(pen, x, NAME, width, "Name")
    if name:
        pen.text(x, NAME - 2, name, Face.SANS_BOLD, largest_in(pen, name, Face.SANS_BOLD, width, 24))
    draw_field(pen, right, NAME, RIGHT, "Condition" if sheet is not None else "Template")
    if state:
        size = largest_in(pen, state, Face.SANS_BOLD, RIGHT, 12)
        pen.text(right, NAME - 2, state, Face.SANS_BOLD, size, colour=RED if sheet is not None else INK)


# Stats and arenas.


def _draw_stats(column: Column, stats: Stats | None) -> None:
    """Draw four boxes; each arena's line joins the two Stats it draws (DV-9)."""
    pen, x, y = column.pen, column.x, column.y + 1
    far, low = column.width - BOX, 34.0
    corners = dict(zip(STATS, ((0.0, 0.0), (0.0, low), (far, 0.0), (far, low)), strict=True))
    middle = BOX / 2
    for pile, (x1, y1, x2, y2), along in (
        ("talking", (BOX, middle, far, middle), 0.5),
        ("fighting", (BOX, low + middle, far, low + middle), 0.5),
        ("guns", (BOX, BOX, far, low), 0.24),
        ("physical", (BOX, low, far, BOX), 0.72),
    ):
        pen.line(x + x1, y + y1, x + x2, y + y2, width=0.25, colour=FAINT)
        label, size = value_name("arena", pile), 8
        mx, my = x + x1 + (x2 - x1) * along, y + y1 + (y2 - y1) * along
        wide = pen.width(label, Face.SANS_BOLD, size) + 1.6
        pen.box(mx - wide / 2, my - 1.9, wide, 3.8, fill=WHITE)
        pen.text(mx, my + 1, label, Face.SANS_BOLD, size, align="centre")
    for stat, (dx, dy) in corners.items():
        pen.box(x + dx, y + dy, BOX, BOX, line=INK, thick=0.35, round_=2)
        pen.text(x + dx + middle, y + dy + BOX - 2.2, value_name("stat", stat), Face.SANS, SMALL, align="centre")
        if stats is not None:
            pen.text(x + dx + middle, y + dy + 9.8, str(stats.of(stat)), Face.SERIF_BOLD, 22, align="centre")
    column.gap(low + BOX + 2.6)
    pen.text(
        x + column.width / 2,
        column.y + 2,
        "one card per point, nine points at most",
        Face.SANS,
        SMALL,
        colour=QUIET,
        align="centre",
    )
    column.gap(3.6)


# Cards and notes.


def _draw_at_hand(pen: Pen, x: float, y: float, width: float, sheet: Sheet | None) -> float:
    """Draw kept cards (DV-22), notes for the next conflict (DV-32), and fallout to be healed (DV-30)."""
    left = width * 0.4
    right = width - left - 5
    draw_heading(pen, x, y + 3.6, "Kept for a follow-up")
    draw_heading(pen, x + left + 5, y + 3.6, "Next conflict")
    for at, wide in ((x, left), (x + left + 5, right)):
        pen.line(at, y + 11, at + wide, y + 11, width=0.15, colour=FAINT)
    if sheet is None:
        return y + 14
    _draw_cards(pen, x, y + 9.4, left, sheet.kept)
    if (block := _block_of(pen, _pending(sheet), right)) is not None:
        block.draw(pen, x + left + 5, y + 10.4 - block.height)
    if not sheet.wounds:
        return y + 14
    pen.text(x, y + 16.4, "Fallout to be healed", Face.SANS_BOLD, 10, colour=RED)
    _draw_cards(pen, x + left + 5, y + 16.4, right, sheet.wounds)
    return y + 20


def _block_of(pen: Pen, parts: Sequence[str], width: float) -> Block | None:
    """Return as many of the texts as fit, as one block."""
    for number in range(len(parts), 0, -1):
        text = "; ".join([*parts[:number], *(["\u2026"] if number < len(parts) else [])])
        if (block := fitted(pen, [Paragraph(text)], width, 6.4, 9)) is not None:
            return block
    return None


def _pending(sheet: Sheet) -> list[str]:
    """Return the choices still owed, and the effects on the next conflict."""
    parts = ["the Stats may still be changed"] if sheet.proposed else []
    for owed, number in Counter(sheet.owed).items():
        parts.append(f"to choose: {owed.replace('_', '-')}" + (f", {number} times" if number > 1 else ""))
    for later in sheet.later:
        if later.effect == "troublesome_trait":
            parts.append(f"{later.thing} \u2212")
        elif later.effect == "counts_troublesome":
            parts.append(f"{later.thing} counts as \u2212")
        else:
            parts.append("one card fewer")
    return [printable(text, f"What {sheet.name} chose") for text in parts]


def _draw_cards(pen: Pen, x: float, y: float, width: float, cards: Sequence[Card]) -> None:
    """Draw as many cards in a line as fit, and the number of the others."""
    room = int(width // CARD)
    shown = cards if len(cards) <= room else cards[: room - 1]
    for number, card in enumerate(shown):
        draw_index(pen, x + CARD * number, y, card, close=True)
    if len(cards) > len(shown):
        pen.text(x + CARD * len(shown), y, f"+{len(cards) - len(shown)}", Face.SANS, 9)


def _draw_piles(pen: Pen, y: float) -> None:
    """Draw the four fallout piles, as wide as a card that may overhang the edge, with their thresholds."""
    apart = (pen.paper.width - 2 * EDGE - CARD_WIDTH * len(PILES)) / (len(PILES) - 1)
    high = pen.paper.height - MARGIN - y - 2.5
    for number, pile in enumerate(PILES):
        x = EDGE + number * (CARD_WIDTH + apart)
        draw_heading(pen, x, y, value_name("pile", pile))
        pen.text(x + 19, y, stats_in_words(pile), Face.SANS, SMALL, colour=QUIET)
        edge = f"M0 {high}V3A3 3 0 0 1 3 0H{CARD_WIDTH - 3}A3 3 0 0 1 {CARD_WIDTH} 3V{high}"
        pen.shape(edge, x, y + 2.5, 1, line=FAINT, thick=0.3)
        middle = x + CARD_WIDTH / 2
        _draw_sign(pen, SIGNS[pile], middle - SIGN / 2, y + 4)
        pen.text(middle, y + 20, threshold(pile), Face.SERIF_BOLD, 20, align="centre")
        pen.text(middle, y + 25.5, "to your Experience pile", Face.SANS, 9, align="centre")
        pen.text(middle, y + 30, "all others to your Fallout pile", Face.SANS, 9, colour=QUIET, align="centre")


def _draw_sign(pen: Pen, name: str, x: float, y: float) -> None:
    pen.drawing(symbols("icons")[name].replace("currentColor", "#5c5c5c"), x, y, SIGN / 512)


def _draw_rest(pen: Pen, name: str, rest: Groups) -> None:
    """Draw the things that didn't fit on the first page."""
    while rest:
        pen.page()
        pen.text(EDGE, NAME - 2, f"{name}, continued", Face.SANS_BOLD, largest_in(pen, name, Face.SANS_BOLD, 150, 14))
        bottom = pen.paper.height - EDGE
        _, rest = draw_things(pen, EDGE, TOP, pen.paper.width - 2 * EDGE, (bottom, bottom), rest)
