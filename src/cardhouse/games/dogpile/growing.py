"""Search for the largest pack by growing packs card by card from the Pack Leader, for any deck.

First a few packs are built greedily: each step lays one of the cards that are hardest to place, where it leaves the
most to the others; the next pack starts with the cards left over before. Then all packs are enumerated, except those
that can't exceed the largest found. If the enumeration completes, the largest found is the largest possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhouse.cards import Cell, around
from cardhouse.games.dogpile.deck import bits_of
from cardhouse.games.dogpile.known import Cells, Effort, Found, Known, Open
from cardhouse.games.dogpile.reach import Cards, Near

BUILT = 12
"""The number of packs built greedily for each kind that the Pack Leader may be."""

WEIGHED = 3
"""The number of cards considered at each greedy step."""


class Pack(NamedTuple):
    """A legal pack: its layout, the kinds that fit each open cell next to it, and the cards left over.

    A cell that must stay empty has no kinds.
    """

    laid: Cells
    open: dict[Cell, int]
    left: Cards


class Growth:
    """Grows packs of these cards. `found` is the largest so far, with an upper bound."""

    def __init__(self, cards: Open, near: Near, start: Found) -> None:
        self.found = start
        self._cards = cards
        self._near = [beside | above for beside, above in zip(near.beside, near.above, strict=True)]
        self._plain: Cards = sum(1 << card for card, kinds in enumerate(cards.may_be) if not kinds & kinds - 1)
        self._fitting_in: dict[int, Cards] = {}
        self._starts = list(self._each_start())

    def build(self, effort: Effort) -> None:
        """Build a few packs greedily."""
        urgent = [[0] * len(self._cards.cards) for _ in self._starts]
        for _ in range(BUILT):
            for start, first in zip(self._starts, urgent, strict=True):
                if self.found.proven or not effort.spend():
                    return
                pack = self._build_greedily(start, first, effort)
                self._keep_better(pack)
                for card in bits_of(pack.left):
                    first[card] += 1

    def enumerate_all(self, effort: Effort) -> None:
        """Enumerate all packs. If this completes, the largest found is proven."""
        for start in self._starts:
            if not self._enumerate(start, effort):
                return
        self.found = Found(self.found.cells, len(self.found.cells))

    def _keep_better(self, pack: Pack) -> None:
        self.found = self.found.or_better(Found(pack.laid, self.found.bound))

    def _each_start(self) -> Iterator[Pack]:
        """Yield the Pack Leader alone, as each kind it may be."""
        nothing = Pack({}, {(0, 0): -1}, (1 << len(self._cards.cards)) - 1)
        for kind in self._kinds(nothing, (0, 0), 0, nothing.left):
            yield self._with(nothing, (0, 0), 0, kind)

    # One step of growing.

    def _with(self, pack: Pack, cell: Cell, card: int, kind: int) -> Pack:
        """Return the pack with one more card."""
        laid = {**pack.laid, cell: Known(self._cards.cards[card], kind)}
        touched = dict(pack.open)
        del touched[cell]
        for other in around(cell):
            if other not in laid:
                fits = self._cards.beside if other[1] == cell[1] else self._cards.above
                touched[other] = touched.get(other, -1) & fits[kind]
        return Pack(laid, touched, pack.left & ~(1 << card))

    def _fitting(self, kinds: int) -> Cards:
        """Return the cards that may be one of these kinds."""
        if kinds not in self._fitting_in:
            self._fitting_in[kinds] = sum(1 << card for card, may_be in enumerate(self._cards.may_be) if may_be & kinds)
        return self._fitting_in[kinds]

    def _kinds(self, pack: Pack, cell: Cell, card: int, others: Cards) -> list[int]:
        """Return the kinds this card may be on this cell, one for each group that is equivalent for the `others`."""
        kinds = self._cards.may_be[card] & pack.open[cell]
        if not kinds & kinds - 1:
            return list(bits_of(kinds))
        among = 0
        for other in bits_of(others & ~(1 << card)):
            among |= self._cards.may_be[other]
        beside, above = self._cards.beside, self._cards.above
        return list({(beside[kind] & among, above[kind] & among): kind for kind in bits_of(kinds)}.values())

    def _reachable_cards(self, pack: Pack) -> Cards:
        """Return the cards that may still become reachable."""
        found = 0
        for kinds in pack.open.values():
            found |= self._fitting(kinds)
        new = found = found & pack.left
        while new:
            near = 0
            for card in bits_of(new):
                near |= self._near[card]
            new = near & pack.left & ~found
            found |= new
        return found

    # Greedy building.

    def _build_greedily(self, pack: Pack, urgent: Sequence[int], effort: Effort) -> Pack:
        """Return the pack grown until nothing fits."""
        while grown := max(self._steps(pack, urgent, effort), key=self._options_left, default=None):
            pack = grown
        return pack

    def _steps(self, pack: Pack, urgent: Sequence[int], effort: Effort) -> Iterator[Pack]:
        """Yield every way to lay one of the most urgent cards, with those that fit few others first."""
        fitting = {cell: cards for cell, kinds in pack.open.items() if (cards := self._fitting(kinds) & pack.left)}
        some = 0
        for cards in fitting.values():
            some |= cards
        first = sorted(bits_of(some), key=lambda card: (-urgent[card], (self._near[card] & pack.left).bit_count()))
        for card in first[:WEIGHED]:
            for cell, cards in fitting.items():
                if cards >> card & 1:
                    for kind in self._kinds(pack, cell, card, pack.left & self._plain):
                        effort.spend()
                        yield self._with(pack, cell, card, kind)

    def _options_left(self, pack: Pack) -> tuple[int, int, int]:
        """Return the number of cards that may still be laid, that have a cell now, and that have two."""
        once = twice = 0
        for kinds in pack.open.values():
            cards = self._fitting(kinds) & pack.left
            twice |= once & cards
            once |= cards
        return self._reachable_cards(pack).bit_count(), once.bit_count(), twice.bit_count()

    # Enumeration.

    def _enumerate(self, pack: Pack, effort: Effort) -> bool:
        """Enumerate all packs larger than the largest that this one can grow to. Returns whether it completed."""
        self._keep_better(pack)
        while len(pack.laid) + (to_come := self._reachable_cards(pack)).bit_count() > len(self.found.cells):
            if self.found.proven:
                return True
            if not effort.spend():
                return False
            fitting = {cell: cards for cell, kinds in pack.open.items() if (cards := self._fitting(kinds) & to_come)}
            cell = min(fitting, key=lambda cell: fitting[cell].bit_count())
            for grown in self._ways(pack, cell, fitting[cell]):
                if not self._enumerate(grown, effort):
                    return False
            pack = self._without(pack, cell)
        return True

    def _ways(self, pack: Pack, cell: Cell, cards: Cards) -> Iterator[Pack]:
        """Yield the pack with each of these cards on this cell, except equivalent ones."""
        tried = set()
        for card in bits_of(cards):
            for kind in self._kinds(pack, cell, card, pack.left):
                may_be = self._cards.may_be[card]
                like = (self._cards.beside[kind], self._cards.above[kind], may_be if may_be & may_be - 1 else 0)
                if like not in tried:
                    tried.add(like)
                    yield self._with(pack, cell, card, kind)

    def _without(self, pack: Pack, cell: Cell) -> Pack:
        """Return the pack with this cell kept empty.

        Next to a lone Pack Leader, the opposite cell is kept empty, too.
        """
        empty = {cell: 0}
        if len(pack.laid) == 1:
            empty[-cell[0], -cell[1]] = 0  # a pack with only that cell would be the mirror image
        return Pack(pack.laid, {**pack.open, **empty}, pack.left)
