"""The cautious bot of Dogpile as machine code: the largest shape that a hand makes by itself with the Pack Leader.

Shapes grow from the Pack Leader card by card. Each cell beside what lies there is taken in turn: some card is laid on
it, or it stays empty for good, so that every shape is made once. What can't become as good as the best is not grown.
Cards of a hand that fit to just the same are taken in order, and change places at the end.

A card goes by its place in the hand, in the deck's order; the Pack Leader has the place after the last. Sets of cards
are the bits of a number, and so are sides of the Pack Leader. Cells go by number, in order of x, then y.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import in_place, open_part, part
from cardhouse.lab.kernels.wild import (
    ABOVE,
    AFTER,
    BESIDE,
    CARD,
    FIRST,
    HIGHEST,
    HOW_MANY,
    LIKE,
    LOWEST,
    NO_CARD,
    SETS,
    WHERE,
    Bits,
    Dogs,
    Numbers,
    Small,
    has,
    may_lie,
    same_kinds,
)

FAR, LAST_CELL = 1 << 30, 1 << 14


class Board(NamedTuple):
    """The cells that a hand can reach, and a rim around them."""

    step: int
    """From a cell to the next in x; in y it is 1."""
    centre: int
    """Where the Pack Leader lies."""
    outside: Small
    """(cells,): 1 where nothing can be laid: out of reach, and the Pack Leader's cell."""
    spoils: Numbers
    """(cells,): the sides that are spoiled when a card lies there."""


class Desk(NamedTuple):
    """What is worked on; what stands there before does not matter."""

    cards: Numbers
    """(6, hand + 1): rows `BESIDE`, `ABOVE`, `AFTER`, `LIKE`, `WHERE` and `CARD` for each card of the hand, and for the
    Pack Leader."""
    grid: Small
    """(4, cells): rows `LIES`, `OPEN`, `SEEN` and `EDGE`."""
    ahead: Small
    """(2, hand + 1, cells): by cards laid, for each cell of the edge what there is on it and on those after it: the
    cards that fit, and the least cell."""
    level: Numbers
    """(hand + 1, 11): by cards laid, `AT` and so on."""
    shapes: Numbers
    """(2, hand, 2): the best shape, and one that may be better: cells and cards, in order of the cells."""
    found: Numbers
    """(2,): of the best shape the number of cards, and how many sides are spoiled when it lies there."""
    givings: Numbers
    """(kinds, 2): what a wild card may touch, and the cards that hang together then."""
    can_be: Bits
    """(hand + 1, words): what each wild card that lies there can be."""


LIES, OPEN, SEEN, EDGE = 0, 1, 2, 3
"""The card on each cell, or -1; the cards that fit to all that lies around it; whether it has been put on the edge, or
can't be; and the edge: the cells beside what lies there, in the order in which they are taken."""

AT, END, TRY, LEFT, SPOILED, LEAST, LAST, OLD = 0, 1, 2, 3, 4, 5, 6, 7
"""Where on the edge we are, and its end; the cards still to be tried there, and those that may be laid next; the sides
that are spoiled; the least cell of the shape; the card laid, and what was open on the four cells around it."""

BEST, OTHER = 0, 1
MOST, FEWEST = 0, 1


def desk_for(hand: int, cells: int, kinds: int, words: int) -> Desk:
    """A desk for hands of this size, a board of so many cells, and so many kinds in so many words."""
    return Desk(
        np.zeros((6, hand + 1), np.int64),
        np.zeros((4, cells), np.int16),
        np.zeros((2, hand + 1, cells), np.int16),
        np.zeros((hand + 1, 11), np.int64),
        np.zeros((2, hand, 2), np.int64),
        np.zeros(2, np.int64),
        np.zeros((kinds + 1, 2), np.int64),
        np.zeros((hand + 1, words), np.uint64),
    )


