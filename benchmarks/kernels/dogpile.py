"""Rounds of Dogpile by four cautious players with hands of five: without jokers, and with two."""

import random
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.kernels.case import Case
from benchmarks.kernels.dogpile_arrays import HAND, JOKER, PLAYERS, with_arrays
from cardhouse.games.dogpile.lab.questions import Silence
from cardhouse.games.dogpile.state import MOST_PLAYERS

Cell = tuple[int, int]
Laid = dict[Cell, int]

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
ABOVE = [{other for other in range(JOKER) if other // 13 == card // 13} for card in range(JOKER)]
BESIDE = [{other for other in range(JOKER) if abs(other % 13 - card % 13) == 1} for card in range(JOKER)]
FITS = (ABOVE, BESIDE)
"""The cards that may touch a card, by whether they are next to it."""


def around(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    for right, up in SIDES:
        yield x + right, y + up


def fits(cell: Cell, card: int, there: Laid) -> bool:
    """Return whether a card may lie on this cell."""
    wild = False
    for other in around(cell):
        if other in there:
            if card >= JOKER or there[other] >= JOKER:
                wild = True
            elif there[other] not in FITS[other[1] == cell[1]][card]:
                return False
    return not wild or settled({**there, cell: card})


def settled(there: Laid) -> bool:
    """Return whether two jokers can be something that fits everything they touch."""
    jokers = {cell: can_be(cell, there) for cell, card in there.items() if card >= JOKER}
    return all(jokers.values()) and all(
        any(FITS[other[1] == cell[1]][value] & jokers[other] for value in values)
        for cell, values in jokers.items()
        for other in around(cell)
        if other in jokers
    )


def can_be(cell: Cell, there: Laid) -> set[int]:
    """Return what a joker can be next to the plain cards around it."""
    plain = [other for other in around(cell) if there.get(other, JOKER) < JOKER]
    return set(range(JOKER)).intersection(*(FITS[other[1] == cell[1]][there[other]] for other in plain))


def spoiled(taken: set[Cell]) -> int:
    return sum(side in taken or any(near in taken for near in around(side)) for side in SIDES)


def sure(leader: int, hand: list[int], taken: set[Cell]) -> Laid:
    """Make every legal shape, card by card; return the first of the largest that spoils the fewest sides."""
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


def plain(jokers: int, trials: int) -> Sequence[float]:
    """Play rounds in code as written in an evening."""
    totals = [0] * (3 + MOST_PLAYERS)
    for _ in range(trials):
        deck = list(range(JOKER + jokers))
        random.shuffle(deck)
        leader = deck.pop()
        taken: set[Cell] = set()
        for player in range(PLAYERS):
            laid = sure(leader, [deck.pop() for _ in range(HAND)], taken)
            if not laid:
                break
            taken |= laid.keys()
            totals[3 + player] += len(laid)
            if leader >= JOKER:  # only the first player can know what it stands for
                break
        totals[0] += len(taken) + 1 if taken else 0
        totals[1] += len(taken) + 1
        totals[2] += not taken
    return totals


def cases() -> list[Case]:
    return [case("no jokers", 0), case("two jokers", 2)]


def case(name: str, jokers: int) -> Case:
    return Case(
        f"dogpile silence, {name}",
        Silence(players=PLAYERS, hand_size=HAND, jokers=jokers),
        c="dogpile.c",
        defines={"JOKERS": jokers},
        plain=partial(plain, jokers),
        numpy=partial(with_arrays, jokers),
    )
