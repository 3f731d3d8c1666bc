"""A turn of a player whose team has a convention for where each suit goes: plain functions over integers.

The bot at a table calls them with lists, the lab's kernel with arrays.
"""

from __future__ import annotations

from cardhouse.games.dogpile.bots.agreed import (
    A_BRIDGE,
    A_CARD,
    A_WAY_OVER,
    ALL_ROWS,
    ANY_WEST,
    ANYWHERE,
    AT_MOST,
    BEYOND,
    CENTRE,
    COLUMNS,
    DOOR,
    LEADER_ROW,
    MANY,
    NOBODY,
    OF_ANY_SUIT,
    OPEN_SUIT,
    RISK,
    SECOND_END,
    STRAIGHT,
    TO_COME,
    UPWARD,
    WAYS,
    WEST,
    Agreed,
    Numbers,
    Sheet,
    count,
    door_column,
    infer,
    kinds_at,
    lowest,
    note_card,
    suit_after,
)


def ends(agreed: Agreed, suit: int, column: int, taken: int, sheet: Sheet) -> int:
    """Return the cells of a column where any card of this suit is certain to fit.

    `taken` is the offset of the taken cells.
    """
    its = agreed.place[suit * COLUMNS + column]
    here = sheet.taken[taken + column]
    same = here & its & ~sheet.mixed[column]
    others = here & ~same
    spoilt = here | others << 1 | others >> 1 | sheet.taken[taken + column - 1] | sheet.taken[taken + column + 1]
    return int((same << 1 | same >> 1) & its & ~spoilt)


def places(agreed: Agreed, suit: int, column: int, own: int, left: int, right: int, taken: int, sheet: Sheet) -> int:
    """Return the cells of a column where a card of this suit may be laid, if it fits `left` and `right`.

    It touches another card of its suit, or one of those, and no other card. `own` are the cells of the column with
    cards of this suit from the same hand. The last player may use any cell, because no player has to read it.
    """
    its = sheet.some[ANYWHERE] | agreed.free[column] | agreed.place[suit * COLUMNS + column]
    here = sheet.taken[taken + column]
    same = sheet.taken[column] & agreed.place[suit * COLUMNS + column] & ~sheet.mixed[column] | own
    others = here & ~same
    spoilt = here | others << 1 | others >> 1
    spoilt |= (sheet.taken[taken + column - 1] & ~left) | (sheet.taken[taken + column + 1] & ~right)
    return int((same << 1 | same >> 1 | left | right) & its & ~spoilt)


def may_touch(agreed: Agreed, kind: int, kinds: int) -> bool:
    """Return whether a card of this kind may be laid beside one with these possible kinds."""
    fitting = count(kinds & agreed.fits[kind])
    return fitting > 0 and 100 * fitting >= agreed.knobs[RISK] * count(kinds)


def find_places(agreed: Agreed, leader: int, laid: int, first_known: int, card: int, sheet: Sheet) -> None:
    """Fill `todo` with the cells where a card of the hand may be laid next, after `laid` cards."""
    taken, row = laid * COLUMNS, (laid * sheet.size + card) * COLUMNS
    kind, first = agreed.kind[sheet.hand[card]], agreed.suit[leader]
    many = sheet.some[MANY]
    for column in range(1, COLUMNS - 1):
        sheet.todo[row + column] = 0
        around = sheet.taken[taken + column - 1] | sheet.taken[taken + column + 1]
        if not around | sheet.taken[taken + column]:
            continue
        left = right = own = 0
        for place in range(first_known, many):
            at, cell, kinds = sheet.known[3 * place], sheet.known[3 * place + 1], sheet.known[3 * place + 2]
            if at == column and place >= many - laid and kind >= 0:
                own |= cell if is_of_suit(agreed, kinds, kind, column, cell, first) else 0
            if at != column - 1 and at != column + 1:
                continue
            # A wild card may only touch a single known card at its sides, which it always fits.
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
    """Return whether an own card on this cell is of a kind's suit. A wild one is of the cell's suit."""
    if kinds:
        return bool(agreed.suit[lowest(kinds)] == agreed.suit[kind])
    return bool(agreed.place[suit_after(agreed, kind, first) * COLUMNS + column] & cell)


def worth(agreed: Agreed, laid: int, to_come: int, sheet: Sheet) -> int:
    """Return the value of the cards laid: themselves, a bridge to a card apart, and the suits left open for others."""
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


def search(agreed: Agreed, leader: int, first_known: int, to_come: int, best: Numbers, sheet: Sheet) -> int:
    """Find the best way to lay cards of the hand. Returns their number and writes them to `best`.

    Cards grow from the pack cell by cell. Each card and cell is tried once, first with it and then without.
    """
    size, known = sheet.size, sheet.some[MANY]
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
                    find_places(agreed, leader, laid, first_known, card, sheet)
        goes_on = False
        if laid < more and looked < WAYS and more * A_CARD + besides > most:
            goes_on = lay_next(agreed, laid, used, hand, sheet)
        if goes_on:
            used |= 1 << sheet.now[3 * laid]
            laid += 1
            is_new = True
        elif laid == 0:
            sheet.some[MANY] = known
            return found
        else:
            laid -= 1
            used &= ~(1 << sheet.now[3 * laid])
            sheet.some[MANY] = known + laid


def lay_next(agreed: Agreed, laid: int, used: int, hand: int, sheet: Sheet) -> bool:
    """Lay the next card to try on its next cell. Returns False if there is none."""
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
            note_card(sheet, column, cell, 0 if kind < 0 else 1 << kind)
            return True
    return False


def take_turn(agreed: Agreed, lead: int, laid: Numbers, many: int, to_come: int, sheet: Sheet) -> int:
    """Take a turn. Returns the number of cards laid, in `best` with their columns and cells; 0 passes.

    `lead` is the card that leads; `to_come` is the number of players still to lay after this turn.
    """
    leader = agreed.wild_leads if agreed.kind[lead] < 0 else agreed.kind[lead]
    infer(agreed, leader, laid, many, sheet)
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
    """Lay a card of any suit that fits the Pack Leader, alone in the west."""
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
    """Lay cards beyond a door that a single card, which others may hold, connects."""
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
            card = straight_card(agreed, leader, door, sheet)
            value = A_CARD + bridges * agreed.knobs[A_BRIDGE]
            if card != NOBODY and bridges and value > best:
                best, found = value, 1
                sheet.best[0], sheet.best[1], sheet.best[2] = card, 2 * column - CENTRE, LEADER_ROW
    return found


def straight_card(agreed: Agreed, leader: int, door: int, sheet: Sheet) -> int:
    """Return the card of the hand to lay straight beyond a door, or NOBODY if there is none or no room."""
    near, far = door_column(door), 2 * door_column(door) - CENTRE
    around = LEADER_ROW << 1 | LEADER_ROW | LEADER_ROW >> 1
    if (sheet.taken[near] | sheet.taken[far]) & around or sheet.taken[2 * far - near] & LEADER_ROW:
        return NOBODY
    for card in range(len(sheet.hand)):
        if agreed.kind[sheet.hand[card]] >= 0 and agreed.beyond[2 * leader + door] >> agreed.kind[sheet.hand[card]] & 1:
            return card
    return NOBODY


def held_by_others(agreed: Agreed, kinds: int, sheet: Sheet) -> int:
    """Return the number of cards of these kinds that others may hold."""
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
    """Return whether the taken cells, column by column, are one connected shape with the Pack Leader (DG-10).

    `reached` is working memory.
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
    missing = 0
    for column in range(COLUMNS):
        missing |= reached[column] ^ cells[column]
    return missing == 0
