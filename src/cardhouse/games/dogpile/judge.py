"""The judge: whether a layout is one unbroken shape, and every contact in it legal (DG-10 to DG-14, DG-21)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Final, NamedTuple

import msgspec

from cardhouse.cards import Card, Cell, Placed, around
from cardhouse.engine import CardhouseError, Field, Text, Whole
from cardhouse.games.dogpile.deck import Contact, DogDeck, Held, all_of, bits_of, said

Layout = Mapping[Cell, Card]
"""Which card lies where."""

FARTHEST: Final = 1000
"""So far from (0, 0) a card may lie in a layout, left, right, above and below."""


class Illegal(msgspec.Struct, frozen=True):
    """Two cells whose cards may not touch: by which rule, and why in words."""

    a: Cell
    b: Cell
    rule: str
    reason: str


class Stands(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """What a wild card stands for: a card of the deck, or, if it has none that is just so, the values."""

    x: int
    y: int
    as_: Card | dict[str, Held]


class Verdict(msgspec.Struct, frozen=True):
    """What the judge says: legal if it is one piece and no contact is illegal."""

    legal: bool
    pieces: int
    illegal: list[Illegal]
    jokers: list[Stands]


def judge(layout: Layout, deck: DogDeck) -> Verdict:
    """Judge a layout of this deck's cards (DG-21).

    Wild cards get values that make it legal, if some do, or else values with the fewest illegal contacts (DG-14).
    Raises CardhouseError for an empty layout or a card that is none of the deck's.
    """
    if not layout:
        raise CardhouseError(_NOTHING_THERE)
    may_be = deck.may_be
    try:
        stands = {cell: may_be[card] for cell, card in layout.items()}
    except KeyError as unknown:
        raise CardhouseError(f"The deck {deck.name} has no card {unknown.args[0]}.") from None
    wild = {cell: bits for cell, bits in stands.items() if bits & bits - 1}
    kinds = {cell: bits.bit_length() - 1 for cell, bits in stands.items()}
    kinds.update(settle(wild, kinds, deck))
    pieces = len(pieces_of(layout))
    illegal = list(_illegal(kinds, deck))
    jokers = [Stands(x, y, deck.card_of(kinds[x, y])) for x, y in sorted(wild)]
    return Verdict(pieces == 1 and not illegal, pieces, illegal, jokers)


def layout_of(placed: Iterable[Placed]) -> dict[Cell, Card]:
    """The layout of placed cards.

    Raises CardhouseError if two lie on one cell, one lies there twice, or a cell is farther out than `FARTHEST`.
    """
    layout: dict[Cell, Card] = {}
    where: dict[Card, Cell] = {}
    for card, x, y in ((one.card, one.x, one.y) for one in placed):
        if max(abs(x), abs(y)) > FARTHEST:
            raise CardhouseError(f"{card} lies too far out; a cell's x and y are from -{FARTHEST} to {FARTHEST}.")
        if (x, y) in layout:
            raise CardhouseError(f"Two cards lie on the cell ({x}, {y}): {layout[x, y]} and {card}.")
        if card in where:
            raise CardhouseError(f"{card} is there twice, at ({where[card][0]}, {where[card][1]}) and ({x}, {y}).")
        layout[x, y], where[card] = card, (x, y)
    return layout


def layout_from(data: object) -> dict[Cell, Card]:
    """The layout that plain data tell: a list of `{"card": …, "x": …, "y": …}`; what else stands there doesn't matter.

    Raises CardhouseError if it is none: something is missing or no whole number from -1000 to 1000, nothing lies
    there, two cards lie on one cell, or one lies there twice.
    """
    if not isinstance(data, list):
        raise CardhouseError(_NO_LAYOUT)
    if not data:
        raise CardhouseError(_NOTHING_THERE)
    return layout_of([_placed(one, number) for number, one in enumerate(data, start=1)])


def _placed(data: object, number: int) -> Placed:
    if not isinstance(data, Mapping):
        raise CardhouseError(f"{_NO_LAYOUT} Its entry {number} is none.")
    for field, kind in _PLACED.items():
        if (problem := kind.wrong(data.get(field))) is not None:
            raise CardhouseError(f"Card {number} of the layout: {field} {problem}.")
    return Placed(data["card"], data["x"], data["y"])


_PLACED: Mapping[str, Field] = {"card": Text(), "x": Whole(-FARTHEST, FARTHEST), "y": Whole(-FARTHEST, FARTHEST)}
_NO_LAYOUT = 'A layout is a list of cards, such as [{"card": "C7", "x": 0, "y": 0}].'
_NOTHING_THERE = "There are no cards to check."


def pieces_of(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The unbroken shapes that these cells form, under contact at left, right, above and below (DG-10)."""
    left = dict.fromkeys(cells)
    pieces = []
    while left:
        piece = [next(iter(left))]
        del left[piece[0]]
        for cell in piece:  # it grows while it is gone through
            for touching in around(cell):
                if touching in left:
                    del left[touching]
                    piece.append(touching)
        pieces.append(piece)
    return pieces


