"""What a bot's searches count with: cells and cards as the bits of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

import msgspec

from cardhouse.cards import Card, Cell
from cardhouse.games.dogpile.deck import DogDeck, bits_of


class Board(msgspec.Struct, frozen=True):
    """The cells no farther than `reach` from the Pack Leader, as bits: the order of x, then y.

    A margin of one cell around them keeps a step to the side from coming out in another column.
    """

    reach: int

    @property
    def height(self) -> int:
        """How many bits one step in x is; a step in y is one."""
        return 2 * self.reach + 3

    def number(self, cell: Cell) -> int:
        """The number of a cell's bit."""
        return (cell[0] + self.reach + 1) * self.height + cell[1] + self.reach + 1

    def cell(self, number: int) -> Cell:
        """The cell of this bit."""
        x, y = divmod(number, self.height)
        return x - self.reach - 1, y - self.reach - 1

    def bits(self, cells: Iterable[Cell]) -> int:
        """These cells, without those that are off the board."""
        on_board = (cell for cell in cells if abs(cell[0]) <= self.reach and abs(cell[1]) <= self.reach)
        return sum(1 << self.number(cell) for cell in set(on_board))

    def beside(self, bits: int) -> int:
        """The cells left and right of these."""
        return bits << self.height | bits >> self.height

    def around(self, bits: int) -> int:
        """The cells that touch these."""
        return bits << self.height | bits >> self.height | bits << 1 | bits >> 1

    def neighbours(self, number: int) -> tuple[tuple[int, bool], ...]:
        """The cells that touch one, each with whether it lies beside it."""
        return (number - self.height, True), (number + self.height, True), (number - 1, False), (number + 1, False)

    def within(self, steps: int) -> int:
        """The cells that can be reached from the Pack Leader's in so many steps, without its own."""
        some = product(range(-steps, steps + 1), repeat=2)
        return self.bits((x, y) for x, y in some if 0 < abs(x) + abs(y) <= steps)


@cache
def board_of(reach: int) -> Board:
    """The board of this size."""
    return Board(reach)


def fitting(deck: DogDeck, kinds: int, *, beside: bool) -> int:
    """The kinds that may touch one or another of these kinds in this direction, all as bits."""
    return _fitting(deck, kinds, beside)


@cache
def _fitting(deck: DogDeck, kinds: int, beside: bool) -> int:
    found, fits = 0, deck.fits(beside=beside)
    for kind in bits_of(kinds):
        found |= fits[kind]
    return found


class Links(msgspec.Struct, frozen=True):
    """Which of some cards may touch which. A card goes by its number, the Pack Leader by the last.

    `may_be` are the kinds of each as bits; `beside` and `above` are, for each, the cards that may touch it there.
    """

    may_be: tuple[int, ...]
    beside: tuple[int, ...]
    above: tuple[int, ...]

    @classmethod
    def of(cls, may_be: Iterable[int], deck: DogDeck) -> Links:
        """The links of cards that may be of these kinds."""
        kinds = tuple(may_be)
        return cls(kinds, _links(kinds, deck, beside=True), _links(kinds, deck, beside=False))

    def is_wild(self, card: int) -> bool:
        """Whether it may be of several kinds."""
        return bool(self.may_be[card] & self.may_be[card] - 1)

    def touching(self, card: int) -> int:
        """The cards that may touch this one, wherever."""
        return self.beside[card] | self.above[card]

    def linked(self, cards: int, through: int) -> int:
        """Those of the cards `through` that hang together with some of `cards`, by others `through`."""
        found, todo = 0, cards
        while todo:
            low = todo & -todo
            new = self.touching(low.bit_length() - 1) & through & ~found
            found |= new
            todo = todo ^ low | new
        return found


def _links(may_be: tuple[int, ...], deck: DogDeck, *, beside: bool) -> tuple[int, ...]:
    wanted = [fitting(deck, kinds, beside=beside) for kinds in may_be]
    return tuple(
        sum(1 << other for other, kinds in enumerate(may_be) if other != card and kinds & wanted[card])
        for card in range(len(may_be))
    )


def in_deck_order(cards: Iterable[Card], deck: DogDeck) -> list[Card]:
    """Cards in the order in which the deck has them: for the standard one clubs to spades, aces to kings, jokers."""
    place = {card: number for number, card in enumerate(deck.cards)}
    return sorted(cards, key=place.__getitem__)
