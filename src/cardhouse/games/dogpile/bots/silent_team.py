"""A turn of somebody whose team has agreed that every column belongs to a suit: plain functions over whole numbers.

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
    return beside | (taken[column] & (cell << 1 | cell >> 1)) != 0


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
    """Read what somebody laid apart from all others: which door it leads through, and what it is if it lies straight."""
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
    return (agreed.suit[kind] - first + agreed.suits) % agreed.suits


def ends(agreed: Agreed, suit: int, column: int, taken: int, sheet: Sheet) -> int:
    """The cells of a column on which anybody may lay any card of this suit.

    `taken` is where the cells that are taken begin.
    """
    its = agreed.place[suit * COLUMNS + column]
    here = sheet.taken[taken + column]
    same = here & its & ~sheet.mixed[column]
    others = here & ~same
    spoilt = here | others << 1 | others >> 1 | sheet.taken[taken + column - 1] | sheet.taken[taken + column + 1]
    return (same << 1 | same >> 1) & its & ~spoilt


def places(agreed: Agreed, suit: int, column: int, own: int, left: int, right: int, taken: int, sheet: Sheet) -> int:
    """The cells of a column on which a card of this suit may be laid, if it fits to these on the left and right.

    It touches another of its suit, or one of those; and nothing else. `own` are the cells of the column on which a card
    of this suit from the same hand lies. Whoever lays last lays anywhere: nobody goes by it.
    """
    its = sheet.some[ANYWHERE] | agreed.free[column] | agreed.place[suit * COLUMNS + column]
    here = sheet.taken[taken + column]
    same = sheet.taken[column] & agreed.place[suit * COLUMNS + column] & ~sheet.mixed[column] | own
    others = here & ~same
    spoilt = here | others << 1 | others >> 1
    spoilt |= (sheet.taken[taken + column - 1] & ~left) | (sheet.taken[taken + column + 1] & ~right)
    return (same << 1 | same >> 1 | left | right) & its & ~spoilt


def may_touch(agreed: Agreed, kind: int, kinds: int) -> bool:
    """Whether a card of this kind may be laid beside one that is of one of these."""
    fitting = count(kinds & agreed.fits[kind])
    return fitting > 0 and 100 * fitting >= agreed.knobs[RISK] * count(kinds)


def find_places(agreed: Agreed, leader: int, laid: int, first_told: int, card: int, sheet: Sheet) -> None:
    """Note in `todo` where a card of the hand may be laid next, when so many have been."""
    taken, row = laid * COLUMNS, (laid * sheet.size + card) * COLUMNS
    kind, first = agreed.kind[sheet.hand[card]], agreed.suit[leader]
    many = sheet.some[MANY]
    for column in range(1, COLUMNS - 1):
        sheet.todo[row + column] = 0
        around = sheet.taken[taken + column - 1] | sheet.taken[taken + column + 1]
        if not around | sheet.taken[taken + column]:
            continue
        left = right = own = 0
        for place in range(first_told, many):
            at, cell, kinds = sheet.told[3 * place], sheet.told[3 * place + 1], sheet.told[3 * place + 2]
            if at == column and place >= many - laid and kind >= 0:
                own |= cell if is_of_suit(agreed, kinds, kind, column, cell, first) else 0
            if at != column - 1 and at != column + 1:
                continue
            # A wild one touches nothing beside but a single card that is known, to which it can always fit.
            fitting = count(kinds) == 1 if kind < 0 else may_touch(agreed, kind, kinds)
            if fitting and at == column - 1:
                left |= cell
            elif fitting:
                right |= cell
        found = 0
        if kind >= 0:
            found = places(agreed, suit_after(agreed, kind, first), column, own, left, right, taken, sheet)
        else:
            both = sheet.taken[taken + column - 1] & sheet.taken[taken + column + 1]
            for suit in range(agreed.suits):
                its = agreed.place[suit * COLUMNS + column]
                own = sheet.taken[taken + column] & ~sheet.taken[column] & its
                found |= places(agreed, suit, column, own, left, right, taken, sheet) & its & ~both
        sheet.todo[row + column] = found & ~sheet.shut[row + column]
    door = sheet.some[DOOR]
    if door != NOBODY and sheet.some[OF_ANY_SUIT]:
        column = door_column(door)
        leads_over = kind < 0 or agreed.bridge[2 * leader + door] >> kind & 1
        near = sheet.taken[taken + column] & (LEADER_ROW << 1 | LEADER_ROW | LEADER_ROW >> 1)
        if leads_over and not near:
            sheet.todo[row + column] |= LEADER_ROW & ~sheet.shut[row + column]


def is_of_suit(agreed: Agreed, kinds: int, kind: int, column: int, cell: int, first: int) -> bool:
    """Whether a card of one's own that lies on this cell is of a kind's suit; a wild one is of the cell's."""
    if kinds:
        return agreed.suit[lowest(kinds)] == agreed.suit[kind]
    return agreed.place[suit_after(agreed, kind, first) * COLUMNS + column] & cell != 0


