"""The kernel's arrays for Dogpile: a deck's contacts and the grid's cells, derived from the game and its bot."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardhouse.cards import Card
from cardhouse.games.dogpile.bots.agreed import Agreed, Sheet
from cardhouse.games.dogpile.bots.board import board_of, fitting
from cardhouse.games.dogpile.bots.convention import Convention, agreed_on, sheet_for
from cardhouse.games.dogpile.bots.shapes import SIDES, spoils
from cardhouse.games.dogpile.deck import DogDeck, bits_of
from cardhouse.games.dogpile.lab.kernels.cautious_bot import WAYS, Board, Desk, desk_for
from cardhouse.games.dogpile.lab.kernels.ceiling import UNSURE, largest_packs
from cardhouse.games.dogpile.lab.kernels.contacts import ABOVE, BESIDE, WORD, Dogs
from cardhouse.games.dogpile.lab.kernels.rounds import Places, deal
from cardhouse.games.dogpile.lab.single_rounds import suits_of

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Rows


@lru_cache(16)
def dogs_for(deck: DogDeck, cards: tuple[Card, ...]) -> Dogs:
    """Return these cards of a deck, indexed in this order, as the kernel's arrays."""
    may_be = [deck.may_be[card] for card in cards]
    plain = [kinds.bit_length() - 1 if not kinds & kinds - 1 else -1 for kinds in may_be]
    touch = np.zeros((len(cards), len(cards)), np.int64)
    for way in (BESIDE, ABOVE):
        fits = [fitting(deck, kinds, way == BESIDE) for kinds in may_be]
        touch |= np.array([[bool(kinds & its) for its in fits] for kinds in may_be], np.int64) << way
    fits_of = {BESIDE: deck.fits_beside, ABOVE: deck.fits_above}
    number = len(deck.kinds)
    words = -(-number // WORD)
    kinds_that_fit = [[_words(fits_of[way][kind], words) for kind in range(number)] for way in (BESIDE, ABOVE)]
    return Dogs(
        np.array(plain),
        np.array([_words(kinds, words) for kinds in may_be], np.uint64),
        np.array(kinds_that_fit, np.uint64),
        touch,
    )


def _words(kinds: int, words: int) -> list[int]:
    return [kinds >> WORD * word & (1 << WORD) - 1 for word in range(words)]


@lru_cache(16)
def board_for(hand_size: int) -> Board:
    """Return the cells that a hand can reach, in the bot's order."""
    board = board_of(hand_size)
    numbers = sorted([*bits_of(board.diamond), board.centre])
    bit = {cell: place for place, cell in enumerate(numbers)}
    words = -(-len(numbers) // WORD)

    def cells(some: Iterable[int]) -> list[int]:
        return _words(sum(1 << bit[cell] for cell in some if cell in bit), words)

    def near(cell: int, *ways: int) -> list[int]:
        return [other for other, beside in board.touching[cell] if (BESIDE if beside else ABOVE) in ways]

    def flat(rows: Iterable[list[int]]) -> NDArray[np.uint64]:
        return np.array(list(rows), np.uint64).ravel()

    spoilt = [{board.number(cell) for cell in spoils(side)} for side in SIDES]
    wanting = [[way for way in (BESIDE, ABOVE) if not ways >> way & 1] for ways in range(WAYS)]
    no_cell = ~sum(1 << place for place in bit.values())
    return Board(
        words=tuple(range(words)),
        step=board.height,
        centre=bit[board.centre],
        cell=np.array(numbers),
        bit=np.array([bit.get(cell, 0) for cell in range(board.height**2)]),
        closed=flat([_words(no_cell | 1 << bit[board.centre], words)]),
        beside=flat([cells(near(board.centre, BESIDE))]),
        above=flat([cells(near(board.centre, ABOVE))]),
        taken=flat(cells([cell, *near(cell, BESIDE, ABOVE)]) for cell in numbers),
        left=~flat(cells([cell, *near(cell, *ways)]) for cell in numbers for ways in wanting),
        spoils=np.array([sum(1 << side for side, some in enumerate(spoilt) if cell in some) for cell in numbers]),
        spoiling=flat(
            cells(set().union(*(some for side, some in enumerate(spoilt) if not sides >> side & 1)))
            for sides in range(1 << len(SIDES))
        ),
    )


def apart(dogs: Dogs, board: Board) -> tuple[Dogs, Board]:
    """Return copies for a single thread: threads that count references to the same arrays slow each other down."""
    return Dogs._make(map(copy, dogs)), Board._make(map(copy, board))


def desk_of(dogs: Dogs, hand_size: int) -> Desk:
    """Return new working memory for the cautious bot."""
    return desk_for(board_for(hand_size), hand_size, *dogs.fits.shape[1:])


def team_for(convention: Convention, deck: DogDeck, cards: tuple[Card, ...]) -> Agreed:
    """Return a team's convention as the kernel's arrays, copied for a single thread as in `apart`."""
    agreed = agreed_on(convention, deck, cards)
    return Agreed._make(np.array(some, np.int64) if isinstance(some, list) else some for some in agreed)


def team_sheet(hand_size: int) -> Sheet:
    """Return new working memory for a team's bot."""
    return sheet_for(hand_size, lambda many: np.zeros(many, np.int64))


def dealt(cards: int, places: Places, players: int, hand_size: int, seed: int, first: int, count: int) -> Rows:
    """Return the cards of `count` trials from `first` on, one row each: the hands, then the Pack Leader."""
    out = np.zeros((count, players * hand_size + 1), np.int16)
    deal(cards, places, players, hand_size, seed, first, out)
    return out


def sizes_by_suits(deck: DogDeck, cards: tuple[Card, ...], drawn: Rows) -> Rows:
    """Return the size of the largest pack of each deal, shape (deals,), or 0 where suits alone don't determine it."""
    sizes = np.full(len(drawn), UNSURE, np.int16)
    if suits := suits_of(deck, cards):
        largest_packs(dogs_for(deck, cards), np.array(suits), drawn, sizes)
    return sizes
