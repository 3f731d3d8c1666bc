"""The meaning of cards by their position, for a team with a convention: plain functions over integers.

The bot at a table calls them with lists, the lab's kernel with arrays. The cells of a column are the bits of an
integer, with the Pack Leader's row at bit `MIDDLE`; sets of kinds are bit sets as well. See `convention` for what a
team agrees on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Numbers = Any
"""A list of integers, or an array of int64."""

COLUMNS, CENTRE, MIDDLE = 15, 7, 31
"""The number of columns in play, the Pack Leader's column, and its row."""
LEADER_ROW = 1 << MIDDLE
EAST, WEST = 0, 1
"""The sides of the Pack Leader that are doors, where other suits begin."""

SECOND_END, OPEN_SUIT, AT_MOST, RISK, ANY_WEST, BEYOND, TO_COME, A_BRIDGE = range(8)
"""The knobs of a convention.

SECOND_END, OPEN_SUIT: the value of a suit's second open end, and of a suit being open, in thousandths of a card laid.
AT_MOST: the most cards per turn. RISK: the least chance, in percent, at which to touch a hidden card. ANY_WEST: whether
a card alone in the west may be of any suit. BEYOND: how to lay a card apart if nothing fits, the sum of `UPWARD` and
`STRAIGHT`. TO_COME: the number of players still to come that BEYOND needs, except for the first player. A_BRIDGE: the
value of each card that could be the bridge.
"""
KNOBS = 8
UPWARD, STRAIGHT = 1, 2

A_CARD, A_WAY_OVER = 1000, 9000
"""The value of a card laid, and of a bridge to a card that lies apart."""
WAYS = 1000
"""The most ways considered in a turn. Hardly any hand of five has more."""
NOBODY = -1


class Agreed(NamedTuple):
    """A team's convention for a deck. A suit is represented by its distance after the Pack Leader's suit."""

    suits: int
    """The number of suits in the deck."""
    place: Numbers
    """(suits * COLUMNS,): the cells that belong to each suit, column by column."""
    free: Numbers
    """(COLUMNS,): the cells that belong to no suit, where any card may lie."""
    suit: Numbers
    """(kinds,): the suit of each kind."""
    fits: Numbers
    """(kinds,): the kinds that fit beside each kind."""
    bridge: Numbers
    """(2 * kinds,): by Pack Leader and door, the kinds that connect to a card laid straight beyond the door."""
    beyond: Numbers
    """(2 * kinds,): the kinds laid there, each of which fits all of those."""
    copies: Numbers
    """(kinds,): the number of plain cards of each kind in play."""
    kind: Numbers
    """(cards,): the kind of each card, -1 for a wild one."""
    wild_leads: int
    """The kind that a wild Pack Leader counts as."""
    knobs: Numbers
    """(KNOBS,): see `KNOBS`."""


class Sheet(NamedTuple):
    """Working memory. Its previous content doesn't matter, except for `hand`."""

    size: int
    """The maximum number of cards in a hand."""
    hand: Numbers
    """(size,): the cards, in the deck's order."""
    taken: Numbers
    """((size + 1) * COLUMNS,): the cells taken, after each card laid."""
    mixed: Numbers
    """(COLUMNS,): the taken cells whose suit isn't known."""
    known: Numbers
    """(3 * MOST_KNOWN,): the column, cell and possible kinds of cards of which more is known than the suit."""
    some: Numbers
    """(4,): facts about the pack.

    MANY: the number of cards in `known`. DOOR: the door where a bridge is missing, or NOBODY. OF_ANY_SUIT: whether the
    bridge may be of any suit. ANYWHERE: the cells where any card may lie because no player follows.
    """
    todo: Numbers
    """((size + 1) * size * COLUMNS,): by cards laid, and by card, the cells still to try."""
    shut: Numbers
    """((size + 1) * size * COLUMNS,): the cells already tried."""
    now: Numbers
    """(3 * size,): the cards laid on the current path: place in the hand, column and cell."""
    best: Numbers
    """(3 * size,): those of the best path."""
    other: Numbers
    """(3 * size,): those of another path."""


MOST_KNOWN = 16
MANY, DOOR, OF_ANY_SUIT, ANYWHERE = range(4)
ALL_ROWS = (1 << 62) - 1


def door_column(door: int) -> int:
    """Return the column of a door."""
    return CENTRE + 1 if door == EAST else CENTRE - 1


def count(members: int) -> int:
    """Return the size of a set."""
    many = 0
    while members:
        members &= members - 1
        many += 1
    return many


