"""The cautious bot of Dogpile as machine code: the largest shape that a hand alone makes with the Pack Leader.

Shapes grow from the Pack Leader card by card. Each cell next to a card is decided in turn: a card is laid on it, or it
stays empty for good, so that every shape is made once. Branches that can't match the best are pruned. Cards of a hand
with the same contacts are tried in one order only, and sorted at the end. See `contacts` for cards and sets of them;
sets of sides of the Pack Leader are bit sets as well. Cells are numbered in order of x, then y. Those that a hand can
reach have a bit each in sets of cells, in the same order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardhouse.games.dogpile.lab.kernels.contacts import (
    ABOVE,
    AFTER,
    BESIDE,
    CARD,
    FITS_ABOVE,
    FITS_BESIDE,
    LIKE,
    NONE,
    ONE,
    ROW,
    ROWS,
    TOGETHER,
    TOUCHES,
    WHERE,
    WORD,
    Bits,
    Dogs,
    Numbers,
    apply_alternative,
    compare,
    connect,
    find_alike,
    linked,
    pairs_beside,
    wild_alternatives,
)
from cardhouse.games.dogpile.lab.kernels.wild_cards import NO_CARD, Small, may_lie
from cardhouse.lab.kernels.bits import how_many, lowest
from cardhouse.lab.kernels.chance import Whole
from cardhouse.lab.kernels.compiled import in_place, open_part, part


class Board(NamedTuple):
    """The cells that a hand can reach, including the Pack Leader's."""

    words: tuple[int, ...]
    """One entry for each 64-bit word of a set of cells; the code is compiled for their number."""
    step: int
    """The distance to the next cell in x; in y it is 1."""
    centre: int
    """The bit of the Pack Leader's cell."""
    cell: Numbers
    """(bits,): the cell of each bit."""
    bit: Numbers
    """(cells,): the bit of each cell; 0 if out of reach."""
    closed: Bits
    """(words,): the bits where no card can be laid: the Pack Leader's cell, and bits without a cell."""
    beside: Bits
    """(words,): the cells beside the Pack Leader."""
    above: Bits
    """(words,): those above and below it."""
    taken: Bits
    """(bits * words,): each cell with those that touch it."""
    left: Bits
    """(bits * WAYS * words,): the cells left for a card that may touch the card on a cell in these directions."""
    spoils: Numbers
    """(bits,): the sides blocked by a card on this bit."""
    spoiling: Bits
    """(16 * words,): by the sides already blocked, the cells that block others."""


WAYS = 4
"""The number of sets of directions."""


class Desk(NamedTuple):
    """Working memory. Its previous content doesn't matter."""

    hand: int
    """The number of cards in a hand."""
    cards: Numbers
    """(ROWS * ROW,): facts about each card of the hand, and the Pack Leader."""
    lies: Small
    """(cells,): the card on each cell, or -1; used with several wild cards."""
    level: Numbers
    """((hand + 1) * LEVEL,): `BIT` and so on, by cards laid."""
    sets: Bits
    """((hand + 2) * words * SETS,): sets of cells, by cards on the grid (including the Pack Leader) and by word.

    For each card of the hand, the cells where it fits all neighbours, none once it is laid; `EDGE`; `FREE`.
    """
    shapes: Numbers
    """(2 * ROW,): the best shape, and a candidate: cell and card as one number, in order."""
    found: Numbers
    """(2,): the best shape's number of cards, and of sides blocked with it."""
    given: Numbers
    """(2, kinds): what a wild card may touch, and the cards that are then connected."""
    can_be: Bits
    """(hand + 1, words): the possible kinds of each wild card on the grid."""


LEVEL = 8
BIT, TRY, LEFT, SPOILED, LEAST, LAST = range(6)
"""The columns of a level.

BIT: the current cell. TRY: the cards still to try there. LEFT: the cards available next. SPOILED: the blocked sides.
LEAST: the least cell of the shape with its card. LAST: the card laid.
"""

PLACES = 8
"""The maximum hand, a size at which a processor can handle all sets at once."""
SETS = 2 * PLACES
EDGE, FREE = PLACES, PLACES + 1
"""The undecided cells next to a card; all cells where a card may still be laid."""

BEST, OTHER = 0, ROW
MOST, FEWEST = 0, 1

A_CELL = 1 << 4
"""The factor of a cell in a number that combines cell and card."""
FAR = 1 << 30


def desk_for(board: Board, hand: int, kinds: int, words: int) -> Desk:
    """Return working memory for hands of this size and this number of kinds and words.

    Raises ValueError if a hand is larger than PLACES.
    """
    if hand > PLACES:
        raise ValueError(f"A hand has {PLACES} cards at most here, not {hand}.")
    return Desk(
        hand,
        np.zeros(ROWS * ROW, np.int64),
        np.zeros(len(board.bit), np.int16),
        np.zeros((hand + 1) * LEVEL, np.int64),
        np.zeros((hand + 2) * len(board.words) * SETS, np.uint64),
        np.zeros(2 * ROW, np.int64),
        np.zeros(2, np.int64),
        np.zeros((2, kinds), np.int64),
        np.zeros((hand + 1, words), np.uint64),
    )