@open_part
def largest(dogs: Dogs, board: Board, closed: Small, spoiled: Whole, desk: Desk) -> Whole:
    """How many cards the cautious bot lays, which are then in `desk.shapes[BEST]`.

    `desk.cards[CARD]` are its hand, in the deck's order, and the Pack Leader; `closed` says where it lays none, as
    others have, and `spoiled` are the sides that others have spoiled.
    """
    cards, grid, found, givings = desk.cards, desk.grid, desk.found, desk.givings
    size = cards.shape[1] - 1
    every = (1 << size) - 1
    centre, step = board.centre, board.step
    room = (
        not (closed[centre - step] and closed[centre + step]),
        not (closed[centre - 1] and closed[centre + 1]),
    )
    found[MOST], found[FEWEST] = 0, FAR
    wild: Whole = _compare(dogs, cards)
    only = HOW_MANY[wild] == 1
    several = wild if not only else np.int64(0)
    many: Whole = 1
    if only:
        many = _givings(dogs, LOWEST[wild], cards, givings)
    most: Whole = 0
    for place in range(many):
        if only:
            _give(LOWEST[wild], givings[place, 0], cards)
        first = (cards[BESIDE, size] if room[BESIDE] else 0) | (cards[ABOVE, size] if room[ABOVE] else 0)
        givings[place, 1] = _linked(first, every, cards)
        most = max(most, HOW_MANY[givings[place, 1]])
    if most == 0:
        return 0
    for cell in range(closed.size):
        grid[LIES, cell] = NO_CARD
        grid[OPEN, cell] = 0 if closed[cell] else every
        grid[SEEN, cell] = closed[cell]
    grid[LIES, centre] = size
    cards[WHERE, size] = centre
    for bound in range(most, 0, -1):
        if bound < found[MOST]:
            break
        for place in range(many):
            if HOW_MANY[givings[place, 1]] == bound:
                if only:
                    _give(LOWEST[wild], givings[place, 0], cards)
                _grow(dogs, board, closed, givings[place, 1], several, spoiled, desk)
    return np.int64(found[MOST])


@part
def _compare(dogs: Dogs, cards: Numbers) -> Whole:
    """Which cards of the hand fit to which; returns the wild ones."""
    touch, kind = dogs.touch, dogs.kind
    last = cards.shape[1] - 1
    wild = 0
    for one in range(last + 1):
        cards[BESIDE, one] = cards[ABOVE, one] = 0
        if kind[cards[CARD, one]] < 0:
            wild |= 1 << one
    for one in range(last):
        for other in range(one + 1, last + 1):
            both = touch[cards[CARD, one], cards[CARD, other]]
            for way in (BESIDE, ABOVE):
                if both >> way & 1:
                    cards[way, other] |= 1 << one
                    if other < last:
                        cards[way, one] |= 1 << other
    return wild


@in_place
def _linked(some: Whole, through: Whole, cards: Numbers) -> Whole:
    """These cards, and those that hang together with them by others `through`."""
    found = todo = some
    while todo:
        card = FIRST[np.uint64(todo)]
        new = (cards[BESIDE, card] | cards[ABOVE, card]) & through & ~found
        found |= new
        todo = (todo & (todo - 1)) | new
    return found


@part
def _givings(dogs: Dogs, wild: Whole, cards: Numbers, givings: Numbers) -> Whole:
    """What the only wild card may touch, by what it is, but for what is no more than something else; how many of them.

    The cards it may touch beside are the lower bits, those above the higher ones.
    """
    may_be, fits, kinds = dogs.may_be, dogs.fits, dogs.kind
    many = 0
    for kind in range(fits.shape[1]):
        if not has(may_be, cards[CARD, wild], kind):
            continue
        touches = 0
        for card in range(cards.shape[1]):
            if card != wild:
                its = kinds[cards[CARD, card]]
                if has(fits[BESIDE], kind, its):
                    touches |= 1 << card
                if has(fits[ABOVE], kind, its):
                    touches |= SETS << card
        less = False
        for place in range(many):
            if touches & ~givings[place, 0] == 0:
                less = True
                break
        if less:
            continue
        kept = 0
        for place in range(many):
            if givings[place, 0] & ~touches:
                givings[kept, 0] = givings[place, 0]
                kept += 1
        givings[kept, 0] = touches
        many = kept + 1
    return many


