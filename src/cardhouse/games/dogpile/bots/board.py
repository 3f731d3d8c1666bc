"""The data of the bots' searches: cells and cards as bit sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product

import msgspec

from cardhouse.cards import Cell
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.state import PACK_LEADER


class Board(msgspec.Struct, frozen=True, dict=True):
    """The cells at most `reach` from the Pack Leader in x and y, as bits in order of x, then y.

    A margin of one cell keeps a step up or down from wrapping into another column.
    """

    reach: int

    @cached_property
    def height(self) -> int:
        """The distance in bits of a step in x; a step in y is one bit."""
        return 2 * self.reach + 3

    @cached_property
    def centre(self) -> int:
        """The bit number of the Pack Leader's cell."""
        return self.number(PACK_LEADER)

    def number(self, cell: Cell) -> int:
        """Return the bit number of a cell."""
        return (cell[0] + self.reach + 1) * self.height + cell[1] + self.reach + 1

    def cell(self, number: int) -> Cell:
        """Return the cell of this bit."""
        x, y = divmod(number, self.height)
        return x - self.reach - 1, y - self.reach - 1

    def bits(self, cells: Iterable[Cell]) -> int:
        """Return these cells as bits, without those off the board."""
        numbers = {self.number(cell) for cell in cells if abs(cell[0]) <= self.reach and abs(cell[1]) <= self.reach}
        return sum(1 << number for number in numbers)

    def around(self, bits: int) -> int:
        """Return the cells that touch these."""
        return bits << self.height | bits >> self.height | bits << 1 | bits >> 1

    @cached_property
    def touching(self) -> list[tuple[tuple[int, bool], ...]]:
        """For each cell, the cells that touch it, each with whether it is beside it."""
        step = self.height
        return [((at - step, True), (at + step, True), (at - 1, False), (at + 1, False)) for at in range(step**2)]

    @cached_property
    def diamond(self) -> int:
        """The cells within `reach` steps of the Pack Leader, without its own."""
        some = product(range(-self.reach, self.reach + 1), repeat=2)
        return self.bits((x, y) for x, y in some if 0 < abs(x) + abs(y) <= self.reach)


class Links(msgspec.Struct, frozen=True):
    """The cards of a set that may touch each other. A card is represented by its index; the Pack Leader is last.

    `may_be` has the kinds of each card as a bit set; `beside` and `above` have the cards that may touch it there.
    """

    deck: DogDeck
    may_be: tuple[int, ...]
    beside: tuple[int, ...]
    above: tuple[int, ...]
    wild: int
    """The cards that may be of several kinds."""

    @classmethod
    def of(cls, may_be: Iterable[int], deck: DogDeck) -> Links:
        """Return the links of cards with these kinds."""
        kinds = tuple(may_be)
        wild = sum(1 << card for card, some in enumerate(kinds) if some & some - 1)
        return cls(deck, kinds, _links(kinds, deck, beside=True), _links(kinds, deck, beside=False), wild)

    @property
    def leader(self) -> int:
        """The index of the Pack Leader."""
        return len(self.may_be) - 1

    def distinct(self, cards: int) -> Iterator[int]:
        """Yield the first card for each distinct set of kinds."""
        seen = set()
        for card in bits_of(cards):
            if self.may_be[card] not in seen:
                seen.add(self.may_be[card])
                yield card

    def linked(self, cards: int, through: int) -> int:
        """Return those of the cards `through` that connect to some of `cards` via others of `through`."""
        found, todo = 0, cards
        while todo:
            low = todo & -todo
            card = low.bit_length() - 1
            new = (self.beside[card] | self.above[card]) & through & ~found
            found |= new
            todo = todo ^ low | new
        return found

    def may_lie(self, card: int, cell: int, laid: Mapping[int, int], board: Board) -> bool:
        """Return whether a card may be laid on a cell, given the cards on the board by cell.

        It may miss conflicts of wild cards that lie in a ring.
        """
        there = 1 << card
        for other, beside in board.touching[cell]:
            if other in laid:
                if not (self.beside if beside else self.above)[card] >> laid[other] & 1:
                    return False
                there |= 1 << laid[other]
        return not there & self.wild or self._settles({**laid, cell: card}, board)

    def _settles(self, laid: Mapping[int, int], board: Board) -> bool:
        """Return whether each wild card has a kind that fits some kind of each of its neighbours."""
        can_be = {cell: self.may_be[card] for cell, card in laid.items()}
        todo = [cell for cell, card in laid.items() if self.wild >> card & 1]
        while todo:
            cell = todo.pop()
            kinds = can_be[cell]
            for other, beside in board.touching[cell]:
                if other in can_be:
                    kinds &= fitting(self.deck, can_be[other], beside)
            if not kinds:
                return False
            if kinds != can_be[cell]:
                can_be[cell] = kinds
                todo += [other for other, _ in board.touching[cell] if other in laid and self.wild >> laid[other] & 1]
        return True


@lru_cache(1 << 14)
def fitting(deck: DogDeck, kinds: int, beside: bool) -> int:
    """Return the kinds that may touch at least one of these kinds in this direction, as a bit set."""
    found, fits = 0, deck.fits(beside=beside)
    for kind in bits_of(kinds):
        found |= fits[kind]
    return found


def _links(may_be: tuple[int, ...], deck: DogDeck, *, beside: bool) -> tuple[int, ...]:
    wanted = [fitting(deck, kinds, beside) for kinds in may_be]
    return tuple(
        sum(1 << other for other, kinds in enumerate(may_be) if other != card and kinds & wanted[card])
        for card in range(len(may_be))
    )


@lru_cache(64)
def board_of(reach: int) -> Board:
    """Return the board of this size."""
    return Board(reach)
