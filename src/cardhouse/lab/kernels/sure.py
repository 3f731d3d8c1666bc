"""The cautious bot of Dogpile as machine code: the largest shape that a hand makes by itself with the Pack Leader.

Shapes grow from the Pack Leader card by card. Each cell beside what lies there is taken in turn: some card is laid on
it, or it stays empty for good, so that every shape is made once. What can't become as good as the best is not grown.
Cards of a hand that fit to just the same are taken in order, and change places at the end.

Cards and sets of them are as in `hand`; sets of sides of the Pack Leader are the bits of a number as well. Cells go by
number, in order of x, then y.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.bits import how_many, lowest
from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import in_place, open_part, part
from cardhouse.lab.kernels.hand import (
    AFTER,
    CARD,
    FITS_ABOVE,
    FITS_BESIDE,
    LIKE,
    ROW,
    ROWS,
    TOGETHER,
    TOUCHES,
    WHERE,
    Bits,
    Dogs,
    Numbers,
    compare,
    find_alike,
    give,
    givings,
    linked,
    pairs_beside,
)
from cardhouse.lab.kernels.wild import NO_CARD, Small, may_lie

Sets = NDArray[np.uint16]
Flags = NDArray[np.uint8]


class Board(NamedTuple):
    """The cells that a hand can reach, and a rim around them."""

    step: int
    """From a cell to the next in x; in y it is 1."""
    centre: int
    """Where the Pack Leader lies."""
    outside: Flags
    """(cells,): 1 where nothing can be laid: out of reach, and the Pack Leader's cell."""
    spoils: Numbers
    """(cells,): the sides that are spoiled when a card lies there."""


class Desk(NamedTuple):
    """What is worked on; what stands there before does not matter."""

    hand: int
    """How many cards a hand has."""
    cards: Numbers
    """(ROWS * ROW,): what is known of each card of the hand, and of the Pack Leader."""
    lies: Small
    """(cells,): the card on each cell, or -1."""
    opened: Sets
    """(cells,): the cards that fit to all that lies around it."""
    seen: Flags
    """(cells,): whether it has been put on the edge, or can't be."""
    edge: Sets
    """(cells,): the cells beside what lies there, in the order in which they are taken."""
    ahead: Numbers
    """((hand + 1) * EDGE,): by cards laid, for each cell of the edge what there is on it and on those after it: the
    cards that fit, and above these bits where a card lies best."""
    level: Numbers
    """((hand + 1) * LEVEL,): by cards laid, `AT` and so on."""
    shapes: Numbers
    """(2 * ROW,): the best shape, and one that may be better: cell and card as one number, in order."""
    found: Numbers
    """(2,): of the best shape the number of cards, and how many sides are spoiled when it lies there."""
    given: Numbers
    """(kinds, 2): what a wild card may touch, and the cards that hang together then."""
    can_be: Bits
    """(hand + 1, words): what each wild card that lies there can be."""


EDGE = 64
"""More cells than the edge ever has."""

LEVEL = 16
AT, END, TRY, LEFT, SPOILED, LEAST, LAST, OLD = range(8)
"""Where on the edge we are, and its end; the cards still to be tried there, and those that may be laid next; the sides
that are spoiled; the least cell of the shape with its card; the card laid, and what was open on the four cells around
it."""

BEST, OTHER = 0, ROW
MOST, FEWEST = 0, 1

A_CELL = 1 << 4
"""A cell and a card as one number are the cell so many times, and the card."""
A_SIDE = 1 << 16
"""Spoiled sides and a cell as one number are the sides so many times, and the cell."""
A_SET = 1 << ROW
FAR = 1 << 30


def desk_for(hand: int, cells: int, kinds: int, words: int) -> Desk:
    """A desk for hands of this size, a board of so many cells, and so many kinds in so many words."""
    return Desk(
        hand,
        np.zeros(ROWS * ROW, np.int64),
        np.zeros(cells, np.int16),
        np.zeros(cells, np.uint16),
        np.zeros(cells, np.uint8),
        np.zeros(cells, np.uint16),
        np.zeros((hand + 1) * EDGE, np.int64),
        np.zeros((hand + 1) * LEVEL, np.int64),
        np.zeros(2 * ROW, np.int64),
        np.zeros(2, np.int64),
        np.zeros((kinds, 2), np.int64),
        np.zeros((hand + 1, words), np.uint64),
    )