def worth(agreed: Agreed, laid: int, to_come: int, sheet: Sheet) -> int:
    """What so many cards laid are worth: themselves, a way over to what lies apart, and the suits others can lay to."""
    found = laid * A_CARD
    taken, door = laid * COLUMNS, sheet.some[DOOR]
    if door != NOBODY and sheet.taken[taken + door_column(door)] & LEADER_ROW:
        found += A_WAY_OVER
    if to_come > 0:
        for suit in range(agreed.suits):
            many = 0
            for column in range(1, COLUMNS - 1):
                if agreed.place[suit * COLUMNS + column] and sheet.taken[taken + column]:
                    many += count(ends(agreed, suit, column, taken, sheet))
            if many > 0:
                found += agreed.knobs[OPEN_SUIT]
            if many > 1:
                found += agreed.knobs[SECOND_END]
    return found


def search(agreed: Agreed, leader: int, first_told: int, to_come: int, best: Numbers, sheet: Sheet) -> int:
    """Find the best way to lay cards of the hand; returns how many it is, and they stand in `best`.

    Cards grow from what lies there, cell by cell. Each card and cell is tried once, with it and then without.
    """
    size, told = sheet.size, sheet.some[MANY]
    hand = len(sheet.hand)
    laid, used, most, found, is_new = 0, 0, 0, 0, True
    for place in range(size * COLUMNS):
        sheet.shut[place] = 0
    looked = 0
    more = min(hand, agreed.knobs[AT_MOST])
    besides = A_WAY_OVER * (sheet.some[DOOR] != NOBODY)
    besides += agreed.suits * (agreed.knobs[OPEN_SUIT] + agreed.knobs[SECOND_END])
    while True:
        if is_new:
            is_new = False
            looked += 1
            if laid > 0 and laid * A_CARD + besides > most:
                value = worth(agreed, laid, to_come, sheet)
                if value > most:
                    most, found = value, laid
                    for place in range(3 * laid):
                        best[place] = sheet.now[place]
            for card in range(hand):
                if not used >> card & 1:
                    find_places(agreed, leader, laid, first_told, card, sheet)
        goes_on = False
        if laid < more and looked < WAYS and more * A_CARD + besides > most:
            goes_on = lay_next(agreed, laid, used, hand, sheet)
        if goes_on:
            used |= 1 << sheet.now[3 * laid]
            laid += 1
            is_new = True
        elif laid == 0:
            sheet.some[MANY] = told
            return found
        else:
            laid -= 1
            used &= ~(1 << sheet.now[3 * laid])
            sheet.some[MANY] = told + laid


def lay_next(agreed: Agreed, laid: int, used: int, hand: int, sheet: Sheet) -> bool:
    """Lay the next card that is to be tried on the next cell, after so many; False if there is none."""
    size = sheet.size
    for card in range(hand):
        if used >> card & 1:
            continue
        row = (laid * size + card) * COLUMNS
        for column in range(1, COLUMNS - 1):
            cells = sheet.todo[row + column]
            if not cells:
                continue
            cell = cells & -cells
            sheet.todo[row + column] = cells ^ cell
            sheet.shut[row + column] |= cell
            for place in range(COLUMNS):
                sheet.taken[(laid + 1) * COLUMNS + place] = sheet.taken[laid * COLUMNS + place]
            sheet.taken[(laid + 1) * COLUMNS + column] |= cell
            if laid + 1 < size:
                for place in range(size * COLUMNS):
                    sheet.shut[(laid + 1) * size * COLUMNS + place] = sheet.shut[laid * size * COLUMNS + place]
            sheet.now[3 * laid] = card
            sheet.now[3 * laid + 1] = column
            sheet.now[3 * laid + 2] = cell
            kind = agreed.kind[sheet.hand[card]]
            tell(sheet, column, cell, 0 if kind < 0 else 1 << kind)
            return True
    return False


