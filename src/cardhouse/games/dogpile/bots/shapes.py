"""The largest shape that a hand alone can make with the Pack Leader, exactly; ties go to the first in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod

from cardhouse.cards import Card, Cell, Placed, around
from cardhouse.games.dogpile.bots.board import Links, board_of
from cardhouse.games.dogpile.bots.search import Case, Search, Shape, Steps
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.judge import judge
from cardhouse.games.dogpile.state import PACK_LEADER

WAYS = 30_000
"""The states visited for each size before the best found so far is accepted.

That takes two or three seconds; 1% of hands of ten cards need more, and hardly any smaller hand does.
"""
MOST_CASES = 64
"""The most cases into which the values of wild cards are split."""

SIDES = tuple(around(PACK_LEADER))


def spoils(side: Cell) -> set[Cell]:
    """Return the cells that block a side of the Pack Leader for others when one of them is taken."""
    return {side, *around(side)} - {PACK_LEADER}


def spoiled(taken: Iterable[Cell]) -> list[Cell]:
    """Return the sides of the Pack Leader that are taken, or touch a taken cell other than the Pack Leader's."""
    cells = set(taken)
    return [side for side in SIDES if spoils(side) & cells]


class Shapes:
    """The shapes that a hand alone can make with a Pack Leader without touching cells that others have taken.

    The hand must be in the deck's order.
    """

    def __init__(self, leader: Card, hand: Sequence[Card], deck: DogDeck, taken: Iterable[Cell]) -> None:
        self._cards = [*hand, leader]
        self._deck = deck
        self._size = len(hand)
        self._board = board_of(len(hand))
        self._taken = set(taken)
        closed = self._board.bits({*self._taken, *(beside for cell in self._taken for beside in around(cell))})
        self._free = self._board.diamond & ~closed
        links = Links.of((deck.may_be[card] for card in self._cards), deck)
        self._cases = [(links, Steps(self._board, links)) for links in wild_cases(links)]
        self._ways = 0

    def largest(self) -> list[Placed]:
        """Return the largest shape; of these one that blocks the fewest sides; of these the first in order."""
        for size in range(self._size, 0, -1):
            if shape := self._best_of(size):
                return [Placed(self._cards[card], *self._board.cell(cell)) for cell, card in shape]
        return []

    def _best_of(self, size: int) -> Shape | None:
        """Return the first shape of this size that blocks the fewest sides, or None if there is no shape."""
        self._ways = WAYS
        some = self._first(size, [self._free], any_will_do=True)
        if some is None:
            return None
        taken = self._taken.union(self._board.cell(cell) for cell, _ in some)
        whole = [side for side in SIDES if side not in spoiled(self._taken)]
        for kept in range(len(whole) - 1, 3 - len(spoiled(taken)), -1):
            keep = [set().union(*map(spoils, sides)) for sides in combinations(whole, kept)]
            if shape := self._first(size, [self._free & ~self._board.bits(cells) for cells in keep]):
                return shape
        return some

    def _first(self, size: int, regions: Iterable[int], *, any_will_do: bool = False) -> Shape | None:
        """Return the first shape of this size within one of these regions; with `any_will_do` any shape."""
        laid, hand = {self._board.centre: self._size}, (1 << self._size) - 1
        cases = [
            (case, spots, steps)
            for region, (links, steps) in product(regions, self._cases)
            for case, spots in Case(self._board, links, laid, region, hand, size).split()
        ]
        best = None
        for case, spots, steps in sorted(cases, key=lambda case: _begins(*case[:2])):
            search = Search(case, spots, steps, best, self._ways, self._is_legal)
            search.run()
            best, self._ways = search.best, search.ways
            if best is not None and any_will_do:
                break
        return best

    def _is_legal(self, shape: Shape) -> bool:
        layout = {self._board.cell(cell): self._cards[card] for cell, card in shape}
        return judge({PACK_LEADER: self._cards[-1], **layout}, self._deck).legal


def _begins(case: Case, spots: dict[int, int]) -> int:
    """Return the first cell where a card of a case lies or may lie."""
    return min(*case.laid, *((cells & -cells).bit_length() - 1 for cells in spots.values()), case.board.centre)


def wild_cases(links: Links) -> Iterator[Links]:
    """Yield cases that together cover the values of wild cards, as long as there are at most `MOST_CASES`."""
    split: list[list[int]] = [[kinds] for kinds in links.may_be]
    for card in bits_of(links.wild):
        some = _distinct_kinds(card, links)
        if prod(map(len, split)) * len(some) <= MOST_CASES:
            split[card] = some
    for may_be in product(*split):
        yield Links.of(may_be, links.deck)


def _distinct_kinds(card: int, links: Links) -> list[int]:
    """Return a wild card's kinds grouped by the other cards they can touch.

    A single wild card needs only one kind of each group, and no group that touches less than another.
    """
    found: dict[tuple[int, int], int] = {}
    others = [(1 << other, kinds) for other, kinds in enumerate(links.may_be) if other != card]
    for kind in bits_of(links.may_be[card]):
        beside, above = links.deck.fits_beside[kind], links.deck.fits_above[kind]
        touches = sum(bit for bit, some in others if some & beside), sum(bit for bit, some in others if some & above)
        found[touches] = found.get(touches, 0) | 1 << kind
    if links.wild != 1 << card:
        return list(found.values())
    return [
        kinds & -kinds
        for (beside, above), kinds in found.items()
        if not any((beside, above) != (b, a) and beside | b == b and above | a == a for b, a in found)
    ]