@open_part
def largest(dogs: Dogs, board: Board, closed: Flags, spoiled: Whole, desk: Desk) -> Whole:
    """How many cards the cautious bot lays; `laid_card` and `laid_cell` then tell which, and where.

    In the row `CARD` of `desk.cards` is its hand, in the deck's order, and the Pack Leader; `closed` says where it lays
    none, as others have, and `spoiled` are the sides that others have spoiled.
    """
    hand, cards, found, given = desk.hand, desk.cards, desk.found, desk.given
    every = (1 << hand) - 1
    centre, step = board.centre, board.step
    beside = not (closed[centre - step] and closed[centre + step])
    above = not (closed[centre - 1] and closed[centre + 1])
    found[MOST], found[FEWEST] = 0, FAR
    wild = compare(dogs, hand, cards)
    only = how_many(wild) == 1
    several = wild if not only else np.int64(0)
    many: Whole = 1
    if only:
        many = givings(dogs, hand, lowest(wild), cards, given)
    most: Whole = 0
    for place in range(many):
        if only:
            give(hand, lowest(wild), given[place, TOUCHES], cards)
        first = (cards[FITS_BESIDE + hand] if beside else 0) | (cards[FITS_ABOVE + hand] if above else 0)
        given[place, TOGETHER] = linked(first, every, cards)
        most = max(most, how_many(given[place, TOGETHER]))
    if most == 0:
        return 0
    for cell in range(closed.size):
        desk.lies[cell] = NO_CARD
        desk.opened[cell] = 0 if closed[cell] else every
        desk.seen[cell] = closed[cell]
    desk.lies[centre] = hand
    cards[WHERE + hand] = centre
    for bound in range(most, 0, -1):
        if bound < found[MOST]:
            break
        for place in range(many):
            if how_many(given[place, TOGETHER]) == bound:
                if only:
                    give(hand, lowest(wild), given[place, TOUCHES], cards)
                _grow(dogs, board, closed, given[place, TOGETHER], several, spoiled, desk)
    return np.int64(found[MOST])


@in_place
def laid_card(place: Whole, desk: Desk) -> Whole:
    """The card of the deck on this place of the best shape."""
    return np.int64(desk.cards[CARD + desk.shapes[BEST + place] % A_CELL])