def lowest(members: int) -> int:
    """Return the lowest member of a nonempty set."""
    return count((members & -members) - 1)


def note_card(sheet: Sheet, column: int, cell: int, kinds: int) -> None:
    """Note the kinds that may lie on a cell."""
    many = sheet.some[MANY]
    if many < MOST_KNOWN:
        sheet.known[3 * many] = column
        sheet.known[3 * many + 1] = cell
        sheet.known[3 * many + 2] = kinds
        sheet.some[MANY] = many + 1


def touches_any(sheet: Sheet, column: int, cell: int) -> bool:
    """Return whether a cell touches a taken one."""
    taken = sheet.taken
    beside = (taken[column - 1] | taken[column + 1]) & cell
    return bool(beside | (taken[column] & (cell << 1 | cell >> 1)))


def infer(agreed: Agreed, leader: int, laid: Numbers, many: int, sheet: Sheet) -> None:
    """Infer from the position of each card what it may be.

    `laid` has the player, column and cell of each card laid so far, in order; `leader` is the Pack Leader's kind.
    """
    for column in range(COLUMNS):
        sheet.taken[column] = sheet.mixed[column] = 0
    sheet.some[MANY] = 0
    sheet.some[DOOR] = NOBODY
    sheet.some[OF_ANY_SUIT] = 0
    sheet.taken[CENTRE] = LEADER_ROW
    note_card(sheet, CENTRE, LEADER_ROW, 1 << leader)
    begin = 0
    while begin < many:
        end = begin
        apart = True
        while end < many and laid[3 * end] == laid[3 * begin]:
            apart = apart and not touches_any(sheet, laid[3 * end + 1], laid[3 * end + 2])
            end += 1
        if apart:
            infer_apart(agreed, leader, laid, begin, end, sheet)
        else:
            infer_doors(agreed, leader, laid, begin, end, sheet)
        for place in range(begin, end):
            sheet.taken[laid[3 * place + 1]] |= laid[3 * place + 2]
        begin = end


def infer_apart(agreed: Agreed, leader: int, laid: Numbers, begin: int, end: int, sheet: Sheet) -> None:
    """Infer from cards laid apart from all others which door they lead to, and what they are."""
    for place in range(begin, end):
        column, cell = laid[3 * place + 1], laid[3 * place + 2]
        for door in range(2):
            if sheet.taken[door_column(door)] & LEADER_ROW:
                continue
            if column == 2 * door_column(door) - CENTRE and cell == LEADER_ROW and end == begin + 1:
                sheet.some[DOOR], sheet.some[OF_ANY_SUIT] = door, 1
                sheet.mixed[column] |= cell
                note_card(sheet, column, cell, agreed.beyond[2 * leader + door])
            elif column == door_column(door) and cell & (LEADER_ROW << 1 | LEADER_ROW >> 1):
                sheet.some[DOOR], sheet.some[OF_ANY_SUIT] = door, 0


def infer_doors(agreed: Agreed, leader: int, laid: Numbers, begin: int, end: int, sheet: Sheet) -> None:
    """Infer from cards laid in the doors, which fit the Pack Leader."""
    for place in range(begin, end):
        column, cell = laid[3 * place + 1], laid[3 * place + 2]
        for door in range(2):
            if column != door_column(door) or cell != LEADER_ROW:
                continue
            alone = end == begin + 1 and not sheet.taken[column] & (cell << 1 | cell >> 1)
            is_bridge = sheet.some[DOOR] == door
            kinds = agreed.fits[leader]
            if (is_bridge and sheet.some[OF_ANY_SUIT]) or (alone and door == WEST and agreed.knobs[ANY_WEST]):
                sheet.mixed[column] |= cell
            else:
                kinds &= kinds_at(agreed, agreed.suit[leader], column, cell)
                if not kinds:
                    kinds = agreed.fits[leader]
            if is_bridge:
                sheet.some[DOOR] = NOBODY
            note_card(sheet, column, cell, kinds)


def kinds_at(agreed: Agreed, first: int, column: int, cell: int) -> int:
    """Return the kinds of the suit to which a cell belongs; `first` is the Pack Leader's suit."""
    kinds = 0
    for kind in range(len(agreed.suit)):
        if agreed.place[suit_after(agreed, kind, first) * COLUMNS + column] & cell:
            kinds |= 1 << kind
    return kinds


def suit_after(agreed: Agreed, kind: int, first: int) -> int:
    """Return the distance of a kind's suit after the Pack Leader's."""
    return int((agreed.suit[kind] - first + agreed.suits) % agreed.suits)
