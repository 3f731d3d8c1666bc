"""Hackjack's character sheet: space for the draw pile, tracks for the numbers, and lists of wounds and marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhouse.cards import Card
from cardhouse.engine import GM
from cardhouse.engine.values.portraits import NO_PORTRAITS, Portraits
from cardhouse.games.hackjack.print.cards import ends_in_words
from cardhouse.games.hackjack.sheets import character_of
from cardhouse.games.hackjack.state import RECOVERY, USUAL, Character, Sheet, WoundTaken
from cardhouse.games.hackjack.wounds.schema import ABILITIES, Wounds
from cardhouse.print.forms import LABEL, draw_field, draw_heading, draw_index
from cardhouse.print.pages import HEIGHT as CARD_HEIGHT
from cardhouse.print.pages import WIDTH as CARD_WIDTH
from cardhouse.print.pen import FAINT, INK, POINT, QUIET, RED, WHITE, Face, Pen
from cardhouse.print.people import Place, State, draw_portrait
from cardhouse.print.suits import draw_drop
from cardhouse.print.text import Block, Paragraph, largest_in, printable, set_at

EDGE = 14.0
ASIDE = 58.0
"""The width of the right column."""
GAP = 8.0
PORTRAIT = 17.0

SOURCE_ROW = 3
"""The only row of the recovery table that the source has (HJ-17)."""

DROPS = 20
NOTE = 9.0
READING = (8.5, 8.0, 7.5, 7.0)
"""The type sizes for wounds and marks, the default first."""
HEADED, INDENT, APART = 3.0, 12.0, 2.4
"""The gap below a list's heading, the indent of its texts, and the gap between entries."""
ROW = 9.0
"""The distance between empty lines."""

LIMIT = USUAL.limit


class Item(NamedTuple):
    """A wound or a mark in a list: its card and its text."""

    card: Card
    block: Block


def draw_sheet(pen: Pen, sheet: Sheet | None, wounds: Wounds, portraits: Portraits = NO_PORTRAITS) -> None:
    """Draw a character's sheet, or an empty one, with more pages if the lists need them.

    Raises CardhouseError if something can't be printed.
    """
    who = None if sheet is None else character_of(sheet, GM, wounds)
    pen.page()
    looks = None if who is None else (who.name, _looks(who))
    draw_portrait(pen, Place(EDGE, 28 - PORTRAIT, PORTRAIT), looks, portraits, "crypt")
    _draw_name(pen, who)
    _draw_abilities(pen, who)
    _draw_score(pen, 60, who)
    _draw_pile_place(pen, 83)
    _draw_blood(pen, 83, who)
    _draw_trauma(pen, 113, who)
    _draw_lists(pen, 187, who, wounds)


def _left(pen: Pen) -> float:
    """Return the width of the left column."""
    return pen.paper.width - 2 * EDGE - GAP - ASIDE


def _aside(pen: Pen) -> float:
    """Return the x of the right column."""
    return pen.paper.width - EDGE - ASIDE


# Identity.


def _draw_name(pen: Pen, who: Character | None) -> None:
    name = "" if who is None else printable(who.name, f"The name {who.name}")
    right = _aside(pen)
    state = _state(who)
    x = EDGE + PORTRAIT + 4
    wide = EDGE + _left(pen) - x
    draw_field(pen, x, 28, wide, "Name")
    if name:
        pen.text(x, 26, name, Face.SANS_BOLD, largest_in(pen, name, Face.SANS_BOLD, wide - 22, 20))
    if state:
        pen.text(EDGE + _left(pen), 26, state, Face.SANS_BOLD, 10, colour=RED, align="right")
    half = (ASIDE - 6) / 2
    for x, label, value in ((right, "HP", who and who.hp), (right + half + 6, "Max HP", who and who.max_hp)):
        draw_field(pen, x, 28, half, label)
        if value is not None:
            pen.text(x, 26, str(value), Face.SERIF, 20)


def _state(who: Character | None) -> str:
    """Return the state that is printed in red, or an empty string."""
    if who is None:
        return ""
    if not who.alive:
        return "dead"
    return "passed out" if who.unconscious else "down" if who.down else ""


def _looks(who: Character) -> State:
    return "dead" if not who.alive else "down" if who.down else "up"