@open_part
def largest(dogs: Dogs, board: Board, closed: Bits, spoiled: Whole, desk: Desk) -> Whole:
    """Return the number of cards the cautious bot lays. `laid_card` and `laid_bit` then return which, and where.

    The row `CARD` of `desk.cards` must hold its hand, in the deck's order, and the Pack Leader. `closed` has the cells
    it avoids because of other players' cards, `spoiled` the sides that others have blocked.
    """
    hand, cards, found, given = desk.hand, desk.cards, desk.found, desk.given
    every = (1 << hand) - 1
    found[MOST], found[FEWEST] = 0, FAR
    wild = compare(dogs, hand, cards)
    only = how_many(wild) == 1
    several = wild if not only else np.int64(0)
    beside, above = has_room(board.beside, closed), has_room(board.above, closed)
    first = (cards[FITS_BESIDE + hand] if beside else 0) | (cards[FITS_ABOVE + hand] if above else 0)
    many: Whole = 1
    if only:
        many = wild_alternatives(dogs, hand, lowest(wild), cards, given)
        connect(hand, lowest(wild), first, beside, above, cards, given, many)
    else:
        given[TOGETHER, 0] = linked(first, every, cards)
    most: Whole = 0
    for place in range(many):
        most = max(most, how_many(given[TOGETHER, place]))
    if several:
        for cell in range(desk.lies.size):
            desk.lies[cell] = NO_CARD
        desk.lies[board.cell[board.centre]] = hand
        cards[WHERE + hand] = board.cell[board.centre]
    for bound in range(most, 0, -1):
        if bound < found[MOST]:
            break
        for place in range(many):
            if how_many(given[TOGETHER, place]) == bound:
                if only:
                    apply_alternative(hand, lowest(wild), given[TOUCHES, place], cards)
                _search(dogs, board, closed, given[TOGETHER, place], several, spoiled, desk)
    return np.int64(found[MOST])


@in_place
def has_room(cells: Bits, closed: Bits) -> bool:
    """Return whether any of these cells is open."""
    free = NONE
    for word in range(cells.size):
        free |= cells[word] & ~closed[word]
    return bool(free)


@in_place
def laid_card(place: Whole, desk: Desk) -> Whole:
    """Return the card of the deck at this position of the best shape."""
    return np.int64(desk.cards[CARD + desk.shapes[BEST + place] % A_CELL])


