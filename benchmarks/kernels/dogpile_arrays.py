"""Rounds of Dogpile with NumPy's arrays: the cautious bot looks for the best shapes of thousands of hands at once.

Shapes grow card by card, those of all hands together, a row for each. A card is laid on some cell of the edge, and the
cells of the edge that come before it stay empty for good, so that no shape is made twice. What spoils more sides of the
Pack Leader waits until all shapes that spoil fewer are known, and is forgotten if nothing better can come of it.

A card goes by its place in a deck that is in order, jokers last, or by its place in its hand, where the Pack Leader has
the place after the last. Cells go by number, in order of x, then y. Sets of cells are the bits of a word, for a hand of
five reaches no more than 61; sets of cards of a hand, of sides and of what a joker can be are bits, too.
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
"""Where the Pack Leader lies, and the number of a cell that is none."""

APART, BESIDE, ABOVE = 0, 1, 2
"""How two cells touch."""


def contact(one: Cell, other: Cell) -> int:
    """How two cells touch."""
    if other not in around(one):
        return APART
    return BESIDE if one[1] == other[1] else ABOVE


CONTACT = np.zeros((NOWHERE + 1, NOWHERE + 1), np.uint8)
CONTACT[:NOWHERE, :NOWHERE] = [[contact(one, other) for other in CELLS] for one in CELLS]
BIT: Sets = np.append(np.uint64(1) << np.arange(NOWHERE, dtype=np.uint64), np.uint64(0))
"""A cell as a set; NOWHERE is the empty one."""
NEAR: Sets = np.array([[BIT[touching == way].sum() for touching in CONTACT] for way in (BESIDE, ABOVE)])
AROUND: Sets = NEAR[0] | NEAR[1]
"""The cells that touch a cell beside and above, and in any way."""
LEFT: Sets = ~np.stack([AROUND, NEAR[1], NEAR[0], np.zeros_like(AROUND)], axis=1)
"""By a cell on which a card is laid and how another card may touch it: the cells that are left to the other."""
SPOILS = (((BIT | AROUND)[:, None] & BIT[CONTACT[CENTRE] > APART] > 0) @ (1 << np.arange(SIDES))).astype(np.uint8)
"""The sides of the Pack Leader that a card on a cell spoils."""

CARD = np.arange(JOKER + 2)
NUMBER, SUIT, WILD = CARD % NUMBERS, CARD // NUMBERS, CARD >= JOKER
MAY_TOUCH = (abs(NUMBER[:, None] - NUMBER) == 1) * BESIDE | (SUIT[:, None] == SUIT) * ABOVE
MAY_TOUCH = np.where(WILD | WILD[:, None], BESIDE | ABOVE, MAY_TOUCH).astype(np.uint8)
"""How two cards may touch, BESIDE | ABOVE if in both ways; a joker as whatever it can be."""

ANY_NUMBER, ANY_SUIT = (1 << NUMBERS) - 1, 0b1111 << NUMBERS
CAN_BE = np.full((3, len(CARD)), ANY_NUMBER | ANY_SUIT, np.int32)
CAN_BE[BESIDE, ~WILD] = ((2 << NUMBER | 1 << NUMBER >> 1) & ANY_NUMBER | ANY_SUIT)[~WILD]
CAN_BE[ABOVE, ~WILD] = (ANY_NUMBER | 1 << NUMBERS + SUIT)[~WILD]
"""What a joker can be by how it touches a card: a bit for each number, and one for each suit."""

MISSING = 8
"""A shape's worth, the less the better, is so much for each card of the hand that isn't laid, and its spoiled sides."""
CELL, CODE = 3, 9
"""In the list of a shape a cell and its card have CODE bits, the cell from bit CELL on."""


class Shapes(NamedTuple):
    """Shapes that grow, a row for each."""

    hand: Numbers
    """Whose it is."""
    cells: Numbers
    """(shapes, HAND + 1): where each card lies."""
    missing: Numbers
    """How many cards of the hand are not laid."""
    spoiled: Numbers
    """The sides that are spoiled when it lies there."""
    fitting: Sets
    """(shapes, HAND): for each card not yet laid, the cells where it fits to all that lies around."""
    edge: Sets
    """Where the next card may lie."""
    closed: Sets
    """Where none may lie."""


class Laid(NamedTuple):
    """Shapes with one more card: the shape it was `before`, the card and its cell, and what a shape has."""

    before: Numbers
    card: Numbers
    cell: Numbers
    hand: Numbers
    cells: Numbers
    missing: Numbers
    spoiled: Numbers


Rows = TypeVar("Rows", Shapes, Laid)


def some(columns: Rows, rows: Numbers) -> Rows:
    """These rows of all columns."""
    return type(columns)(*(column.take(rows, axis=0) for column in columns))


def together(pieces: list[Shapes]) -> Shapes:
    """All of them."""
    return Shapes(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def members(sets: Sets) -> tuple[Numbers, Sets]:
    """Every cell of every set: the place of the set, and the cell as a set."""
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
    """Hands whose jokers have the same places, and what each lays."""

    def __init__(self, cards: Numbers, closed: Sets, spoiled: Numbers, wild: tuple[int, ...]) -> None:
        """Each row of `cards` is a hand in order and the Pack Leader; `wild` are the places of the jokers."""
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
        """What no shape of a hand is better than, with no side spoiled."""
        self.worth = MISSING * missing + sides
        self.best = listed(self.worth, cells)
        """The best shape so far: its worth, and its worth with its list."""
        self.waiting = [[some(first, np.flatnonzero(sides == number))] for number in range(SIDES + 1)]
        """Shapes that have still to grow, by the number of sides that they spoil."""

    def lay(self) -> Numbers:
        """(hands, HAND): the cells on which each lays, and NOWHERE."""
        for sides, pieces in enumerate(self.waiting):
            shapes = together(pieces)
            shapes = some(shapes, np.flatnonzero(self.goal[shapes.hand] + sides <= self.worth[shapes.hand]))
            while len(shapes.hand):
                shapes = self.grow(shapes, sides)
        return self.best[:, None] >> CODE * np.arange(HAND) + CELL & (1 << CODE - CELL) - 1

    def grow(self, shapes: Shapes, sides: int) -> Shapes:
        """Lay one card more in every way; returns what grows on now, spoiling no more than these `sides`."""
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
        """All legal shapes with one card more."""
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
        """Keep the best: of equal worth the smallest list."""
        np.minimum.at(self.worth, laid.hand, worth)
        best = np.flatnonzero(worth == self.worth.take(laid.hand))
        np.minimum.at(self.best, laid.hand.take(best), listed(worth.take(best), laid.cells.take(best, axis=0)))


def hanging_together(touch: Numbers) -> Numbers:
    """How many cards of a hand hang together with the Pack Leader, by how they may touch."""
    touched = (touch > APART) @ (1 << np.arange(HAND))
    found: Numbers = touched[:, LEADER]
    for _ in range(HAND - 1):
        for card in range(HAND):
            found = found | touched[:, card] * (found >> card & 1)
    many: Numbers = np.bitwise_count(found)
    return many


def looked_around(shapes: Shapes, laid: Laid, touch: Numbers) -> Shapes:
    """Shapes ready to grow on: which cells each card still fits on, and which come next."""
    before, card, cell, hand, cells, missing, spoiled = laid
    edge, bit = shapes.edge.take(before), BIT.take(cell)
    closed = shapes.closed.take(before) | bit | edge & (bit - 1)
    fitting = shapes.fitting.take(before, axis=0)
    fitting &= LEFT.take(touch.take(hand * (HAND + 1) + card, axis=0) + cell[:, None] * 4)
    fitting[np.arange(len(card)), card] = 0
    return Shapes(hand, cells, missing, spoiled, fitting, (edge | AROUND.take(cell)) & ~closed, closed)


def listed(worth: Numbers, cells: Numbers) -> Numbers:
    """A number that is less for a shape that is better: its worth, then its cells and cards in order of the cells."""
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
    """Whether the jokers can be something that fits to all they touch, each one thing."""
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
    """What a joker can be next to the plain cards it touches."""
    kinds = np.full(len(cells), ANY_NUMBER | ANY_SUIT, np.int32)
    here = cells[:, joker].astype(np.int16) * (NOWHERE + 1)
    for card in range(HAND + 1):
        touch = CONTACT.take(here + cells[:, card])
        kinds &= CAN_BE.take(touch * np.int16(len(CARD)) + cards[:, card])
    return kinds


def lay(cards: Numbers, closed: Sets, spoiled: Numbers) -> Numbers:
    """(hands, HAND): the cells on which each lays, and NOWHERE."""
    wild = (cards >= JOKER) @ (1 << np.arange(HAND + 1))
    cells = np.empty((len(cards), HAND), np.int64)
    for places in np.unique(wild):
        rows = np.flatnonzero(wild == places)
        jokers = tuple(card for card in range(HAND + 1) if places >> card & 1)
        cells[rows] = Hands(cards[rows], closed[rows], spoiled[rows], jokers).lay()
    return cells


def rounds(many: int, jokers: int, random: np.random.Generator) -> list[int]:
    """So many at once."""
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
    """So many rounds, thousands at once."""
    random, sums = np.random.default_rng(), np.zeros(3 + PLAYERS)
    for begun in range(0, trials, AT_ONCE):
        sums += rounds(min(AT_ONCE, trials - begun), jokers, random)
    return list(sums)
