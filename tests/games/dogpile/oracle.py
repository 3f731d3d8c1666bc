"""The cautious bot in its simplest form: make every legal shape, and take the best of the largest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.games.dogpile.plain_judge import SIDES, Cell, PlainJudge, around

Shape = frozenset[tuple[Cell, str]]


def shapes(leader: str, hand: Sequence[str], closed: set[Cell], judge: PlainJudge) -> list[Shape]:
    """All shapes of as many cards as can be; each grows card by card, for taking a leaf away leaves it legal."""
    largest: set[Shape] = {frozenset()}
    while True:
        larger = set()
        for shape in largest:
            layout = {(0, 0): leader, **dict(shape)}
            edge = {beside for cell in layout for beside, _ in around(cell)} - layout.keys() - closed
            for cell in edge:
                for card in hand:
                    if card not in layout.values():
                        more = shape | {(cell, card)}
                        if more not in larger and judge.fewest_illegal({**layout, cell: card}) == 0:
                            larger.add(more)
        if not larger:
            return list(largest)
        largest = larger


def spoiled(taken: Iterable[Cell]) -> int:
    """How many sides of the Pack Leader are spoiled by these cells."""
    cells = set(taken) - {(0, 0)}
    return sum(side in cells or any(beside in cells for beside, _ in around(side)) for side in SIDES)


def surest(leader: str, hand: Sequence[str], others: Iterable[Cell], judge: PlainJudge) -> list[tuple[int, int, str]]:
    """What the rules have the cautious bot lay, in order; `others` are the cells with other players' cards."""
    taken = set(others)
    if leader in judge.wild and taken:
        return []
    closed = taken | {beside for cell in taken for beside, _ in around(cell)}
    order = list(judge.cards)
    _, best = min(
        (spoiled({*taken, *(cell for cell, _ in shape)}), sorted((*cell, order.index(card)) for cell, card in shape))
        for shape in shapes(leader, hand, closed, judge)
    )
    return [(x, y, order[card]) for x, y, card in best]