def contacts(cells: Iterable[Cell], there: Mapping[Cell, object]) -> Iterator[tuple[Cell, Cell, bool]]:
    """Each contact of these cells to the right and upward: the two cells, and whether it is beside."""
    for x, y in cells:
        if (x + 1, y) in there:
            yield (x, y), (x + 1, y), True
        if (x, y + 1) in there:
            yield (x, y), (x, y + 1), False


def _illegal(kinds: Mapping[Cell, int], deck: DogDeck) -> Iterator[Illegal]:
    """Every illegal contact, in the order of the cells (DG-11 to DG-13)."""
    beside, above = deck.fits_beside, deck.fits_above
    found = [
        (a, b, is_beside)
        for a, b, is_beside in contacts(kinds, kinds)
        if not (beside if is_beside else above)[kinds[a]] >> kinds[b] & 1
    ]
    for a, b, is_beside in sorted(found):
        yield Illegal(a, b, "DG-11" if is_beside else "DG-12", reason(deck, kinds[a], kinds[b], beside=is_beside))


def reason(deck: DogDeck, one: int, other: int, *, beside: bool) -> str:
    """Why two kinds may not touch, as a sentence."""
    direction = deck.beside if beside else deck.above
    mine, its = deck.kinds[one], deck.kinds[other]
    broken = [
        _compared(rule, mine[place], its[place])
        for rule in direction.rules
        if not rule.holds(mine[place := deck.matters.index(rule.attribute)], its[place])
    ]
    where = "Side by side" if beside else "One above the other"
    if direction.any and len(broken) > 1:
        return f"{where}, one of these must hold: {'; '.join(broken)}."
    return f"{where}, {', and '.join(broken)}."


def _compared(rule: Contact, one: Held, other: Held) -> str:
    if rule.different:
        shared = next(value for value in all_of(one) if value in all_of(other))
        return f"the {rule.attribute} must not be the same (both are {shared})"
    both = f"{said(one)} and {said(other)}"
    if rule.equal:
        return f"the {rule.attribute} must be the same ({both} are not)"
    how = f"{rule.at_most} at most" if rule.at_most is not None else f"exactly {rule.differs_by}"
    return f"the {rule.attribute} must differ by {how} ({both} don't)"


# What wild cards stand for (DG-14).
#
# Wild cards that touch each other depend on each other. One after the other is taken out of their group, and what it
# spoils at least is kept, as a cost of those it touched, for whatever kinds these may be. So every giving of values is
# accounted for, and no more work is done than the kinds of the two or so cards that one touches, multiplied.

Costs = tuple[int, ...]
"""Kinds, as bits, by how many contacts each makes illegal: those that make none, one, two ..."""


class _Given(NamedTuple):
    """What the kinds of one wild card cost, given the kinds of some others, in their order."""

    others: tuple[Cell, ...]
    costs: Callable[[tuple[int, ...]], Costs]

    def at(self, kinds: Mapping[Cell, int]) -> Costs:
        """What they cost where the others are of these kinds."""
        return self.costs(tuple(kinds[other] for other in self.others))


