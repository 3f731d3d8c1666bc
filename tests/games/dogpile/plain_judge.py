"""A judge in its simplest form, on the data of a deck file: it tries all values of the wild cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

Cell = tuple[int, int]
Layout = dict[Cell, str]
Kind = tuple[Any, ...]
"""A value for each attribute that the rules name."""

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


class PlainJudge:
    """Judges layouts of one deck."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.cards: Mapping[str, Mapping[str, Any]] = data["cards"]
        self.directions = {True: data["beside"], False: data["above"]}
        rules = [rule for one in self.directions.values() for listed in one.values() for rule in listed]
        self.matters = sorted({rule["attribute"] for rule in rules})
        self.values = {
            name: sorted({card[name] for card in self.cards.values() if name in card}) for name in self.matters
        }
        self.wild = [card for card, said in self.cards.items() if said.get("wild")]
        self.plain = [card for card in self.cards if card not in self.wild]
        self.kinds = {card: self.all_kinds(said) for card, said in self.cards.items()}
        self._legal: dict[tuple[Kind, Kind, bool], bool] = {}

    def all_kinds(self, said: Mapping[str, Any]) -> list[Kind]:
        """All that a card may be."""
        return list(product(*([said[name]] if name in said else self.values[name] for name in self.matters)))

    def may_touch(self, one: Kind, other: Kind, beside: bool) -> bool:
        """Whether the contact is legal."""
        key = (one, other, beside)
        if key not in self._legal:
            direction = self.directions[beside]
            held = [
                holds(rule, one[place], other[place])
                for listed in direction.values()
                for rule in listed
                for place in [self.matters.index(rule["attribute"])]
            ]
            self._legal[key] = all(held) if "all" in direction else any(held)
        return self._legal[key]

    def illegal(self, kinds: Mapping[Cell, Kind]) -> list[tuple[Cell, Cell]]:
        """The illegal contacts of cards whose kinds are known."""
        return sorted((a, b) for a, b, beside in touching(kinds) if not self.may_touch(kinds[a], kinds[b], beside))

    def fewest_illegal(self, layout: Layout) -> int:
        """The fewest illegal contacts that a layout can have, whatever its wild cards stand for."""
        wild = [cell for cell, card in layout.items() if card in self.wild]
        kinds = {cell: self.kinds[card][0] for cell, card in layout.items() if card not in self.wild}
        between = [(wild.index(a), wild.index(b), beside) for a, b, beside in touching(wild)]
        choices = [self.with_costs(cell, layout[cell], kinds) for cell in wild]
        least = sum(costs[0][1] for costs in choices)
        best = 4 * len(layout)
        for giving in product(*choices):
            spoiled = sum(cost for _, cost in giving)
            for a, b, beside in between:
                spoiled += not self.may_touch(giving[a][0], giving[b][0], beside)
            best = min(best, spoiled)
            if best == least:
                break
        return best + len(self.illegal(kinds))

    def with_costs(self, cell: Cell, card: str, kinds: Mapping[Cell, Kind]) -> list[tuple[Kind, int]]:
        """What a wild card may be, with the number of plain neighbours it doesn't fit then; the best first."""
        near = [(kinds[other], beside) for other, beside in around(cell) if other in kinds]
        found = [
            (kind, sum(not self.may_touch(kind, other, beside) for other, beside in near)) for kind in self.kinds[card]
        ]
        return sorted(found, key=lambda choice: choice[1])

    # Layouts to judge.

    def grow(self, rng: Random, size: int, wild: list[str]) -> Layout:
        """A layout of so many cards, with these wild ones among them, that is nearly legal, or not at all."""
        cards = rng.sample(self.plain, len(self.plain))
        cells: Layout = {}
        clean = rng.choice((0.0, 0.7, 1.0))
        cell = (rng.randrange(-9, 9), rng.randrange(-9, 9))
        while len(cells) < size:
            if cell not in cells:
                fitting = (card for card in cards if self.would_fit(card, cell, cells))
                card = next(fitting, cards[0]) if rng.random() < clean else cards[0]
                cards.remove(card)
                cells[cell] = card
            x, y = rng.choice(list(cells))
            step = rng.choice(SIDES) if rng.random() < 0.97 else (rng.randrange(-3, 4), rng.randrange(-3, 4))
            cell = (x + step[0], y + step[1])
        place = rng.choice(list(cells))
        for card in wild:
            cells[place] = card
            near = [other for other, _ in around(place) if cells.get(other, card) not in wild]
            left = [other for other in cells if cells[other] not in wild]
            place = rng.choice(near if near and rng.random() < 0.7 else left) if left else place
        return cells

    def would_fit(self, card: str, cell: Cell, cells: Layout) -> bool:
        """Whether a plain card fits its neighbours."""
        (kind,) = self.kinds[card]
        return all(
            self.may_touch(kind, self.kinds[cells[other]][0], beside)
            for other, beside in around(cell)
            if other in cells
        )


def holds(rule: Mapping[str, Any], one: Any, other: Any) -> bool:
    """A rule of contact, as the deck file says it."""
    match rule:
        case {"differs_by": apart}:
            return bool(abs(one - other) == apart)
        case {"at_most": apart}:
            return bool(abs(one - other) <= apart)
        case {"equal": True}:
            return bool(one == other)
        case {"different": True}:
            return bool(one != other)
    raise AssertionError(rule)


def around(cell: Cell) -> Iterator[tuple[Cell, bool]]:
    """The four cells that touch this one, and whether beside."""
    for x, y in SIDES:
        yield (cell[0] + x, cell[1] + y), y == 0


def touching(cells: Any) -> Iterator[tuple[Cell, Cell, bool]]:
    """Each contact once, the lesser cell first."""
    for cell in cells:
        for other, beside in around(cell):
            if other in cells and cell < other:
                yield cell, other, beside


def count_pieces(cells: Layout) -> int:
    """The number of unbroken shapes: each cell starts as its own, and those that touch become one."""
    piece = {cell: number for number, cell in enumerate(cells)}
    for a, b, _ in touching(cells):
        old, new = piece[a], piece[b]
        piece = {cell: new if number == old else number for cell, number in piece.items()}
    return len(set(piece.values()))