@part
def _give(wild: Whole, touches: Whole, cards: Numbers) -> None:
    """Have a wild card touch these."""
    leader = cards.shape[1] - 1
    bit = 1 << wild if wild != leader else 0
    for way in (BESIDE, ABOVE):
        for card in range(leader + 1):
            if card != wild:
                cards[way, card] = cards[way, card] & ~bit | (bit if touches >> card & 1 else 0)
        cards[way, wild] = touches & (1 << leader) - 1
        touches //= SETS


@part
def _alike(dogs: Dogs, hand: Whole, wild: Whole, cards: Numbers) -> Whole:
    """Find the cards of the hand that fit to just the same; returns the first of each."""
    size = cards.shape[1] - 1
    first = 0
    some = hand
    while some:
        card = LOWEST[some]
        some &= some - 1
        cards[LIKE, card] = card
        cards[AFTER, card] = 0
        others = hand & (1 << card) - 1
        alike = False
        while others and not alike:
            other = HIGHEST[others]
            others ^= 1 << other
            if wild:
                alike = same_kinds(dogs.may_be, cards[CARD, card], cards[CARD, other])
            else:
                both = ~(1 << card | 1 << other)
                alike = (
                    (cards[BESIDE, card] ^ cards[BESIDE, other]) & both == 0
                    and (cards[ABOVE, card] ^ cards[ABOVE, other]) & both == 0
                    and (cards[BESIDE, size] >> card ^ cards[BESIDE, size] >> other) & 1 == 0
                    and (cards[ABOVE, size] >> card ^ cards[ABOVE, size] >> other) & 1 == 0
                )
            if alike:
                cards[LIKE, card] = cards[LIKE, other]
                cards[AFTER, other] = 1 << card
        if not alike:
            first |= 1 << card
    return first


@part
def _grow(  # noqa: C901  # in one piece it takes half the time: handing on so many arrays is slow
    dogs: Dogs, board: Board, closed: Small, hand: Whole, wild: Whole, spoiled: Whole, desk: Desk
) -> None:
    """Go through all shapes of these cards that may be the best.

    `wild` are the wild cards, if there are several; a single one has been given what it may touch.
    """
    step, centre, spoils = board.step, board.centre, board.spoils
    cards, level, shapes, ahead, found = desk.cards, desk.level, desk.shapes, desk.ahead, desk.found
    lies, opened, seen, edge = desk.grid[LIES], desk.grid[OPEN], desk.grid[SEEN], desk.grid[EDGE]
    size = cards.shape[1] - 1
    around = (-step, -1, 1, step)
    most, fewest = found[MOST], found[FEWEST]
    first = _alike(dogs, hand, wild, cards)
    end = 0
    for side in range(4):
        cell: Whole = centre + around[side]
        if not closed[cell]:
            fits = cards[BESIDE if side == 0 or side == 3 else ABOVE, size]
            opened[cell] = fits
            seen[cell] = 1
            if fits:
                edge[end] = cell
                end += 1
    laid, nowhere = np.int64(0), np.int64(-1)
    unused = hand
    level[0, AT], level[0, END], level[0, TRY], level[0, LEFT] = -1, end, 0, first
    level[0, SPOILED], level[0, LEAST] = spoiled, FAR
    _look_ahead(ahead, opened, edge, laid, nowhere, np.int64(end), unused)
    while True:
        if level[laid, TRY] == 0:
            at = level[laid, AT] + 1
            if at < level[laid, END]:
                bound = laid + HOW_MANY[np.uint64(_linked(np.int64(ahead[0, laid, at]), unused, cards))]
                many = HOW_MANY[np.uint64(level[laid, SPOILED])]
                hopeless = bound < most or (
                    bound == most
                    and (
                        many > fewest
                        or (
                            many == fewest
                            and min(level[laid, LEAST], ahead[1, laid, at] - step * (bound - laid - 1))
                            > shapes[BEST, 0, 0]
                        )
                    )
                )
                if not hopeless:
                    level[laid, AT] = at
                    level[laid, TRY] = opened[edge[at]] & level[laid, LEFT]
                    continue
            if laid == 0:
                break
            # Take the last card up again.
            for place in range(level[laid - 1, END], level[laid, END]):
                seen[edge[place]] = 0
            laid -= 1
            card, cell = level[laid, LAST], np.int64(edge[level[laid, AT]])
            for side in range(4):
                opened[np.uint64(cell + around[side])] = level[laid, OLD + side]
            lies[cell] = NO_CARD
            unused |= 1 << card
            continue
        card = LOWEST[level[laid, TRY]]
        level[laid, TRY] &= level[laid, TRY] - 1
        cell = np.int64(edge[level[laid, AT]])
        lies[cell] = card
        cards[WHERE, card] = cell
        if wild and not may_lie(dogs, step, cell, wild, cards, lies, desk.can_be):
            lies[cell] = NO_CARD
            continue
        sides = level[laid, SPOILED] | spoils[cell]
        unused ^= 1 << card
        lowest = min(level[laid, LEAST], cell)
        many = HOW_MANY[np.uint64(sides)]
        now, laid = laid, laid + 1
        if laid > most or (laid == most and (many < fewest or (many == fewest and lowest <= shapes[BEST, 0, 0]))):
            _shape(hand & ~unused, cards, shapes)
            if laid > most or many < fewest or _is_before(laid, shapes):
                most, fewest = laid, many
                for place in range(laid):
                    shapes[BEST, place, 0], shapes[BEST, place, 1] = shapes[OTHER, place, 0], shapes[OTHER, place, 1]
        # Look at what lies around it.
        level[now, LAST] = card
        end = level[now, END]
        for side in range(4):
            other = np.uint64(cell + around[side])
            level[now, OLD + side] = opened[other]
            opened[other] &= cards[BESIDE if side == 0 or side == 3 else ABOVE, card]
            if not seen[other] and opened[other] & unused:
                seen[other] = 1
                edge[end] = other
                end += 1
        level[laid, AT], level[laid, END], level[laid, TRY] = level[now, AT], end, 0
        level[laid, LEFT] = level[now, LEFT] & ~(1 << card) | cards[AFTER, card]
        level[laid, SPOILED], level[laid, LEAST] = sides, lowest
        _look_ahead(ahead, opened, edge, laid, level[now, AT], end, unused)
    found[MOST], found[FEWEST] = most, fewest


