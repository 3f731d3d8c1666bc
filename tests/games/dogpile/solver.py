"""The largest pack by a constraint solver: slow, and independent of Cardhouse's search."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from ortools.sat.python import cp_model

from cardhouse.cards import Card, Cell, around
from cardhouse.games.dogpile.deck import DogDeck, bits_of


class Solved(NamedTuple):
    """What the solver found in the time it had; an empty layout if it found none."""

    layout: dict[Cell, Card]
    bound: int

    @property
    def proven(self) -> bool:
        return len(self.layout) == self.bound


def solve(leader: Card, cards: Sequence[Card], deck: DogDeck, *, seconds: float) -> Solved:
    """The largest pack, as far as one worker gets in so many seconds."""
    return _Model(leader, cards, deck).solved(seconds)


def none_larger(leader: Card, cards: Sequence[Card], deck: DogDeck, size: int, *, seconds: float) -> bool | None:
    """Whether no pack has more cards than that; None if it can't be told in so many seconds."""
    return _Model(leader, cards, deck).none_larger(size, seconds)


class _Group(NamedTuple):
    """Cards that fit to the same, so that it makes no difference which lies where; the kinds one may be."""

    cards: list[Card]
    kinds: list[int]


def _groups(leader: Card, cards: Sequence[Card], deck: DogDeck) -> list[_Group]:
    """The Pack Leader, then the others."""

    def fit(kind: int, others: Sequence[Card]) -> tuple[int, int]:
        among = reduce(or_, (deck.may_be[other] for other in others), 0)
        return deck.fits_beside[kind] & among, deck.fits_above[kind] & among

    every = _hanging_together(leader, cards, deck)
    alike: dict[object, list[Card]] = {}
    for card in every:
        key = card == leader, frozenset(fit(kind, every) for kind in bits_of(deck.may_be[card]))
        alike.setdefault(key, []).append(card)
    groups = []
    for group in alike.values():
        others = [card for card in every if card != group[0]]
        groups.append(
            _Group(group, list({fit(kind, others): kind for kind in bits_of(deck.may_be[group[0]])}.values()))
        )
    return groups


def _hanging_together(leader: Card, cards: Sequence[Card], deck: DogDeck) -> list[Card]:
    """The Pack Leader and the cards that are joined to it by cards that could touch."""
    found, left = [leader], list(cards)
    for card in found:  # it grows while it is gone through
        fit = reduce(or_, (deck.fits_beside[kind] | deck.fits_above[kind] for kind in bits_of(deck.may_be[card])))
        found += [other for other in left if deck.may_be[other] & fit]
        left = [other for other in left if not deck.may_be[other] & fit]
    return found


class _Model:
    """What lies on which cell, in a tree of which the Pack Leader, on the cell (0, 0), is the root."""

    def __init__(self, leader: Card, cards: Sequence[Card], deck: DogDeck) -> None:
        self.model = cp_model.CpModel()
        self.deck = deck
        self.groups = _groups(leader, cards, deck)
        self.most = sum(len(group.cards) for group in self.groups)
        far = range(1 - self.most, self.most)
        self.cells = [(x, y) for x in far for y in far if abs(x) + abs(y) < self.most]
        self.lies = {
            (place, kind, cell): self.model.new_bool_var(f"{group.cards[0]} as {kind} on {cell}")
            for place, group in enumerate(self.groups)
            for kind in group.kinds
            for cell in self.cells
        }
        self.used: list[cp_model.IntVar] = []
        self.taken = {cell: self.model.new_bool_var(f"{cell} taken") for cell in self.cells}
        self._lay(leader)
        self._fit()
        self._hang_together()
        self._not_mirrored()

    def _lay(self, leader: Card) -> None:
        """A cell has one card at most, and there are only so many of each group."""
        on: dict[Cell, list[Any]] = {cell: [self.taken[cell].negated()] for cell in self.cells}
        of: list[list[cp_model.IntVar]] = [[] for _ in self.groups]
        for (place, _, cell), lies in self.lies.items():
            on[cell].append(lies)
            of[place].append(lies)
            if place == 0 and cell != (0, 0):
                self.model.add(lies == 0)
        for some in on.values():
            self.model.add_exactly_one(some)
        for group, some in zip(self.groups, of, strict=True):
            if len(group.cards) == 1:
                self.model.add_at_most_one(some)
            used = self.model.new_int_var(int(leader in group.cards), len(group.cards), f"of {group.cards}")
            self.model.add(sum(some) == used)
            self.used.append(used)
        self.model.add(sum(self.used) == sum(self.taken.values()))

    def _fit(self) -> None:
        """To the right of a card of some kind, and above it, lies nothing that doesn't fit."""
        of_kind: dict[tuple[int, Cell], list[cp_model.IntVar]] = {}
        for (_, kind, cell), lies in self.lies.items():
            of_kind.setdefault((kind, cell), []).append(lies)
        kinds = sorted({kind for kind, _ in of_kind})
        for (kind, (x, y)), here in of_kind.items():
            for there, fits in (((x + 1, y), self.deck.fits_beside), ((x, y + 1), self.deck.fits_above)):
                if there in self.taken:
                    wrong = [lies for other in kinds if not fits[kind] >> other & 1 for lies in of_kind[other, there]]
                    self.model.add_at_most_one([*here, *wrong])

    def _hang_together(self) -> None:
        """Each card but the Pack Leader has one that it hangs on, which is nearer to the Pack Leader."""
        rank = {cell: self.model.new_int_var(0, self.most - 1, f"rank of {cell}") for cell in self.cells}
        self.model.add(rank[0, 0] == 0)
        for cell in self.cells:
            hangs = []
            for other in around(cell):
                if other in self.taken:
                    on = self.model.new_bool_var(f"{cell} hangs on {other}")
                    self.model.add_implication(on, self.taken[other])
                    self.model.add(rank[cell] > rank[other]).only_enforce_if(on)
                    hangs.append(on)
            if cell == (0, 0):
                self.model.add(sum(hangs) == 0)
            else:
                self.model.add_exactly_one([*hangs, self.taken[cell].negated()])

    def _not_mirrored(self) -> None:
        if len(self.cells) == 1:
            return
        self.model.add_implication(self.taken[-1, 0], self.taken[1, 0])
        self.model.add_implication(self.taken[0, -1], self.taken[0, 1])

    def solved(self, seconds: float) -> Solved:
        self.model.maximize(sum(self.used))
        solver, status = self._run(seconds)
        if status == cp_model.UNKNOWN:
            return Solved({}, self.most)
        waiting = [list(group.cards) for group in self.groups]
        layout = {
            cell: waiting[place].pop() for (place, _, cell), lies in self.lies.items() if solver.boolean_value(lies)
        }
        return Solved(layout, round(solver.best_objective_bound))

    def none_larger(self, size: int, seconds: float) -> bool | None:
        self.model.add(sum(self.used) > size)
        _, status = self._run(seconds)
        return None if status == cp_model.UNKNOWN else status == cp_model.INFEASIBLE

    def _run(self, seconds: float) -> tuple[cp_model.CpSolver, Any]:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = seconds
        return solver, solver.solve(self.model)
