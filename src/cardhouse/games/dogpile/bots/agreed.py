"""What cards mean by where they lie, to a team that has agreed on it: plain functions over whole numbers.

The bot at a table and the lab's kernel both call them, with lists there and with arrays here. Cells of a column are the
bits of a number, the Pack Leader's row is bit `MIDDLE`; sets of kinds are bits as well. What has been agreed, and what
it means where a card lies, is told in `convention`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Numbers = Any
"""A list of whole numbers, or an array of int64."""

COLUMNS, CENTRE, MIDDLE = 15, 7, 31
"""So many columns are played in, the Pack Leader's among them, which lies in this one and in this row of each."""
LEADER_ROW = 1 << MIDDLE
EAST, WEST = 0, 1
"""The sides of the Pack Leader that are doors: others' suits come in there."""

SECOND_END, OPEN_SUIT, AT_MOST, RISK, ANY_WEST, BEYOND, TO_COME, A_BRIDGE = range(8)
"""What a team can turn: what another place for a suit is worth, and that it has one, in thousandths of a card laid; how
many cards one lays at most; the chance in percent at which a hidden card is touched; whether a card all alone in the
west may be of any suit; how one lays who has nothing that fits, the sum of `UPWARD` and `STRAIGHT`; and how many must
still be to come for it, for all but the first; and what a card that would be the bridge is worth."""
KNOBS = 8
UPWARD, STRAIGHT = 1, 2

A_CARD, A_WAY_OVER = 1000, 9000
"""What a card laid is worth, and that one leads over to what lies apart."""
WAYS = 1000
"""So many ways are looked at in a turn; hardly a hand of five has more."""
NOBODY = -1


class Agreed(NamedTuple):
    """What a team has agreed on, and the deck it is for. A suit goes by how far after the Pack Leader's it comes."""

    suits: int
    """So many the deck has."""
    place: Numbers
    """(suits * COLUMNS,): the cells that belong to each suit, column by column."""
    free: Numbers
    """(COLUMNS,): those that belong to none, where anything may lie."""
    suit: Numbers
    """(kinds,): the suit of each kind."""
    fits: Numbers
    """(kinds,): the kinds that fit beside each."""
    bridge: Numbers
    """(2 * kinds,): with this Pack Leader, by door, the kinds that lead over to a card laid straight beyond."""
    beyond: Numbers
    """(2 * kinds,): the kinds that are laid there, to all of which each of those fits."""
    copies: Numbers
    """(kinds,): how many plain cards of each kind are played."""
    kind: Numbers
    """(cards,): the kind of each card, -1 of a wild one."""
    wild_leads: int
    """What a wild Pack Leader counts as."""
    knobs: Numbers
    """(KNOBS,)"""


class Sheet(NamedTuple):
    """What is worked on. What stands there before does not matter, but for `hand`."""

    size: int
    """So many cards a hand has at most."""
    hand: Numbers
    """(size,): the cards, in the deck's order."""
    taken: Numbers
    """((size + 1) * COLUMNS,): the cells that are taken, after each card laid."""
    mixed: Numbers
    """(COLUMNS,): those of which nobody knows the suit."""
    told: Numbers
    """(3 * TOLD,): of cards of which more is known than the suit the column, the cell, and the kinds they may be."""
    some: Numbers
    """(4,): how many of those there are, the door to which a bridge is missing or NOBODY, whether a card of any suit
    may be it, and the cells on which anything may be laid since nobody follows."""
    todo: Numbers
    """((size + 1) * size * COLUMNS,): by cards laid, and by card, the cells still to be tried."""
    shut: Numbers
    """((size + 1) * size * COLUMNS,): those that have been tried."""
    now: Numbers
    """(3 * size,): the cards laid on the way that is looked at: place in the hand, column and cell."""
    best: Numbers
    """(3 * size,): those of the best way."""
    other: Numbers
    """(3 * size,): those of another."""


TOLD = 16
MANY, DOOR, OF_ANY_SUIT, ANYWHERE = range(4)
ALL_ROWS = (1 << 62) - 1