@in_place
def _look_ahead(ahead: Small, opened: Small, edge: Small, laid: Whole, at: Whole, end: Whole, unused: Whole) -> None:
    """For each cell of the edge after this one, which cards fit there or later, and the least cell."""
    fitting, least = 0, LAST_CELL
    for place in range(end - 1, at, -1):
        cell = edge[place]
        there = opened[np.uint16(cell)] & unused
        fitting |= there
        if there and cell < least:
            least = cell
        ahead[0, laid, place], ahead[1, laid, place] = fitting, least


@part
def _shape(laid: Whole, cards: Numbers, shapes: Numbers) -> None:
    """What lies there, in order; of cards that fit to just the same the first comes first."""
    many = 0
    while laid:
        card = LOWEST[laid]
        laid &= laid - 1
        cell = cards[WHERE, card]
        place = many
        while place > 0 and shapes[OTHER, place - 1, 0] > cell:
            shapes[OTHER, place, 0], shapes[OTHER, place, 1] = shapes[OTHER, place - 1, 0], shapes[OTHER, place - 1, 1]
            place -= 1
        shapes[OTHER, place, 0], shapes[OTHER, place, 1] = cell, card
        many += 1
    for place in range(many):
        for later in range(place + 1, many):
            one, other = shapes[OTHER, place, 1], shapes[OTHER, later, 1]
            if other < one and cards[LIKE, one] == cards[LIKE, other]:
                shapes[OTHER, place, 1], shapes[OTHER, later, 1] = other, one


@part
def _is_before(laid: Whole, shapes: Numbers) -> bool:
    """Whether a shape comes before the best, which has as many cards."""
    for place in range(laid):
        for what in range(2):
            if shapes[OTHER, place, what] != shapes[BEST, place, what]:
                return bool(shapes[OTHER, place, what] < shapes[BEST, place, what])
    return False