def _draw_abilities(pen: Pen, who: Character | None) -> None:
    """Draw the six abilities without wounds, the hit die and the to-hit note."""
    width, gap, y = 14.5, 5.1, 47
    for number, ability in enumerate(ABILITIES):
        x = EDGE + number * (width + gap)
        draw_field(pen, x, y, width, ability)
        if who is not None and ability in who.scores:
            pen.text(x, y - 2, str(who.scores[ability]), Face.SERIF, 16)
    right, die = _aside(pen), 18.0
    draw_field(pen, right, y, die, "Hit die")
    draw_field(pen, right + die + 6, y, ASIDE - die - 6, "To hit")
    if who is not None and who.hit_die:
        pen.text(right, y - 2, who.hit_die, Face.SERIF, 16)
    if who is not None and who.to_hit:
        note = printable(who.to_hit, f"The to-hit note of {who.name}")
        size = largest_in(pen, note, Face.SANS, ASIDE - die - 6, 12, smallest=LABEL)
        block = set_at(pen, [Paragraph(note)], size, ASIDE - die - 6)
        block.draw(pen, right + die + 6, y - 1.2 - block.height)


# The numbers.


def _draw_score(pen: Pen, y: float, who: Character | None) -> None:
    """Draw the death-score track from 1 to the limit."""
    draw_heading(pen, EDGE, y, "Death-score")
    right = pen.paper.width - EDGE
    score = 0 if who is None else who.death_score
    if score > LIMIT:
        pen.text(EDGE + 24, y, str(score), Face.SERIF_BOLD, 11, colour=RED)
    rule = f"Exactly {LIMIT}: back to 0, all else stays. Above {LIMIT}: death."
    pen.text(right, y, rule, Face.SANS, LABEL, colour=QUIET, align="right")
    width = (right - EDGE) / LIMIT
    for number in range(1, LIMIT + 1):
        x, here = EDGE + (number - 1) * width, number == score
        pen.box(x, y + 3, width, 9.5, fill=INK if here else None, line=INK, thick=0.2)
        colour = WHITE if here else RED if number == LIMIT else INK
        pen.text(x + width / 2, y + 9.3, str(number), Face.SERIF, 12, colour=colour, align="centre")


def _draw_pile_place(pen: Pen, y: float) -> None:
    """Draw the space for the cards, which overlap so that every index shows."""
    draw_heading(pen, EDGE, y, "Draw pile")
    width = _left(pen)
    hint = "Keep each corner in sight; tokens for the rest. The sum is the death-score."
    pen.text(EDGE + width, y, hint, Face.SANS, LABEL, colour=QUIET, align="right")
    top = y + 3
    pen.box(EDGE, top, width, CARD_HEIGHT + 3, line=FAINT, thick=0.25, round_=3)
    step = (width - 3 - CARD_WIDTH) / 4
    for number in range(4):
        x = EDGE + 1.5 + number * step
        pen.line(x, top + 4.5, x, top + CARD_HEIGHT - 1.5, width=0.2, colour=FAINT, dash=1.2)
    last = EDGE + 1.5 + 4 * step
    pen.box(last, top + 1.5, CARD_WIDTH, CARD_HEIGHT, line=FAINT, thick=0.2, round_=3, dash=1.2)