@in_place
def laid_bit(place: Whole, board: Board, desk: Desk) -> Whole:
    """Return the bit of its cell."""
    return np.int64(board.bit[desk.shapes[BEST + place] // A_CELL])


@part
def _search(dogs: Dogs, board: Board, closed: Bits, hand: Whole, wild: Whole, spoiled: Whole, desk: Desk) -> None:
    """Search all shapes of these cards that may be the best.

    `wild` has the wild cards if there are several. A single one has already been given what it may touch.
    """
    cards, level, lies, found = desk.cards, desk.level, desk.lies, desk.found
    laid, now, unused = np.int64(0), np.int64(0), hand
    level[TRY], level[LEFT] = 0, find_alike(dogs, desk.hand, hand, wild, cards)
    level[SPOILED], level[LEAST] = spoiled, FAR
    _clear(board, closed, hand, desk.sets)
    _lay(board, np.int64(desk.hand), np.int64(board.centre), np.int64(0), hand, cards, desk.sets)
    while True:
        if level[now + TRY] == 0:
            if _advance(board, laid, unused, desk):
                continue
            if laid == 0:
                return
            if laid >= found[MOST]:
                _compare(laid, hand & ~unused, how_many(level[now + SPOILED]), level[now + LEAST], desk)
            laid -= 1
            now -= LEVEL
            unused |= 1 << level[now + LAST]
            if wild:
                lies[cards[WHERE + level[now + LAST]]] = NO_CARD
            continue
        card, bit = lowest(level[now + TRY]), level[now + BIT]
        level[now + TRY] &= level[now + TRY] - 1
        cell = board.cell[bit]
        cards[WHERE + card] = cell
        if wild:
            lies[cell] = card
            if not may_lie(dogs, board.step, cell, wild, cards, lies, desk.can_be):
                lies[cell] = NO_CARD
                continue
        unused ^= 1 << card
        level[now + LAST] = card
        laid += 1
        _lay(board, card, bit, laid, unused, cards, desk.sets)
        later = now + LEVEL
        level[later + TRY] = 0
        level[later + LEFT] = level[now + LEFT] & ~(1 << card) | cards[AFTER + card]
        level[later + SPOILED] = level[now + SPOILED] | board.spoils[bit]
        level[later + LEAST] = min(level[now + LEAST], cell * A_CELL + cards[LIKE + card])
        now = later


@in_place
def _clear(board: Board, closed: Bits, hand: Whole, sets: Bits) -> None:
    """Initialise the sets: before any card is laid, every card fits on all open cells."""
    for word in range(len(board.words)):
        row, free = word * SETS, ~closed[word]
        for card in range(PLACES):
            sets[row + card] = free if hand >> card & 1 else NONE
        sets[row + EDGE], sets[row + FREE] = NONE, free


@in_place
def _lay(board: Board, card: Whole, bit: Whole, there: Whole, unused: Whole, cards: Numbers, sets: Bits) -> None:
    """Compute the sets after one more card, the first `there` being on the grid already."""
    words = len(board.words)
    beside, above = cards[FITS_BESIDE + card], cards[FITS_ABOVE + card]
    for word in range(words):
        now = (there * words + word) * SETS
        later = now + words * SETS
        for place in range(PLACES):
            sets[later + place] = NONE
        some = unused
        while some:
            other = lowest(some)
            some &= some - 1
            ways = (beside >> other & 1) << BESIDE | (above >> other & 1) << ABOVE
            left = board.left[(bit * WAYS + ways) * words + word]
            sets[later + other] = sets[now + other] & left
        free = sets[now + FREE]
        sets[later + EDGE] = (sets[now + EDGE] | board.taken[bit * words + word]) & free
        sets[later + FREE] = free


@in_place
def _advance(board: Board, laid: Whole, unused: Whole, desk: Desk) -> bool:
    """Advance to the next cell of the edge where a card fits.

    Returns False if there is none, or the branch is hopeless.
    """
    words, sets, level = len(board.words), desk.sets, desk.level
    now, begin = laid * LEVEL, (laid + 1) * words * SETS
    fitting, bit, sound = np.int64(0), np.int64(FAR), np.int64(FAR)
    for word in range(words - 1, -1, -1):
        row, cells = begin + word * SETS, NONE
        edge = sets[row + EDGE]
        for card in range(PLACES):
            here = sets[row + card] & edge
            cells |= here
            fitting |= 1 << card if here else 0
        if cells:
            bit = word * WORD + lowest(np.int64(cells))
        cells &= ~board.spoiling[level[now + SPOILED] * words + word]
        if cells:
            sound = word * WORD + lowest(np.int64(cells))
    if not fitting or _is_hopeless(board, laid, fitting, unused, bit, sound, desk):
        return False
    row, mask = begin + bit // WORD * SETS, ONE << np.uint64(bit % WORD)
    fitting = np.int64(0)
    for card in range(PLACES):
        fitting |= 1 << card if sets[row + card] & mask else 0
    sets[row + EDGE] &= ~mask
    sets[row + FREE] &= ~mask
    level[now + BIT], level[now + TRY] = bit, fitting & level[now + LEFT]
    return True


@in_place
def _is_hopeless(
    board: Board, laid: Whole, fitting: Whole, unused: Whole, bit: Whole, sound: Whole, desk: Desk
) -> bool:
    """Return whether no shape with one more of the fitting cards can match the best.

    Its card goes on this bit's cell or a later one; to block no further side, on the `sound` cell or a later one.
    """
    cards, level, best = desk.cards, desk.level, desk.shapes[BEST]
    most, fewest, now = desk.found[MOST], desk.found[FEWEST], laid * LEVEL
    bound = laid + how_many(linked(fitting, unused, cards))
    if bound != most:
        return bool(bound < most)
    many = how_many(level[now + SPOILED]) + (sound == FAR)
    if many != fewest or level[now + LEAST] <= best:
        return bool(many > fewest)
    cell = board.cell[bit if sound == FAR else sound]
    return bool((cell - _reach(bound - laid - 1, unused, board.step, cards)) * A_CELL > best)


@in_place
def _reach(more: Whole, unused: Whole, step: Whole, cards: Numbers) -> Whole:
    """Return how far before a cell `more` further cards may lie. Each step sideways takes two cards that fit there."""
    steps = min(pairs_beside(unused, cards) // 2, more)
    return steps * (step - 1) + more


@part
def _compare(laid: Whole, cards: Whole, spoiled: Whole, least: Whole, desk: Desk) -> None:
    """Keep the current shape if it is better than the best so far, which has no more cards."""
    shapes, found = desk.shapes, desk.found
    more = laid > found[MOST] or spoiled < found[FEWEST]
    if not more and (spoiled > found[FEWEST] or least > shapes[BEST]):
        return
    _shape(cards, desk.cards, shapes)
    if more or _is_before(laid, shapes):
        found[MOST], found[FEWEST] = laid, spoiled
        for place in range(laid):
            shapes[BEST + place] = shapes[OTHER + place]


@part
def _shape(laid: Whole, cards: Numbers, shapes: Numbers) -> None:
    """Write the current shape in order. Cards with the same contacts are sorted by the deck's order."""
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
    """Return whether a shape comes before the best, which has as many cards."""
    for place in range(laid):
        if shapes[OTHER + place] != shapes[BEST + place]:
            return bool(shapes[OTHER + place] < shapes[BEST + place])
    return False