def door_column(door: int) -> int:
    """The column of a door."""
    return CENTRE + 1 if door == EAST else CENTRE - 1


def count(members: int) -> int:
    """How many members a set has."""
    many = 0
    while members:
        members &= members - 1
        many += 1
    return many


def lowest(members: int) -> int:
    """The lowest member of a set that isn't empty."""
    return count((members & -members) - 1)


def tell(sheet: Sheet, column: int, cell: int, kinds: int) -> None:
    """Note what may lie on a cell."""
    many = sheet.some[MANY]
    if many < TOLD:
        sheet.told[3 * many] = column
        sheet.told[3 * many + 1] = cell
        sheet.told[3 * many + 2] = kinds
        sheet.some[MANY] = many + 1


def touches_any(sheet: Sheet, column: int, cell: int) -> bool:
    """Whether a cell touches one that is taken."""
    taken = sheet.taken
    beside = (taken[column - 1] | taken[column + 1]) & cell
    return bool(beside | (taken[column] & (cell << 1 | cell >> 1)))


def read(agreed: Agreed, leader: int, laid: Numbers, many: int, sheet: Sheet) -> None:
    """Read from where the cards lie what each may be.

    `laid` has of each card laid so far the player, the column and the cell, in order; `leader` is the kind of the Pack
    Leader.
    """
    for column in range(COLUMNS):
        sheet.taken[column] = sheet.mixed[column] = 0
    sheet.some[MANY] = 0
    sheet.some[DOOR] = NOBODY
    sheet.some[OF_ANY_SUIT] = 0
    sheet.taken[CENTRE] = LEADER_ROW
    tell(sheet, CENTRE, LEADER_ROW, 1 << leader)
    begin = 0
    while begin < many:
        end = begin
        apart = True
        while end < many and laid[3 * end] == laid[3 * begin]:
            apart = apart and not touches_any(sheet, laid[3 * end + 1], laid[3 * end + 2])
            end += 1
        if apart:
            read_apart(agreed, leader, laid, begin, end, sheet)
        else:
            read_doors(agreed, leader, laid, begin, end, sheet)
        for place in range(begin, end):
            sheet.taken[laid[3 * place + 1]] |= laid[3 * place + 2]
        begin = end


def read_apart(agreed: Agreed, leader: int, laid: Numbers, begin: int, end: int, sheet: Sheet) -> None:
    """Read what somebody laid apart from all others: which door it leads through, and what it is."""
    for place in range(begin, end):
        column, cell = laid[3 * place + 1], laid[3 * place + 2]
        for door in range(2):
            if sheet.taken[door_column(door)] & LEADER_ROW:
                continue
            if column == 2 * door_column(door) - CENTRE and cell == LEADER_ROW and end == begin + 1:
                sheet.some[DOOR], sheet.some[OF_ANY_SUIT] = door, 1
                sheet.mixed[column] |= cell
                tell(sheet, column, cell, agreed.beyond[2 * leader + door])
            elif column == door_column(door) and cell & (LEADER_ROW << 1 | LEADER_ROW >> 1):
                sheet.some[DOOR], sheet.some[OF_ANY_SUIT] = door, 0


def read_doors(agreed: Agreed, leader: int, laid: Numbers, begin: int, end: int, sheet: Sheet) -> None:
    """Read what somebody laid in the doors, if anything: it fits to the Pack Leader."""
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
            tell(sheet, column, cell, kinds)


def kinds_at(agreed: Agreed, first: int, column: int, cell: int) -> int:
    """The kinds of the suit to which a cell belongs; `first` is the Pack Leader's suit."""
    kinds = 0
    for kind in range(len(agreed.suit)):
        if agreed.place[suit_after(agreed, kind, first) * COLUMNS + column] & cell:
            kinds |= 1 << kind
    return kinds


def suit_after(agreed: Agreed, kind: int, first: int) -> int:
    """How far after the Pack Leader's suit that of a kind comes."""
    return int((agreed.suit[kind] - first + agreed.suits) % agreed.suits)