def _draw_blood(pen: Pen, y: float, who: Character | None) -> None:
    """Draw the blood pool as drops to cross off."""
    x, blood = _aside(pen), 0 if who is None else who.blood
    draw_heading(pen, x, y, "Blood pool")
    if who is not None:
        pen.text(x + ASIDE, y, str(blood), Face.SERIF_BOLD, 11, colour=RED if blood else INK, align="right")
    step = (ASIDE + 1.4) / (DROPS / 2)
    for number in range(DROPS):
        row, column = divmod(number, DROPS // 2)
        draw_drop(pen, x + column * step, y + 3.2 + row * 6.2, 4.6, filled=number < blood)
    hint = "The next hit adds it to the draw pile, unless you prevent blood loss."
    set_at(pen, [Paragraph(hint, colour=QUIET)], LABEL, ASIDE).draw(pen, x, y + 16)


def _draw_trauma(pen: Pen, y: float, who: Character | None) -> None:
    """Draw the Trauma track from 0 to 6, with the recovery time of each (HJ-14, HJ-17)."""
    x, trauma = _aside(pen), None if who is None else who.trauma
    draw_heading(pen, x, y, "Trauma")
    pen.text(x + ASIDE, y, "recovery time", Face.SANS, LABEL, colour=QUIET, align="right")
    step, top = 5.9, y + 2.4
    for number in range(max(RECOVERY) + 1):
        row, here = top + number * step, number == trauma
        pen.line(x, row, x + ASIDE, row, width=0.15, colour=FAINT)
        pen.box(x, row + 0.9, step - 1.8, step - 1.8, line=INK, fill=INK if here else None, thick=0.2)
        pen.text(x + 9, row + 4.3, str(number), Face.SERIF, 12, align="centre")
        dice, unit = RECOVERY.get(number, ("", "none"))
        pen.text(x + ASIDE, row + 4.2, f"{dice} {unit}".strip(), Face.SANS, NOTE, align="right")
    bottom = top + step * (max(RECOVERY) + 1)
    pen.line(x, bottom, x + ASIDE, bottom, width=0.15, colour=FAINT)
    hint = (
        f"Row {SOURCE_ROW} is from the original; the others are ours (HJ-17). Trauma is the highest value, not a sum."
    )
    set_at(pen, [Paragraph(hint, colour=QUIET)], LABEL, ASIDE).draw(pen, x, bottom + 0.8)
    clock = who.recovery if who is not None else None
    pen.line(x, bottom + 17, x + ASIDE, bottom + 17, width=0.25)
    pen.text(x, bottom + 20.4, "Recovery time rolled", Face.SANS, LABEL, colour=QUIET)
    if clock is not None:
        pen.text(x, bottom + 15.4, f"{clock.amount} {clock.unit}", Face.SERIF, 14)


# Wounds and marks.


def _draw_lists(pen: Pen, y: float, who: Character | None, wounds: Wounds) -> None:
    """Draw wounds on the left and marks on the right. Lists too long even in small type continue on more pages."""
    suffered, marks = _items(pen, who, wounds, pen.paper.height - EDGE - y - HEADED)
    while True:
        draw_heading(pen, EDGE, y, "Wounds")
        pen.text(EDGE + _left(pen), y, "and how each ends", Face.SANS, LABEL, colour=QUIET, align="right")
        draw_heading(pen, _aside(pen), y, "Permanent marks")
        suffered = _draw_list(pen, EDGE, y + HEADED, _left(pen), suffered)
        marks = _draw_list(pen, _aside(pen), y + HEADED, ASIDE, marks)
        if who is None or not (suffered or marks):
            return
        pen.page()
        pen.text(EDGE, 26, f"{printable(who.name, 'A name')}, continued", Face.SANS_BOLD, 14)
        y = 38


def _items(pen: Pen, who: Character | None, wounds: Wounds, height: float) -> tuple[list[Item], list[Item]]:
    """Return wounds and marks in the largest type in which both fit, or in the default size if none does."""
    if who is None:
        return [], []
    for size in (*READING, READING[0]):
        found = [_wound_item(pen, who, taken, wounds, size) for taken in who.wounds], list(_mark_items(pen, who, size))
        if all(sum(item.block.height + APART for item in items) <= height for items in found):
            break
    return found


def _wound_item(pen: Pen, who: Character, taken: WoundTaken, wounds: Wounds, size: float) -> Item:
    wound, where = wounds[taken.card], f"{who.name}'s wound {taken.card}"
    found = [
        f"{detail.what}: {detail.means[face - 1] if detail.means else face}"
        for detail, face in zip(wound.details, taken.found, strict=False)
    ]
    found += [f"{ability} {-by}" for ability, by in taken.drops.items()]
    found += [f"{ability} {-by * taken.worn}" for ability, by in wound.wears.items() if taken.worn]
    paragraphs = [
        Paragraph(printable(f"{wound.name}, {ends_in_words(wound.ends)}", where), Face.SANS_BOLD),
        Paragraph(printable(wound.text, where), size=0.94),
    ]
    if found:
        paragraphs.append(Paragraph(printable("; ".join(found), where), size=0.94, colour=QUIET))
    return Item(taken.card, set_at(pen, paragraphs, size, _left(pen) - INDENT))


def _mark_items(pen: Pen, who: Character, size: float) -> Iterator[Item]:
    for mark in who.marks:
        text = printable(mark.lasting.text, f"{who.name}'s mark {mark.card}")
        yield Item(mark.card, set_at(pen, [Paragraph(text)], size, ASIDE - INDENT))


def _draw_list(pen: Pen, x: float, y: float, width: float, items: Sequence[Item]) -> list[Item]:
    """Draw items down to the end of the page, then empty lines. Returns the items that don't fit."""
    end = pen.paper.height - EDGE
    for number, item in enumerate(items):
        if y + item.block.height > end:
            return list(items[number:])
        draw_index(pen, x, y + item.block.size * POINT, item.card)
        item.block.draw(pen, x + INDENT, y)
        y += item.block.height + APART
    while y + ROW <= end:
        y += ROW
        pen.line(x, y, x + width, y, width=0.15, colour=FAINT)
    return []
