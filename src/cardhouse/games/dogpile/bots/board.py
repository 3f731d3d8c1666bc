"""What a bot's searches count with: cells and cards as the bits of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product

import msgspec

from cardhouse.cards import Cell
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.state import PACK_LEADER


class Board(msgspec.Struct, frozen=True, dict=True):
    """The cells no farther than `reach` from the Pack Leader in x and y, as bits in order of x, then y.

    A margin of one cell around them keeps a step up or down from coming out in another column.
    """

    reach: int

    @cached_property
    def height(self) -> int:
        """How many bits a step in x is; a step in y is one."""
        return 2 * self.reach + 3

    @cached_property
    def centre(self) -> int:
        """The number of the Pack Leader's cell."""
        return self.number(PACK_LEADER)

    def number(self, cell: Cell) -> int:
        """The number of a cell's bit."""
        return (cell[0] + self.reach + 1) * self.height + cell[1] + self.reach + 1

    def cell(self, number: int) -> Cell:
        """The cell of this bit."""
        x, y = divmod(number, self.height)
        return x - self.reach - 1, y - self.reach - 1

    def bits(self, cells: Iterable[Cell]) -> int:
        """These cells but for those that are off the board."""
        numbers = {self.number(cell) for cell in cells if abs(cell[0]) <= self.reach and abs(cell[1]) <= self.reach}
        return sum(1 << number for number in numbers)

    def around(self, bits: int) -> int:
        """The cells that touch these."""
        return bits << self.height | bits >> self.height | bits << 1 | bits >> 1

    @cached_property
    def touching(self) -> list[tuple[tuple[int, bool], ...]]:
        """For each cell, those that touch it, each with whether it lies beside it."""
        step = self.height
        return [((at - step, True), (at + step, True), (at - 1, False), (at + 1, False)) for at in range(step**2)]

    @cached_property
    def diamond(self) -> int:
        """The cells that so many steps as the board reaches lead to, without the Pack Leader's."""
        some = product(range(-self.reach, self.reach + 1), repeat=2)
        return self.bits((x, y) for x, y in some if 0 < abs(x) + abs(y) <= self.reach)


class Links(msgspec.Struct, frozen=True):
    """Which of some cards may touch which. A card goes by its number; the Pack Leader has the last.

    `may_be` are the kinds of each, as bits; `beside` and `above` are, for each, the cards that may touch it there.
    """

    deck: DogDeck
    may_be: tuple[int, ...]
    beside: tuple[int, ...]
    above: tuple[int, ...]
    wild: int
    """The cards that may be of several kinds."""

    @classmethod
    def of(cls, may_be: Iterable[int], deck: DogDeck) -> Links:
        """The links of cards that may be of these kinds."""
        kinds = tuple(may_be)
        wild = sum(1 << card for card, some in enumerate(kinds) if some & some - 1)
        return cls(deck, kinds, _links(kinds, deck, beside=True), _links(kinds, deck, beside=False), wild)

    @property
    def leader(self) -> int:
        """The number of the Pack Leader."""
        return len(self.may_be) - 1

    def different(self, cards: int) -> Iterator[int]:
        """Of cards that may be of the same kinds only the first."""
        seen = set()
        for card in bits_of(cards):
            if self.may_be[card] not in seen:
                seen.add(self.may_be[card])
                yield card

    def linked(self, cards: int, through: int) -> int:
        """Those of the cards `through` that hang together with some of `cards`, by others `through`."""
        found, todo = 0, cards
        while todo:
            low = todo & -todo
            card = low.bit_length() - 1
            new = (self.beside[card] | self.above[card]) & through & ~found
            found |= new
            todo = todo ^ low | new
        return found

    def may_lie(self, card: int, cell: int, laid: Mapping[int, int], board: Board) -> bool:
        """Whether a card may be laid there, beside those that lie on the board by cell.

        Of wild cards that lie in a ring not everything is seen.
        """
        there = 1 << card
        for other, beside in board.touching[cell]:
            if other in laid:
                if not (self.beside if beside else self.above)[card] >> laid[other] & 1:
                    return False
                there |= 1 << laid[other]
        return not there & self.wild or self._settles({**laid, cell: card}, board)

    def _settles(self, laid: Mapping[int, int], board: Board) -> bool:
        """Whether each wild card can be something that fits to what each of its neighbours can be."""
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
    """The kinds that may touch one or another of these kinds in this direction, all as bits."""
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
    """The board of this size."""
    return Board(reach)
