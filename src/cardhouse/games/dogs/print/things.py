"""Traits, relationships and belongings on a sheet, with their marks, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhouse.games.dogs.people.sheet import GROUPS, Group, Sheet, Thing
from cardhouse.games.dogs.print.column import SMALL
from cardhouse.games.dogs.print.reference import in_words, mark_text
from cardhouse.print.forms import draw_heading
from cardhouse.print.pen import FAINT, QUIET, Face, Pen
from cardhouse.print.text import Block, Paragraph, largest_in, printable, set_at

APART = 7.0
"""The gap between columns."""
MARK = 11.0
"""The width of the box for a mark, including the gap before it."""
HEADED = 6.4
"""The height of a heading."""
ROW = 6.6
"""The height of a blank line."""

READING = (10.0, 9.5, 9.0, 8.5, 8.0)
"""Type sizes to try with each group in its usual place."""
CLOSE = (8.0, 7.5, 7.0, 6.5)
"""Type sizes to try with the groups flowing from column to column."""


class Entry(NamedTuple):
    """A thing in print: name and mark; a blank slot has its meaning in words."""

    name: str
    mark: str
    slot: str = ""


Groups = dict[Group, list[Entry]]


class Item(NamedTuple):
    """An entry set in type, with its height."""

    group: Group
    mark: str
    slot: str
    block: Block
    height: float


def groups_of(sheet: Sheet) -> Groups:
    """Return a character's things by group.

    Raises CardhouseError if a name can't be printed.
    """
    return {group: [_entry(sheet, thing) for thing in sheet.things if thing.group == group] for group in GROUPS}


def _entry(sheet: Sheet, thing: Thing) -> Entry:
    name = printable(thing.name, f"{sheet.name}'s {thing.group} {thing.name}")
    return Entry(f"{name} (gun)" if thing.gun else name, thing.mark)


def blank_groups(*marks: Sequence[str]) -> Groups:
    """Return blank slots with these marks, for each group."""
    return {
        group: [Entry("", mark, in_words(mark)) for mark in of_group]
        for group, of_group in zip(GROUPS, marks, strict=True)
    }


def draw_things(
    pen: Pen, x: float, y: float, width: float, ends: tuple[float, float], groups: Groups
) -> tuple[float, Groups]:
    """Draw things in columns that end at the first of these heights, or at the second if they need the room.

    Returns the height used, and the things that didn't fit. With two columns, traits go on the left and the others on
    the right if the type stays large enough; otherwise the groups flow.
    """
    columns = 2 if width < 180 else 4
    wide = (width - APART * (columns - 1)) / columns
    xs = [x + number * (wide + APART) for number in range(columns)]
    usual, most = ends
    for size in READING if columns == 2 else ():
        items = {group: [_item(pen, group, entry, size, wide) for entry in groups.get(group, [])] for group in GROUPS}
        left, right = [items["trait"]], [items["relationship"], items["belonging"]]
        if max(_height(left), _height(right)) <= usual - y:
            _draw_column(pen, xs[0], y, wide, usual, left, GROUPS[:1])
            _draw_column(pen, xs[1], y, wide, usual, right, GROUPS[1:])
            return usual, {}
    for size in CLOSE:
        flowing = [_item(pen, group, entry, size, wide) for group in GROUPS for entry in groups.get(group, [])]
        for end in (usual, most):
            placed = list(_placed(flowing, y, end, columns))
            if len(placed) == len(flowing) or (size, end) == (CLOSE[-1], most):
                _draw_placed(pen, xs, wide, placed, flowing, y)
                return end, _left_over(groups, len(placed))
    raise AssertionError("the last size is drawn, whatever is left")


def _item(pen: Pen, group: Group, entry: Entry, size: float, wide: float) -> Item:
    block = set_at(pen, [Paragraph(entry.name)], size, wide - MARK)
    return Item(group, entry.mark, entry.slot, block, max(block.height + (size - 4) * 0.28, 0 if entry.name else ROW))


def _height(groups: Sequence[Sequence[Item]]) -> float:
    return sum(HEADED + max(ROW, sum(item.height for item in items)) for items in groups)


def _draw_column(
    pen: Pen, x: float, y: float, wide: float, end: float, lists: Sequence[Sequence[Item]], groups: Sequence[Group]
) -> None:
    """Draw groups one below the other; blank lines share the space left over."""
    spare = int((end - y - sum(HEADED + sum(item.height for item in items) for items in lists)) / ROW)
    for number, (group, items) in enumerate(zip(groups, lists, strict=True)):
        draw_heading(pen, x, y + 3.6, f"{group.capitalize()}s")
        y += HEADED
        for item in items:
            _draw_item(pen, x, y, wide, item)
            y += item.height
        lines = spare // (len(groups) - number)
        spare -= lines
        for _ in range(lines):
            _draw_line(pen, x, y + ROW, wide)
            y += ROW


def _draw_item(pen: Pen, x: float, y: float, wide: float, item: Item) -> None:
    """Draw a thing and its mark on one baseline; a slot shows its meaning."""
    size = item.block.size
    item.block.draw(pen, x, y + size * 0.05)
    base = y + (item.height - 1.2 if item.slot else size * 0.05 + item.block.lines[-1][0])
    _draw_line(pen, x, y + item.height, wide)
    pen.text(x + wide - MARK, base, item.slot, Face.SANS, SMALL, colour=QUIET, align="right")
    if mark := " or ".join(map(mark_text, item.mark.split(" or "))):
        size = largest_in(pen, mark, Face.SERIF_BOLD, MARK - 2, size + 1)
        pen.text(x + wide - (MARK - 2) / 2, base, mark, Face.SERIF_BOLD, size, align="centre")


def _draw_line(pen: Pen, x: float, y: float, wide: float) -> None:
    """Draw a line for a name, and one for its mark."""
    pen.line(x, y, x + wide - MARK, y, width=0.15, colour=FAINT)
    pen.line(x + wide - MARK + 2, y, x + wide, y, width=0.15, colour=FAINT)


class Spot(NamedTuple):
    """An item's place: column, height, and whether a heading comes before it."""

    column: int
    y: float
    headed: bool


def _placed(items: Sequence[Item], y: float, end: float, columns: int) -> Iterator[Spot]:
    """Yield the places of the items that fit, in order."""
    column, down, group = 0, y, ""
    for item in items:
        headed = item.group != group
        needed = item.height + (HEADED if headed else 0)
        if down + needed > end:
            column, down, headed = column + 1, y, True
            if column == columns:
                return
        group = item.group
        down += HEADED if headed else 0
        yield Spot(column, down, headed)
        down += item.height


def _draw_placed(
    pen: Pen, xs: Sequence[float], wide: float, spots: Sequence[Spot], items: Sequence[Item], top: float
) -> None:
    for spot, item in zip(spots, items, strict=False):
        if spot.headed:
            draw_heading(pen, xs[spot.column], spot.y - HEADED + 3.6, f"{item.group.capitalize()}s")
        _draw_item(pen, xs[spot.column], spot.y, wide, item)


def _left_over(groups: Groups, placed: int) -> Groups:
    """Return the groups without their first `placed` entries."""
    rest: Groups = {}
    for group in GROUPS:
        entries = groups.get(group, [])
        if kept := entries[placed:]:
            rest[group] = kept
        placed = max(0, placed - len(entries))
    return rest