def settle(wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> dict[Cell, int]:
    """What each wild card stands for, so that as few contacts as possible are illegal (DG-14).

    `wild` are the cells with wild cards and the kinds each may be, `kinds` the kinds of all others.
    """
    found: dict[Cell, int] = {}
    for group in pieces_of(wild):
        found.update(_settle_group({cell: _alone(cell, wild, kinds, deck) for cell in group}, deck))
    return found


def _alone(cell: Cell, wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> Costs:
    """What the kinds that a wild card may be cost at its plain neighbours, but for those that are never worth it."""
    costs: Costs = (wild[cell],)
    free = 0
    for neighbour in around(cell):
        if neighbour in wild:
            free += 1
        elif neighbour in kinds:
            fits = deck.fits(beside=neighbour[1] == cell[1])[kinds[neighbour]]
            costs = _together(costs, (fits, ~fits))
    least = _least(costs)
    return costs[: least + max(free, 1)]  # at its wild neighbours a kind saves no more than there are of them


def _settle_group(alone: Mapping[Cell, Costs], deck: DogDeck) -> dict[Cell, int]:
    """The kinds of wild cards that touch each other, with the fewest illegal contacts."""
    kinds = {cell: [kind for bits in costs for kind in bits_of(bits)] for cell, costs in alone.items()}
    order = taken_out({cell: len(some) for cell, some in kinds.items()})
    place = {cell: number for number, cell in enumerate(order)}
    given = {cell: [_Given((), partial(_always, costs))] for cell, costs in alone.items()}
    for a, b, beside in contacts(alone, alone):
        first, second = sorted((a, b), key=place.__getitem__)
        touching = partial(_touching, deck.fits(beside=beside), sum(alone[first]))
        given[first].append(_Given((second,), touching))
    for cell in order:
        others = sorted({other for some in given[cell] for other in some.others}, key=place.__getitem__)
        if others:
            given[others[0]].append(_taken_out(given[cell], others, kinds))
    found: dict[Cell, int] = {}
    for cell in reversed(order):
        costs = _summed(given[cell], found)
        found[cell] = next(bits_of(costs[_least(costs)]))
    return found


def taken_out(cells: Mapping[Cell, int]) -> list[Cell]:
    """An order for taking cells out: always the one that takes least work, by the number of kinds on each.

    Those that one touched touch each other from then on. Of any eight cells none touches more than two when it is
    taken out.
    """
    touching = {cell: {other for other in around(cell) if other in cells} for cell in sorted(cells, reverse=True)}
    order = []
    while touching:
        cell = min(touching, key=lambda cell: (len(touching[cell]), prod(cells[other] for other in touching[cell])))
        those = touching.pop(cell)
        for other in those:
            touching[other] = (touching[other] | those) - {cell, other}
        order.append(cell)
    return order


def _always(costs: Costs, kinds: tuple[int, ...]) -> Costs:
    """The same, whatever the kinds of others."""
    return costs


def _touching(fits: Sequence[int], among: int, kinds: tuple[int, ...]) -> Costs:
    """What it costs to be one or another among some kinds, at a neighbour of the kind given."""
    return among & fits[kinds[0]], among & ~fits[kinds[0]]


def _taken_out(given: Sequence[_Given], others: Sequence[Cell], kinds: Mapping[Cell, Sequence[int]]) -> _Given:
    """What a card costs at least, once it is taken out, as costs of the first of the others."""
    first, *rest = others
    alike = {other: _alike(other, given, kinds[other]) for other in others}
    firsts: defaultdict[int, int] = defaultdict(int)
    for kind, like in alike[first].items():
        firsts[like] |= 1 << kind
    with_first = [some for some in given if first in some.others]
    without = [some for some in given if first not in some.others]
    table: dict[tuple[int, ...], Costs] = {}
    for some_kinds in product(*(dict.fromkeys(alike[other].values()) for other in rest)):
        at = dict(zip(rest, some_kinds, strict=True))
        costs = _summed(without, at)
        by_cost: defaultdict[int, int] = defaultdict(int)
        for kind, bits in firsts.items():
            at[first] = kind
            by_cost[_least(_summed(with_first, at, costs))] |= bits
        table[some_kinds] = tuple(by_cost[cost] for cost in range(max(by_cost) + 1))
    return _Given(
        tuple(rest), lambda some: table[tuple(alike[other][kind] for other, kind in zip(rest, some, strict=True))]
    )


def _alike(other: Cell, given: Iterable[_Given], kinds: Iterable[int]) -> dict[int, int]:
    """For each kind of a neighbour the first one that comes to the same for the card."""
    own = [some for some in given if some.others == (other,)]
    shared = any(len(some.others) > 1 and other in some.others for some in given)
    first: dict[object, int] = {}
    return {
        kind: first.setdefault(kind if shared else tuple(some.costs((kind,)) for some in own), kind) for kind in kinds
    }


def _summed(given: Iterable[_Given], kinds: Mapping[Cell, int], costs: Costs = (-1,)) -> Costs:
    """All that a card costs, where the others are of these kinds."""
    for some in given:
        costs = _together(costs, some.at(kinds))
    return costs


def _together(one: Costs, other: Costs) -> Costs:
    """The sums of two costs of the same kinds."""
    summed = [0] * (len(one) + len(other) - 1)
    for cost, bits in enumerate(one):
        for more, others in enumerate(other):
            summed[cost + more] |= bits & others
    return tuple(summed)


def _least(costs: Costs) -> int:
    """The cost of the cheapest kinds."""
    return next(cost for cost, bits in enumerate(costs) if bits)
