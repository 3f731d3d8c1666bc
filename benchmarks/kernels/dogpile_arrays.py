"""Rounds of Dogpile with NumPy arrays: the cautious bot finds the best shapes of thousands of hands at once.

Shapes grow card by card, those of all hands together, one row each. A card is laid on some cell of the edge, and the
edge's earlier cells stay empty for good, so no shape is made twice. Shapes that spoil more sides of the Pack Leader
wait until all that spoil fewer are known, and are dropped if they can't lead to anything better.

A card is its index in a sorted deck, jokers last, or its index in its hand, with the Pack Leader after the last. Cells
are numbered in order of x, then y. Sets of cells are the bits of a word, since a hand of five reaches at most 61; sets
of a hand's cards, of sides, and of a joker's values are bits, too.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardhouse.cards import Cell, around

PLAYERS, HAND = 4, 5
LEADER, SIDES = HAND, 4
NUMBERS, JOKER = 13, 52
AT_ONCE = 10_000

Numbers = NDArray[Any]
Sets = NDArray[np.uint64]

CELLS = [(x, y) for x in range(-HAND, HAND + 1) for y in range(-HAND, HAND + 1) if abs(x) + abs(y) <= HAND]
CENTRE, NOWHERE = CELLS.index((0, 0)), len(CELLS)
"""The Pack Leader's cell, and the number that means no cell."""

APART, BESIDE, ABOVE = 0, 1, 2
"""The ways in which two cells touch."""


def contact(one: Cell, other: Cell) -> int:
    """Return how two cells touch."""
    if other not in around(one):
        return APART
    return BESIDE if one[1] == other[1] else ABOVE


CONTACT = np.zeros((NOWHERE + 1, NOWHERE + 1), np.uint8)
CONTACT[:NOWHERE, :NOWHERE] = [[contact(one, other) for other in CELLS] for one in CELLS]
BIT: Sets = np.append(np.uint64(1) << np.arange(NOWHERE, dtype=np.uint64), np.uint64(0))
"""Each cell as a set; NOWHERE is the empty set."""
NEAR: Sets = np.array([[BIT[touching == way].sum() for touching in CONTACT] for way in (BESIDE, ABOVE)])
AROUND: Sets = NEAR[0] | NEAR[1]
"""The cells that touch a cell beside and above, and in any way."""
LEFT: Sets = ~np.stack([AROUND, NEAR[1], NEAR[0], np.zeros_like(AROUND)], axis=1)
"""By the cell of a laid card and how another card may touch it: the cells left for the other."""
SPOILS = (((BIT | AROUND)[:, None] & BIT[CONTACT[CENTRE] > APART] > 0) @ (1 << np.arange(SIDES))).astype(np.uint8)
"""The sides of the Pack Leader that a card on each cell spoils."""

CARD = np.arange(JOKER + 2)
NUMBER, SUIT, WILD = CARD % NUMBERS, CARD // NUMBERS, CARD >= JOKER
MAY_TOUCH = (abs(NUMBER[:, None] - NUMBER) == 1) * BESIDE | (SUIT[:, None] == SUIT) * ABOVE
MAY_TOUCH = np.where(WILD | WILD[:, None], BESIDE | ABOVE, MAY_TOUCH).astype(np.uint8)
"""How two cards may touch, BESIDE | ABOVE for both ways; a joker can be anything."""

ANY_NUMBER, ANY_SUIT = (1 << NUMBERS) - 1, 0b1111 << NUMBERS
CAN_BE = np.full((3, len(CARD)), ANY_NUMBER | ANY_SUIT, np.int32)
CAN_BE[BESIDE, ~WILD] = ((2 << NUMBER | 1 << NUMBER >> 1) & ANY_NUMBER | ANY_SUIT)[~WILD]
CAN_BE[ABOVE, ~WILD] = (ANY_NUMBER | 1 << NUMBERS + SUIT)[~WILD]
"""The possible values of a joker by how it touches a card: a bit for each number, and one for each suit."""

MISSING = 8
"""The cost of a shape is this for each unlaid card of the hand, plus its spoiled sides; lower is better."""
CELL, CODE = 3, 9
"""In a shape's list, a cell with its card has CODE bits, the cell from bit CELL on."""


class Shapes(NamedTuple):
    """Shapes that grow, one row each."""

    hand: Numbers
    """The hand of each."""
    cells: Numbers
    """(shapes, HAND + 1): the cell of each card."""
    missing: Numbers
    """The number of unlaid cards of the hand."""
    spoiled: Numbers
    """The sides that it spoils."""
    fitting: Sets
    """(shapes, HAND): for each unlaid card, the cells where it fits everything around."""
    edge: Sets
    """The possible cells of the next card."""
    closed: Sets
    """The cells that must stay empty."""


class Laid(NamedTuple):
    """Shapes with one more card: the shape `before`, the card and its cell, and the columns of a shape."""

    before: Numbers
    card: Numbers
    cell: Numbers
    hand: Numbers
    cells: Numbers
    missing: Numbers
    spoiled: Numbers