@in_place
def laid_cell(place: Whole, desk: Desk) -> Whole:
    """The cell it lies on."""
    return np.int64(desk.shapes[BEST + place] // A_CELL)


@part
def _grow(  # noqa: C901  # in one piece it takes half the time: handing on so many arrays is slow
    dogs: Dogs, board: Board, closed: Flags, hand: Whole, wild: Whole, spoiled: Whole, desk: Desk
) -> None:
    """Go through all shapes of these cards that may be the best.

    `wild` are the wild cards, if there are several; a single one has been given what it may touch.
    """
    step, centre, spoils = board.step, board.centre, board.spoils
    cards, level, shapes, ahead, found = desk.cards, desk.level, desk.shapes, desk.ahead, desk.found
    lies, opened, seen, edge = desk.lies, desk.opened, desk.seen, desk.edge
    around = (-step, -1, 1, step)
    most, fewest = found[MOST], found[FEWEST]
    left = find_alike(dogs, desk.hand, hand, wild, cards)
    end = 0
    for side in range(4):
        cell: Whole = centre + around[side]
        if not closed[cell]:
            fits = cards[(FITS_BESIDE if side == 0 or side == 3 else FITS_ABOVE) + desk.hand]
            opened[cell] = fits
            seen[cell] = 1
            if fits:
                edge[end] = cell
                end += 1
    laid, now = np.int64(0), np.int64(0)
    unused = hand
    level[AT], level[END], level[TRY], level[LEFT], level[SPOILED], level[LEAST] = -1, end, 0, left, spoiled, FAR
    _look_ahead(ahead, opened, edge, laid, np.int64(0), np.int64(end), unused, np.int64(spoiled), spoils)
    while True:
        if level[now + TRY] == 0:
            at = level[now + AT] + 1
            if at < level[now + END]:
                seen_ahead = ahead[np.uint64(laid * EDGE + at)]
                bound = laid + how_many(linked(seen_ahead % A_SET, unused, cards))
                hopeless = bound < most
                if bound == most:
                    sides, cell = seen_ahead // A_SET // A_SIDE, seen_ahead // A_SET % A_SIDE
                    least = (cell - _reach(bound - laid - 1, unused, step, cards)) * A_CELL
                    hopeless = sides > fewest or (sides == fewest and min(level[now + LEAST], least) > shapes[BEST])
                if not hopeless:
                    level[now + AT] = at
                    level[now + TRY] = opened[edge[np.uint64(at)]] & level[now + LEFT]
                    continue
            if laid == 0:
                break
            many, least = how_many(level[now + SPOILED]), level[now + LEAST]
            if laid > most or (laid == most and (many < fewest or (many == fewest and least <= shapes[BEST]))):
                _shape(hand & ~unused, cards, shapes)
                if laid > most or many < fewest or _is_before(laid, shapes):
                    most, fewest = laid, many
                    for place in range(laid):
                        shapes[BEST + place] = shapes[OTHER + place]
            # Take the last card up again.
            for place in range(level[now - LEVEL + END], level[now + END]):
                seen[edge[np.uint64(place)]] = 0
            laid -= 1
            now -= LEVEL
            card, cell = level[now + LAST], np.int64(edge[np.uint64(level[now + AT])])
            for side in range(4):
                opened[np.uint64(cell + around[side])] = level[now + OLD + side]
            lies[cell] = NO_CARD
            unused |= 1 << card
            continue
        card = lowest(level[now + TRY])
        level[now + TRY] &= level[now + TRY] - 1
        cell = np.int64(edge[np.uint64(level[now + AT])])
        lies[cell] = card
        cards[WHERE + card] = cell
        if wild and not may_lie(dogs, step, cell, wild, cards, lies, desk.can_be):
            lies[cell] = NO_CARD
            continue
        sides = level[now + SPOILED] | spoils[cell]
        unused ^= 1 << card
        least = min(level[now + LEAST], cell * A_CELL + cards[LIKE + card])
        laid += 1
        # Look at what lies around it.
        level[now + LAST] = card
        end = level[now + END]
        for side in range(4):
            other = np.uint64(cell + around[side])
            level[now + OLD + side] = opened[other]
            opened[other] &= cards[(FITS_BESIDE if side == 0 or side == 3 else FITS_ABOVE) + card]
            if not seen[other] and opened[other] & unused:
                seen[other] = 1
                edge[np.uint64(end)] = other
                end += 1
        at, left = level[now + AT], level[now + LEFT] & ~(1 << card) | cards[AFTER + card]
        now += LEVEL
        level[now + AT], level[now + END], level[now + TRY], level[now + LEFT] = at, end, 0, left
        level[now + SPOILED], level[now + LEAST] = sides, least
        _look_ahead(ahead, opened, edge, laid, at + 1, end, unused, sides, spoils)
    found[MOST], found[FEWEST] = most, fewest


@in_place
def _look_ahead(
    ahead: Numbers,
    opened: Sets,
    edge: Sets,
    laid: Whole,
    begin: Whole,
    end: Whole,
    unused: Whole,
    spoiled: Whole,
    spoils: Numbers,
) -> None:
    """For each cell of the edge from this one on, the cards that fit there or later, and where one lies best."""
    fitting, best = np.int64(0), np.int64(FAR)
    for place in range(end - 1, begin - 1, -1):
        cell = np.int64(edge[np.uint64(place)])
        there = opened[cell] & unused
        fitting |= there
        if there:
            best = min(best, how_many(spoiled | spoils[cell]) * A_SIDE + cell)
        ahead[np.uint64(laid * EDGE + place)] = best * A_SET + fitting


@in_place
def _reach(more: Whole, unused: Whole, step: Whole, cards: Numbers) -> Whole:
    """How far before a cell so many more cards may come to lie: each step to the side takes two that fit there."""
    steps = min(pairs_beside(unused, cards) // 2, more)
    return steps * (step - 1) + more


@part
def _shape(laid: Whole, cards: Numbers, shapes: Numbers) -> None:
    """What lies there, in order; of cards that fit to just the same the first comes first."""
    many = 0
    while laid:
        card = lowest(laid)
        laid &= laid - 1
        both = cards[WHERE + card] * A_CELL + card
        place = many
        while place > 0 and shapes[OTHER + place - 1] > both:
            shapes[OTHER + place] = shapes[OTHER + place - 1]
            place -= 1
        shapes[OTHER + place] = both
        many += 1
    for place in range(many):
        for later in range(place + 1, many):
            one, other = shapes[OTHER + place] % A_CELL, shapes[OTHER + later] % A_CELL
            if other < one and cards[LIKE + one] == cards[LIKE + other]:
                shapes[OTHER + place] += other - one
                shapes[OTHER + later] += one - other


@part
def _is_before(laid: Whole, shapes: Numbers) -> bool:
    """Whether a shape comes before the best, which has as many cards."""
    for place in range(laid):
        if shapes[OTHER + place] != shapes[BEST + place]:
            return bool(shapes[OTHER + place] < shapes[BEST + place])
    return False
