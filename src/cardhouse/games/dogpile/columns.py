"""Layouts of suits in columns, in which only the intended cards touch.

Here a suit is a set of cards of which any two may lie one above the other, so it forms a column in any order. Suits
meet side by side, where a card of one fits beside a card of another. A card has two sides, so it can join its own suit
to two others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations, product

from cardhouse.cards import Cell
from cardhouse.games.dogpile.known import Cells, Known

UP, DOWN = 1, -1


Pile = Sequence[Known]
"""The cards of a suit."""

Meets = Callable[[Known, Known], bool]
"""A test of whether two cards may touch side by side."""


def in_a_row(piles: Sequence[Pile], meets: Meets) -> Cells:
    """Lay piles as columns from left to right, each touching the next in one row and nothing else.

    Neighbouring piles must have cards that fit. All other piles may be of any suits, because they don't touch.
    """
    links = [link(one, other, meets) for one, other in pairwise(piles)]
    cells: Cells = {}
    y, way = 0, DOWN
    for x, pile in enumerate(piles):
        first = links[x - 1][1] if x else None
        last = links[x][0] if x < len(links) else None
        column = _ordered(pile, first or last or pile[0], last if first else None)
        _lay_column(cells, column, (x, y), way)
        if first and last and first != last:
            y += way * (len(column) - 1)  # the next column meets this one's far end and continues in the same direction
        else:
            way = -way  # the next column points away from this one
    return cells


def link(one: Pile, other: Pile, meets: Meets) -> tuple[Known, Known]:
    """Return the first two cards that fit side by side. Raises StopIteration if there are none."""
    return next((a, b) for a in one for b in other if meets(a, b))


def _ordered(pile: Pile, first: Known, last: Known | None = None) -> list[Known]:
    """Return the pile with these two cards at its ends. They may be the same card."""
    between = [card for card in pile if card not in (first, last)]
    return [first, *between, *([last] if last and last != first else [])]


def _lay_column(cells: Cells, column: Pile, start: Cell, way: int) -> None:
    """Lay a column on the cells from `start`, up or down."""
    x, y = start
    cells.update(((x, y + way * place), card) for place, card in enumerate(column))


class Star:
    """One suit that fits beside three others, which don't fit beside each other.

    It is the only way to connect up to four suits that can't form a row. It may be impossible to lay all cards
    together. `centre` and `leaves` are the suits' piles.
    """

    def __init__(self, centre: Pile, leaves: Sequence[Pile], meets: Meets) -> None:
        self.centre = centre
        self.leaves = leaves
        self.meets = meets
        self.near = [[card for card in centre if any(meets(card, other) for other in leaf)] for leaf in leaves]
        """For each leaf, the cards of the centre that it fits beside."""

    def largest(self, leader: Known) -> Cells:
        """Return the largest pack of these cards that contains the leader.

        All cards, if some layout has them all. If none has, either one leaf is left out, or only the cards of one leaf
        are laid that can hang in the middle of the centre's column: one card, or one on either side.

        Proof that nothing else is larger. All leaves at one card: it has only two sides. A centre of two cards: one
        above the other, their left sides are one above the other and so are their right sides, so each side takes only
        one leaf; side by side, only two sides are left; apart, a leaf joins them, which is `_bridged`. With three cards
        or more, if two leaves fit beside one card, or one leaf beside two, `_shared` or `_bridged` lays all. Otherwise
        each leaf has its own card, and the centre is connected by itself. A leaf that extends up or down there needs
        the end of a column of the centre. If the centre's cards fit side by side only in pairs, and no leaf's cards do,
        each contact between two of its columns uses up an upper and a lower end. Connecting the columns takes at least
        one contact fewer than there are columns, so two ends are left for three leaves, and one leaf hangs in the
        middle (`_hung`). If there are more ends, `_stepped` and `_crossed` lay all, except for a centre of three cards,
        in which a step would make two leaves touch.
        """
        if cells := self.all_laid():
            return cells
        packs = [*self._with_less(leader), *self._without_one(leader)]
        return max(packs, key=len)

    def all_laid(self) -> Cells | None:
        """Return a layout of all cards, or None if there is none."""
        ways = [self._shared, self._bridged]
        if len({cards[0] for cards in self.near}) == len(self.leaves):
            ways += [self._hung, self._stepped, self._crossed]
        return next((cells for way in ways if (cells := way())), None)

    def _with_less(self, leader: Known) -> Iterator[Cells]:
        """Yield all cards with one leaf reduced to what can hang in the middle of the column."""
        for place, leaf in enumerate(self.leaves):
            hanging = sorted(
                (card for card in leaf if any(self.meets(card, near) for near in self.near[place])),
                key=lambda card: card != leader,
            )
            for kept in (hanging[:2], hanging[:1]):
                if leader not in leaf or leader in kept:
                    leaves = [*self.leaves[:place], kept, *self.leaves[place + 1 :]]
                    if cells := Star(self.centre, leaves, self.meets).all_laid():
                        yield cells
                        break

    def _without_one(self, leader: Known) -> Iterator[Cells]:
        """Yield all cards without one leaf; the other suits form a row."""
        for place, leaf in enumerate(self.leaves):
            if leader not in leaf:
                left, right = (other for number, other in enumerate(self.leaves) if number != place)
                yield in_a_row([left, self.centre, right], self.meets)

    # Layouts of all cards. In the drawings, capital letters are the centre's cards that the leaves x, y and z fit
    # beside, and dots are its other cards. ^ and v mark columns that continue.

    def _leaf(self, cells: Cells, place: int, near: Known, start: Cell, way: int) -> None:
        """Lay a leaf on the cells from `start`, which is beside a card of the centre that it fits beside."""
        first = next(card for card in self.leaves[place] if self.meets(near, card))
        _lay_column(cells, _ordered(self.leaves[place], first), start, way)

    def _shared(self) -> Cells | None:
        """Lay a card with a leaf on either side, and the third leaf at the column's other end.

        ^ ^ xXy
         .
        zZ v
        """
        if len(self.centre) < 3:
            return None
        for x, y, z in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            for top, bottom in product(self.near[x], self.near[z]):
                if top in self.near[y] and top != bottom:
                    cells: Cells = {}
                    _lay_column(cells, _ordered(self.centre, top, bottom), (0, 0), DOWN)
                    self._leaf(cells, x, top, (-1, 0), UP)
                    self._leaf(cells, y, top, (1, 0), UP)
                    self._leaf(cells, z, bottom, (-1, 1 - len(self.centre)), DOWN)
                    return cells
        return None

    def _bridged(self) -> Cells | None:
        """Lay the centre in two columns joined by a leaf: y, one column, x, the other column, z in a row."""
        for x, y, z in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
            for one, other in permutations(self.near[x], 2):
                for by_y, by_z in product(self.near[y], self.near[z]):
                    if {one, by_y}.isdisjoint((other, by_z)):
                        right = [card for card in self.centre if card in (other, by_z)]
                        left = [card for card in self.centre if card not in right]
                        return in_a_row([self.leaves[y], left, self.leaves[x], right, self.leaves[z]], self.meets)
        return None

    # In the rest, each leaf fits beside exactly one card of the centre, all different. Two leaves are at the ends of a
    # column.

    def _spine(self, cells: Cells, pile: Pile, middle: Known, ends: tuple[int, int]) -> None:
        """Lay a pile as a column with `middle` at (0, 0), and two leaves to the right of its ends."""
        top, bottom = (self.near[place][0] for place in ends)
        others = [card for card in pile if card not in (middle, top, bottom)]
        half = len(others) // 2
        _lay_column(cells, [middle, *others[:half], top], (0, 0), UP)
        _lay_column(cells, [*others[half:], bottom], (0, -1), DOWN)
        self._leaf(cells, ends[0], top, (1, half + 1), UP)
        self._leaf(cells, ends[1], bottom, (1, half - len(others) - 1), DOWN)

    def _hung(self) -> Cells | None:
        """Hang a leaf in the middle: one card, or one with the others beside it, or one on either side.

        ^   ^    ^         ^
          Yy    ^ Yy       Yy
         xX     xxX        .
          Zz      Zz      xXx
           v       v       .
                           Zz
        """
        for x, y, z in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
            middle = self.near[x][0]
            for card in self.leaves[x]:
                if not self.meets(card, middle):
                    continue
                others = [other for other in self.leaves[x] if other != card]
                tail = next((other for other in others if self.meets(other, card)), None)
                pair = len(others) == 1 and self.meets(others[0], middle) and len(self.centre) >= 5
                if others and not tail and not pair:
                    continue
                cells: Cells = {(-1, 0): card}
                self._spine(cells, self.centre, middle, (y, z))
                if tail:
                    _lay_column(cells, _ordered(others, tail), (-2, 0), UP)
                elif pair:
                    cells[1, 0] = others[0]
                return cells
        return None

    def _stepped(self) -> Cells | None:
        """Lay a card that a leaf fits beside next to the column, or next to another such card.

        ^  ^         ^
           Yy        Zz
        xX..    or   .
           Zz       xXYy
            v       v  v
        """
        for x, y, z in permutations((0, 1, 2)):
            near, other_near, last = (self.near[place][0] for place in (x, y, z))
            for step in self.centre:
                if step in (near, last) or not self.meets(near, step):
                    continue
                cells: Cells = {}
                if step != other_near:
                    self._spine(cells, [card for card in self.centre if card != near], step, (y, z))
                    cells[-1, 0] = near
                    self._leaf(cells, x, near, (-2, 0), UP)
                    return cells
                if len(self.centre) > 3:
                    column = _ordered([card for card in self.centre if card != step], near, last)
                    _lay_column(cells, column, (0, 0), UP)
                    cells[1, 0] = step
                    self._leaf(cells, x, near, (-1, 0), DOWN)
                    self._leaf(cells, y, step, (2, 0), DOWN)
                    self._leaf(cells, z, last, (1, len(column) - 1), UP)
                    return cells
        return None

    def _crossed(self) -> Cells | None:
        """Join two columns of the centre, which have four ends, by another of its cards.

        ^     ^ xX  Yy
         ....
            Zz
             v
        """
        ends = [cards[0] for cards in self.near]
        inner = [card for card in self.centre if card not in ends]
        for bridge in inner:
            fitting = [card for card in inner if card != bridge and self.meets(card, bridge)]
            if len(fitting) > 1:
                middle, foot = fitting[:2]
                cells: Cells = {(-1, 0): bridge, (-2, 0): foot, (-2, 1): ends[0]}
                pile = [card for card in self.centre if card not in (bridge, foot, ends[0])]
                self._spine(cells, pile, middle, (1, 2))
                self._leaf(cells, 0, ends[0], (-3, 1), UP)
                return cells
        return None