Rows = TypeVar("Rows", Shapes, Laid)


def some(columns: Rows, rows: Numbers) -> Rows:
    """Return these rows of all columns."""
    return type(columns)(*(column.take(rows, axis=0) for column in columns))


def together(pieces: list[Shapes]) -> Shapes:
    """Concatenate shapes."""
    return Shapes(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def members(sets: Sets) -> tuple[Numbers, Sets]:
    """Return every cell of every set: the index of the set, and the cell as a set."""
    place = np.flatnonzero(sets)
    left = sets.take(place)
    found = [(place[:0], left[:0])]
    while len(place):
        others = left & (left - 1)
        found.append((place, left ^ others))
        more = np.flatnonzero(others)
        place, left = place.take(more), others.take(more)
    places, cells = zip(*found, strict=True)
    return np.concatenate(places), np.concatenate(cells)


class Hands:
    """Hands whose jokers have the same places, and the search for their best shapes."""

    def __init__(self, cards: Numbers, closed: Sets, spoiled: Numbers, wild: tuple[int, ...]) -> None:
        """Start with hands: each row of `cards` is a sorted hand and the Pack Leader; `wild` has the jokers' places."""
        many = len(cards)
        self.cards, self.wild = cards, wild
        touch = MAY_TOUCH[cards[:, :, None], cards[:, None, :HAND]]
        self.touch = touch.reshape(-1, HAND)
        cells = np.full((many, HAND + 1), NOWHERE, np.uint8)
        cells[:, LEADER] = CENTRE
        closed = closed | BIT[CENTRE]
        missing = np.full(many, HAND)
        fitting = LEFT[CENTRE, touch[:, LEADER]]
        first = Shapes(np.arange(many), cells, missing, spoiled, fitting, AROUND[CENTRE] & ~closed, closed)
        sides = np.bitwise_count(spoiled)
        self.goal = MISSING * (HAND - hanging_together(touch))
        """A lower bound on the cost of a hand's shapes, without spoiled sides."""
        self.worth = MISSING * missing + sides
        self.best = listed(self.worth, cells)
        """The best shape so far: its cost, and its cost with its list."""
        self.waiting = [[some(first, np.flatnonzero(sides == number))] for number in range(SIDES + 1)]
        """Shapes that must still grow, by the number of sides that they spoil."""

    def lay(self) -> Numbers:
        """Return the cells on which each hand lays, and NOWHERE: shape (hands, HAND)."""
        for sides, pieces in enumerate(self.waiting):
            shapes = together(pieces)
            shapes = some(shapes, np.flatnonzero(self.goal[shapes.hand] + sides <= self.worth[shapes.hand]))
            while len(shapes.hand):
                shapes = self.grow(shapes, sides)
        return self.best[:, None] >> CODE * np.arange(HAND) + CELL & (1 << CODE - CELL) - 1

    def grow(self, shapes: Shapes, sides: int) -> Shapes:
        """Lay one more card in every way; return the shapes to grow next, which spoil at most these `sides`."""
        laid = self.one_more(shapes)
        spoiled = np.bitwise_count(laid.spoiled)
        self.note(laid, MISSING * laid.missing + spoiled)
        goal = self.goal.take(laid.hand)
        grows = (goal < MISSING * laid.missing) & (goal + spoiled <= self.worth.take(laid.hand))
        for number in range(sides, SIDES + 1):
            rows = np.flatnonzero(grows & (spoiled == number))
            self.waiting[number].append(looked_around(shapes, some(laid, rows), self.touch))
        return self.waiting[sides].pop()

    def one_more(self, shapes: Shapes) -> Laid:
        """Return all legal shapes with one more card."""
        place, bit = members((shapes.fitting & shapes.edge[:, None]).ravel())
        before, cell = place // HAND, np.bitwise_count(bit - 1)
        card = place - HAND * before
        cells = shapes.cells.take(before, axis=0)
        cells[np.arange(len(cell)), card] = cell
        hand, missing = shapes.hand.take(before), shapes.missing.take(before) - 1
        laid = Laid(before, card, cell, hand, cells, missing, shapes.spoiled.take(before) | SPOILS.take(cell))
        if self.wild:
            laid = some(laid, np.flatnonzero(settled(self.cards.take(hand, axis=0), cells, self.wild)))
        return laid

    def note(self, laid: Laid, worth: Numbers) -> None:
        """Keep the best shapes: the smallest list among those of equal cost."""
        np.minimum.at(self.worth, laid.hand, worth)
        best = np.flatnonzero(worth == self.worth.take(laid.hand))
        np.minimum.at(self.best, laid.hand.take(best), listed(worth.take(best), laid.cells.take(best, axis=0)))


def hanging_together(touch: Numbers) -> Numbers:
    """Return how many cards of a hand are connected with the Pack Leader, by how they may touch."""
    touched = (touch > APART) @ (1 << np.arange(HAND))
    found: Numbers = touched[:, LEADER]
    for _ in range(HAND - 1):
        for card in range(HAND):
            found = found | touched[:, card] * (found >> card & 1)
    many: Numbers = np.bitwise_count(found)
    return many


def looked_around(shapes: Shapes, laid: Laid, touch: Numbers) -> Shapes:
    """Return shapes ready to grow: the cells that each card still fits on, and the next edge."""
    before, card, cell, hand, cells, missing, spoiled = laid
    edge, bit = shapes.edge.take(before), BIT.take(cell)
    closed = shapes.closed.take(before) | bit | edge & (bit - 1)
    fitting = shapes.fitting.take(before, axis=0)
    fitting &= LEFT.take(touch.take(hand * (HAND + 1) + card, axis=0) + cell[:, None] * 4)
    fitting[np.arange(len(card)), card] = 0
    return Shapes(hand, cells, missing, spoiled, fitting, (edge | AROUND.take(cell)) & ~closed, closed)


def listed(worth: Numbers, cells: Numbers) -> Numbers:
    """Return a number that is smaller for a better shape: its cost, then its cells and cards in order of the cells."""
    codes = [cells[:, card].astype(np.uint16) << CELL | card for card in range(HAND)]
    for one in range(HAND):
        for other in range(one + 1, HAND):
            both = codes[one], codes[other]
            codes[one], codes[other] = np.minimum(*both), np.maximum(*both)
    number = worth.astype(np.int64)
    for code in codes:
        number = number << CODE | code
    return number


def settled(cards: Numbers, cells: Numbers, wild: tuple[int, ...]) -> Numbers:
    """Return whether the jokers can each be one value that fits everything they touch."""
    can_be = [what_it_can_be(joker, cards, cells) for joker in wild]
    good: Numbers = np.all([(kinds & ANY_NUMBER > 0) & (kinds & ANY_SUIT > 0) for kinds in can_be], axis=0)
    if len(wild) == 2:
        one, other = can_be
        touch = CONTACT[cells[:, wild[0]], cells[:, wild[1]]]
        numbers = one & ANY_NUMBER
        good &= (touch != BESIDE) | ((numbers << 1 | numbers >> 1) & other & ANY_NUMBER > 0)
        good &= (touch != ABOVE) | (one & other & ANY_SUIT > 0)
    return good


def what_it_can_be(joker: int, cards: Numbers, cells: Numbers) -> Numbers:
    """Return what a joker can be next to the plain cards that it touches."""
    kinds = np.full(len(cells), ANY_NUMBER | ANY_SUIT, np.int32)
    here = cells[:, joker].astype(np.int16) * (NOWHERE + 1)
    for card in range(HAND + 1):
        touch = CONTACT.take(here + cells[:, card])
        kinds &= CAN_BE.take(touch * np.int16(len(CARD)) + cards[:, card])
    return kinds


def lay(cards: Numbers, closed: Sets, spoiled: Numbers) -> Numbers:
    """Return the cells on which each hand lays, and NOWHERE: shape (hands, HAND)."""
    wild = (cards >= JOKER) @ (1 << np.arange(HAND + 1))
    cells = np.empty((len(cards), HAND), np.int64)
    for places in np.unique(wild):
        rows = np.flatnonzero(wild == places)
        jokers = tuple(card for card in range(HAND + 1) if places >> card & 1)
        cells[rows] = Hands(cards[rows], closed[rows], spoiled[rows], jokers).lay()
    return cells


def rounds(many: int, jokers: int, random: np.random.Generator) -> list[int]:
    """Play this many rounds at once."""
    deck = random.random((many, JOKER + jokers)).argsort(axis=1)
    leader, hands = deck[:, -1], deck[:, : PLAYERS * HAND].reshape(many, PLAYERS, HAND)
    closed, spoiled = np.zeros(many, np.uint64), np.zeros(many, np.uint8)
    laid, turn = np.zeros((PLAYERS, many), np.int64), np.arange(many)
    for player in range(PLAYERS):
        cards = np.column_stack([np.sort(hands[turn, player], axis=1), leader[turn]])
        cells = lay(cards, closed[turn], spoiled[turn])
        laid[player, turn] = (cells < NOWHERE).sum(axis=1)
        closed[turn] |= np.bitwise_or.reduce(BIT[cells] | AROUND[cells], axis=1)
        spoiled[turn] |= np.bitwise_or.reduce(SPOILS[cells], axis=1)
        turn = turn[(laid[player, turn] > 0) & (leader[turn] < JOKER)]
    pack = 1 + laid.sum(axis=0)
    return [pack[pack > 1].sum(), pack.sum(), (pack == 1).sum(), *laid.sum(axis=1)]


def with_arrays(jokers: int, trials: int) -> list[float]:
    """Play this many rounds, thousands at once."""
    random, sums = np.random.default_rng(), np.zeros(3 + PLAYERS)
    for begun in range(0, trials, AT_ONCE):
        sums += rounds(min(AT_ONCE, trials - begun), jokers, random)
    return list(sums)
