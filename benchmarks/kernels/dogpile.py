"""Rounds of Dogpile by four cautious players with hands of five: without jokers, and with two.

There is no version with NumPy's arrays: a search that goes another way for each hand has none that one would write.
"""

import random
from collections.abc import Iterator, Sequence

from benchmarks.kernels.case import Case
from cardhouse.games.dogpile.state import MOST_PLAYERS
from cardhouse.lab.questions.dogpile import Silence

Cell = tuple[int, int]
Laid = dict[Cell, int]

PLAYERS, HAND = 4, 5
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def around(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    for right, up in SIDES:
        yield x + right, y + up


def fits(cell: Cell, card: int, there: Laid) -> bool:
    """Whether a card of the deck without jokers may lie on this cell."""
    for other in around(cell):
        if other in there:
            beside = other[1] == cell[1]
            if beside and abs(card % 13 - there[other] % 13) != 1:
                return False
            if not beside and card // 13 != there[other] // 13:
                return False
    return True


def spoiled(taken: set[Cell]) -> int:
    return sum(side in taken or any(near in taken for near in around(side)) for side in SIDES)


def sure(leader: int, hand: list[int], taken: set[Cell]) -> Laid:
    """Every legal shape is made, card by card; of the largest the first that spoils the fewest sides is taken."""
    closed = taken | {near for cell in taken for near in around(cell)} | {(0, 0)}
    largest: list[Laid] = [{}]
    while True:
        larger: dict[frozenset[tuple[Cell, int]], Laid] = {}
        for laid in largest:
            there = {(0, 0): leader, **laid}
            edge = {near for cell in there for near in around(cell)} - there.keys() - closed
            for cell in edge:
                for card in hand:
                    if card not in laid.values() and fits(cell, card, there):
                        more = {**laid, cell: card}
                        larger[frozenset(more.items())] = more
        if not larger:
            break
        largest = list(larger.values())
    return min(largest, key=lambda laid: (spoiled(taken | laid.keys()), sorted((*cell, c) for cell, c in laid.items())))


def plain(trials: int) -> Sequence[float]:
    """As one writes it in an evening."""
    totals = [0] * (3 + MOST_PLAYERS)
    for _ in range(trials):
        deck = list(range(52))
        random.shuffle(deck)
        leader = deck.pop()
        taken: set[Cell] = set()
        for player in range(PLAYERS):
            laid = sure(leader, [deck.pop() for _ in range(HAND)], taken)
            if not laid:
                break
            taken |= laid.keys()
            totals[3 + player] += len(laid)
        totals[0] += len(taken) + 1 if taken else 0
        totals[1] += len(taken) + 1
        totals[2] += not taken
    return totals


def cases() -> list[Case]:
    return [
        Case(
            "dogpile silence, no jokers",
            Silence(players=PLAYERS, hand_size=HAND, jokers=0),
            c="dogpile.c",
            defines={"JOKERS": 0},
            plain=plain,
        ),
        Case(
            "dogpile silence, two jokers",
            Silence(players=PLAYERS, hand_size=HAND, jokers=2),
            c="dogpile.c",
            defines={"JOKERS": 2},
        ),
    ]
