"""The largest pack by a constraint solver: slow, and with nothing in common with how Cardhouse looks for it."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ortools.sat.python import cp_model

from cardhouse.cards import Card, Cell, around
from cardhouse.games.dogpile.deck import DogDeck, bits_of


class Solved(NamedTuple):
    """What the solver found in the time it had."""

    layout: dict[Cell, Card]
    bound: int
    proven: bool


def solve(leader: Card, cards: Sequence[Card], deck: DogDeck, *, seconds: float, more_than: int = 0) -> Solved:
    """The largest pack, found by one worker; with `more_than`, only one with more cards than that is looked for."""
    return _Model(leader, cards, deck).solved(seconds, more_than)


class _Model:
    """Which card lies on which cell as which kind; a flow from the Pack Leader that every card takes one unit of."""

    def __init__(self, leader: Card, cards: Sequence[Card], deck: DogDeck) -> None:
        self.model = cp_model.CpModel()
        self.leader = leader
        self.deck = deck
        self.cards = [leader, *cards]
        side = range(len(self.cards))
        self.cells = list(product(side, side))
        self.kinds = {card: list(bits_of(deck.may_be[card])) for card in self.cards}
        self.lies = {
            (card, kind, cell): self.model.new_bool_var(f"{card} {kind} {cell}")
            for card in self.cards
            for kind in self.kinds[card]
            for cell in self.cells
        }
        self.taken = {cell: self.model.new_bool_var(f"taken {cell}") for cell in self.cells}
        self._lay_cards()
        self._fit()
        self._hang_together()
        self._start_in_the_corner()

    def _on(self, cell: Cell) -> list[cp_model.IntVar]:
        return [self.lies[card, kind, cell] for card in self.cards for kind in self.kinds[card]]

    def _anywhere(self, card: Card) -> list[cp_model.IntVar]:
        return [self.lies[card, kind, cell] for kind in self.kinds[card] for cell in self.cells]

    def _lay_cards(self) -> None:
        self.model.add_exactly_one(self._anywhere(self.leader))
        for card in self.cards[1:]:
            self.model.add_at_most_one(self._anywhere(card))
        for cell in self.cells:
            self.model.add(sum(self._on(cell)) == self.taken[cell])

    def _fit(self) -> None:
        """Beside a card of some kind, and above it, lies nothing that doesn't fit."""
        of_kind = {
            (kind, cell): [self.lies[card, kind, cell] for card in self.cards if kind in self.kinds[card]]
            for kind in {kind for kinds in self.kinds.values() for kind in kinds}
            for cell in self.cells
        }
        kinds = {kind for kind, _ in of_kind}
        for (kind, (x, y)), here in of_kind.items():
            for other, fits in (((x + 1, y), self.deck.fits_beside), ((x, y + 1), self.deck.fits_above)):
                if other in self.taken:
                    wrong = [lies for wrong in kinds if not fits[kind] >> wrong & 1 for lies in of_kind[wrong, other]]
                    self.model.add(sum(here) + sum(wrong) <= 1)

    def _hang_together(self) -> None:
        most = len(self.cards)
        flow = {
            (cell, other): self.model.new_int_var(0, most, f"{cell} to {other}")
            for cell in self.cells
            for other in around(cell)
            if other in self.taken
        }
        for (cell, other), amount in flow.items():
            self.model.add(amount <= most * self.taken[cell])
            self.model.add(amount <= most * self.taken[other])
        for cell in self.cells:
            into = sum(flow[other, cell] for other in around(cell) if other in self.taken)
            out = sum(flow[cell, other] for other in around(cell) if other in self.taken)
            source = sum(self.lies[self.leader, kind, cell] for kind in self.kinds[self.leader])
            given = self.model.new_int_var(0, most, f"from {cell}")
            self.model.add(given <= most * source)
            self.model.add(into + given == out + self.taken[cell])

    def _start_in_the_corner(self) -> None:
        """The same pack is not looked for in many places: it touches the left and the lower side of the grid."""
        for axis in (0, 1):
            self.model.add_bool_or([self.taken[cell] for cell in self.cells if cell[axis] == 0])

    def solved(self, seconds: float, more_than: int) -> Solved:
        size = sum(self.taken.values())
        self.model.add(size > more_than)
        self.model.maximize(size)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = seconds
        status = solver.solve(self.model)
        if status == cp_model.INFEASIBLE:
            return Solved({}, more_than, proven=True)
        if status == cp_model.UNKNOWN:
            return Solved({}, len(self.cards), proven=False)
        layout = {cell: card for (card, _, cell), lies in self.lies.items() if solver.boolean_value(lies)}
        return Solved(layout, int(solver.best_objective_bound), proven=status == cp_model.OPTIMAL)