def take_turn(agreed: Agreed, lead: int, laid: Numbers, many: int, to_come: int, sheet: Sheet) -> int:
    """How many cards somebody lays, which then stand in `best` with their columns and cells; 0: it passes.

    `lead` is the card that leads; `to_come` is how many are still to lay after this turn.
    """
    leader = agreed.wild_leads if agreed.kind[lead] < 0 else agreed.kind[lead]
    read(agreed, leader, laid, many, sheet)
    sheet.some[ANYWHERE] = 0 if to_come else ALL_ROWS
    found = search(agreed, leader, 0, to_come, sheet.best, sheet)
    if found or sheet.some[DOOR] != NOBODY:
        return found
    if agreed.knobs[ANY_WEST] and lay_west(agreed, leader, sheet):
        return 1
    if to_come >= (1 if many == 0 else max(1, agreed.knobs[TO_COME])):
        return lay_apart(agreed, leader, lead, to_come, sheet)
    return 0


def lay_west(agreed: Agreed, leader: int, sheet: Sheet) -> bool:
    """Lay a card that fits to the Pack Leader, of whatever suit, all alone in the west."""
    column = door_column(WEST)
    near = sheet.taken[column] & (LEADER_ROW << 1 | LEADER_ROW | LEADER_ROW >> 1)
    if near or sheet.taken[column - 1] & LEADER_ROW:
        return False
    for card in range(len(sheet.hand)):
        if agreed.fits[leader] >> agreed.kind[sheet.hand[card]] & 1:
            sheet.best[0], sheet.best[1], sheet.best[2] = card, column, LEADER_ROW
            return True
    return False


def lay_apart(agreed: Agreed, leader: int, lead: int, to_come: int, sheet: Sheet) -> int:
    """Lay beyond a door what one card leads over to that others may have."""
    best, found = 0, 0
    for door in range(2):
        column = door_column(door)
        if sheet.taken[column] & LEADER_ROW:
            continue
        if agreed.knobs[BEYOND] & UPWARD:
            sheet.taken[column] |= LEADER_ROW
            laid = search(agreed, leader, 1, to_come, sheet.other, sheet)
            sheet.taken[column] ^= LEADER_ROW
            kinds = agreed.fits[leader] & kinds_at(agreed, agreed.suit[leader], column, LEADER_ROW)
            bridges = held_by_others(agreed, kinds, sheet)
            value = laid * A_CARD + bridges * agreed.knobs[A_BRIDGE]
            if laid and bridges and value > best:
                best, found = value, laid
                for place in range(3 * laid):
                    sheet.best[place] = sheet.other[place]
        if agreed.knobs[BEYOND] & STRAIGHT:
            bridges = held_by_others(agreed, agreed.bridge[2 * leader + door], sheet)
            card = lies_straight(agreed, leader, door, sheet)
            value = A_CARD + bridges * agreed.knobs[A_BRIDGE]
            if card != NOBODY and bridges and value > best:
                best, found = value, 1
                sheet.best[0], sheet.best[1], sheet.best[2] = card, 2 * column - CENTRE, LEADER_ROW
    return found


def lies_straight(agreed: Agreed, leader: int, door: int, sheet: Sheet) -> int:
    """The card of the hand to lay straight beyond a door; NOBODY if there is none, or no room."""
    near, far = door_column(door), 2 * door_column(door) - CENTRE
    around = LEADER_ROW << 1 | LEADER_ROW | LEADER_ROW >> 1
    if (sheet.taken[near] | sheet.taken[far]) & around or sheet.taken[2 * far - near] & LEADER_ROW:
        return NOBODY
    for card in range(len(sheet.hand)):
        if agreed.kind[sheet.hand[card]] >= 0 and agreed.beyond[2 * leader + door] >> agreed.kind[sheet.hand[card]] & 1:
            return card
    return NOBODY


def held_by_others(agreed: Agreed, kinds: int, sheet: Sheet) -> int:
    """How many cards of these kinds others may have."""
    many = 0
    for kind in range(len(agreed.copies)):
        if kinds >> kind & 1:
            many += agreed.copies[kind]
    for card in range(len(sheet.hand)):
        kind = agreed.kind[sheet.hand[card]]
        if kind >= 0 and kinds >> kind & 1:
            many -= 1
    return many


def is_whole(cells: Numbers, reached: Numbers) -> bool:
    """Whether the cells that are taken, column by column, are one unbroken shape with the Pack Leader's (DG-10).

    `reached` is worked on.
    """
    for column in range(COLUMNS):
        reached[column] = 0
    reached[CENTRE] = LEADER_ROW
    grows = True
    while grows:
        grows = False
        for column in range(1, COLUMNS - 1):
            here = reached[column]
            more = here | here << 1 | here >> 1 | reached[column - 1] | reached[column + 1]
            more &= cells[column]
            if more != here:
                reached[column] = more
                grows = True
    for column in range(COLUMNS):
        if reached[column] != cells[column]:
            return False
    return True
