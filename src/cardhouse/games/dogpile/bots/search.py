"""The search for the first shape of a given size, in order of its cells and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cardhouse.games.dogpile.bots.board import Board, Links
from cardhouse.games.dogpile.deck import bits_of

Shape = list[tuple[int, int]]
"""Indices of cells and cards, in order of the cells; without the Pack Leader."""

RING = 4
"""The number of wild cards that can lie in a ring, where the links miss some conflicts."""


class Case(NamedTuple):
    """A subproblem: cards laid, connected to the Pack Leader, and `need` cards of the `hand` still to lay.

    `hand` is a bit set of cards; `free`, the cells where they may lie, a bit set of cells.
    """

    board: Board
    links: Links
    laid: Mapping[int, int]
    free: int
    hand: int
    need: int

    def split(self) -> Iterator[tuple[Case, dict[int, int]]]:
        """Split into equivalent cases, each with the cells where each card of its hand may lie.

        A card that can only lie next to a card already laid is fixed to each of its cells in turn, or left out.
        """
        if not self.need:
            yield self, {}
            return
        hand = self.links.linked(sum(1 << card for card in self.laid.values()), self.hand)
        if hand.bit_count() < self.need:
            return
        reach = Reach(self, hand)
        spots = {card: cells for card in bits_of(hand) if (cells := reach.of(card, hand & ~(1 << card)))}
        if len(spots) < self.need:
            return
        tight = [(cells.bit_count(), card) for card, cells in spots.items() if not cells & ~reach.edge]
        if not tight:
            yield self._replace(hand=sum(1 << card for card in spots)), spots
            return
        _, card = min(tight)
        rest = sum(1 << other for other in spots if other != card)
        for cell in bits_of(spots[card]):
            yield from self._replace(laid={**self.laid, cell: card}, hand=rest, need=self.need - 1).split()
        if len(spots) > self.need:
            yield from self._replace(hand=rest).split()


class Reach:
    """The cells where a card can lie and be connected by others to the cards laid. Other contacts are ignored."""

    def __init__(self, case: Case, hand: int) -> None:
        self._board, self._links = case.board, case.links
        occupied = sum(1 << cell for cell in case.laid)
        free = case.free & ~occupied
        self.edge = case.board.around(occupied) & free
        self._apart = free & ~self.edge
        edge = list(bits_of(self.edge))
        self._at_once = {
            card: sum(1 << cell for cell in edge if case.links.may_lie(card, cell, case.laid, case.board))
            for card in bits_of(hand)
        }
        self._found: dict[tuple[int, int], int] = {}

    def of(self, card: int, others: int) -> int:
        """Return the cells for a card that connects to the cards laid directly or through some of the others."""
        known = self._found.get((card, others))
        if known is None:
            led = _led_cells(card, others, self.of, self._board, self._links)
            known = self._found[card, others] = self._at_once[card] | led & self._apart
        return known


def _led_cells(card: int, others: int, where: Callable[[int, int], int], board: Board, links: Links) -> int:
    """Return the cells next to a cell where one of the others can lie, as `where` says for it and the rest."""
    found = 0
    for other in bits_of(others & (links.beside[card] | links.above[card])):
        cells = where(other, others & ~(1 << other))
        if links.beside[card] >> other & 1:
            found |= cells << board.height | cells >> board.height
        if links.above[card] >> other & 1:
            found |= cells << 1 | cells >> 1
    return found


class Steps:
    """The positions of one card relative to another that some other cards can connect."""

    def __init__(self, board: Board, links: Links) -> None:
        self._board, self._links = board, links
        self._here = board.height**2
        self._found: dict[tuple[int, int, int], int] = {}

    def lead(self, card: int, at: int, to: int, there: int, others: int) -> bool:
        """Return whether `others` can connect a card on its cell to another on its own."""
        cells = self._found.get((card, others, to))
        if cells is None:
            cells = self._of(card, others, to)
        return cells >> self._here + at - there & 1 == 1

    def _of(self, card: int, others: int, to: int) -> int:
        """Return the cells for a card, relative to the other."""
        known = self._found.get((card, others, to))
        if known is None:
            here, links = 1 << self._here, self._links
            known = _led_cells(card, others, lambda other, rest: self._of(other, rest, to), self._board, links)
            if links.beside[card] >> to & 1:
                known |= here << self._board.height | here >> self._board.height
            if links.above[card] >> to & 1:
                known |= here << 1 | here >> 1
            self._found[card, others, to] = known
        return known


class Search:
    """A search for the first shape of a case that comes before `best`, which it then replaces.

    It visits at most `ways` states; `ways` is what remains afterwards. `is_legal` judges a shape in which wild cards
    may lie in a ring.
    """

    def __init__(
        self,
        case: Case,
        spots: Mapping[int, int],
        steps: Steps,
        best: Shape | None,
        ways: int,
        is_legal: Callable[[Shape], bool],
    ) -> None:
        self.best, self.ways = best, ways
        self._case, self._spots, self._steps, self._is_legal = case, spots, steps, is_legal
        self._board, self._links = case.board, case.links
        self._laid = dict(case.laid)
        self._hopeless: set[tuple[object, ...]] = set()

    def run(self) -> None:
        """Run the search."""
        occupied = sum(1 << cell for cell in self._laid)
        self._lay(-1, self._case.hand, self._case.need, occupied, [occupied])

    def _lay(self, at: int, hand: int, need: int, occupied: int, pieces: list[int]) -> bool:
        """Lay `need` more cards on cells after `at`. Returns whether to stop, because they are laid or it is too late.

        `pieces` are the connected shapes so far.
        """
        if not need:
            return len(pieces) == 1 and self._accept()
        free = self._case.free & ~occupied & -1 << at + 1
        hand = sum(1 << card for card in bits_of(hand) if self._spots[card] & free)
        live = self._board.around(self._board.around(occupied) & free) & occupied
        if not self._can_join(hand, need, live, pieces, free):
            return False
        state = self._state(at, hand, live, pieces)
        if state in self._hopeless:
            return False
        self.ways -= 1
        for cell, card in self._next(hand, free, pieces):
            if not self._links.may_lie(card, cell, self._laid, self._board):
                continue
            self._laid[cell] = card
            bit = 1 << cell
            if self._is_late(cell) or self._lay(
                cell, hand & ~(1 << card), need - 1, occupied | bit, self._joined(pieces, bit)
            ):
                return True
            del self._laid[cell]
        self._hopeless.add(state)
        return False

    def _next(self, hand: int, free: int, pieces: list[int]) -> Iterator[tuple[int, int]]:
        """Yield the cells and cards that may come next, in order, up to the last cell that can join some piece."""
        around = self._board.around
        last = min((around(piece) & free).bit_length() for piece in pieces)
        free &= (1 << last) - 1
        spots = [(card, self._spots[card] & free) for card in self._links.distinct(hand)]
        somewhere = 0
        for _, cells in spots:
            somewhere |= cells
        for cell in bits_of(somewhere):
            for card, cells in spots:
                if cells >> cell & 1:
                    yield cell, card

    def _joined(self, pieces: list[int], bit: int) -> list[int]:
        """Return the pieces after laying a card on this bit."""
        around = self._board.around(bit)
        apart = [piece for piece in pieces if not piece & around]
        for piece in pieces:
            if piece & around:
                bit |= piece
        return [*apart, bit]

    def _can_join(self, hand: int, need: int, live: int, pieces: list[int], free: int) -> bool:
        """Return whether enough of the hand can connect to cards that have room, and each piece to another."""
        joining = self._joining(live, free) & hand
        if (joining | self._links.linked(joining, hand)).bit_count() < need:
            return False
        looked_at = pieces[:-1] if len(pieces) < 3 else pieces  # if one of two connects to the other, so does the other
        return all(self._leads_on(piece & live, live & ~piece, hand) for piece in looked_at)

    def _joining(self, live: int, free: int) -> int:
        """Return the cards that may touch a card already laid, on a free side of it."""
        step, links, laid = self._board.height, self._links, self._laid
        found = 0
        for cell in bits_of((free << step | free >> step) & live):
            found |= links.beside[laid[cell]]
        for cell in bits_of((free << 1 | free >> 1) & live):
            found |= links.above[laid[cell]]
        return found

    def _leads_on(self, piece: int, others: int, hand: int) -> bool:
        """Return whether the hand can connect a piece to one of the others."""
        laid, lead = self._laid, self._steps.lead
        apart = list(bits_of(others))
        for one in bits_of(piece):
            for other in apart:
                if lead(laid[one], one, laid[other], other, hand):
                    return True
        return False

    def _state(self, at: int, hand: int, live: int, pieces: list[int]) -> tuple[object, ...]:
        """Return all that matters for the cards still to lay. With wild cards that is everything laid."""
        links, laid = self._links, self._laid
        if links.wild:
            return tuple(laid.items())
        touched = [(links.beside[laid[cell]] & hand, links.above[laid[cell]] & hand) for cell in bits_of(live)]
        return at, hand, live, *sorted(piece & live for piece in pieces), *touched

    def _is_late(self, cell: int) -> bool:
        """Return whether the cards up to this cell come after the best shape. All later ones then do, too."""
        if self.ways <= 0:
            return True
        if self.best is None:
            return False
        so_far = self._shape(cell)
        return so_far > self.best[: len(so_far)]

    def _accept(self) -> bool:
        shape = self._shape(max(self._laid))
        if self._links.wild.bit_count() >= RING and not self._is_legal(shape):
            return False
        if self.best is None or shape < self.best:
            self.best = shape
        return True

    def _shape(self, last: int) -> Shape:
        leader = self._links.leader
        return sorted((cell, card) for cell, card in self._laid.items() if cell <= last and card != leader)
