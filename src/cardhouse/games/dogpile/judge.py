"""The judge: whether a layout is one connected shape with only legal contacts (DG-10 to DG-14, DG-21)."""

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
from cardhouse.games.dogpile.deck import Contact, DogDeck, Held, all_of, bits_of, in_words

Layout = Mapping[Cell, Card]
"""The card on each cell."""

FARTHEST: Final = 1000
"""The maximum distance of a card from (0, 0), in each direction."""


class Illegal(msgspec.Struct, frozen=True):
    """Two cells whose cards may not touch, with the rule broken and the reason in words."""

    a: Cell
    b: Cell
    rule: str
    reason: str


class Stands(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """The value of a wild card: a card of the deck, or attribute values if no card has exactly these."""

    x: int
    y: int
    as_: Card | dict[str, Held]


class Verdict(msgspec.Struct, frozen=True):
    """The judge's verdict: legal if the layout is one piece without illegal contacts."""

    legal: bool
    pieces: int
    illegal: list[Illegal]
    jokers: list[Stands]


def judge(layout: Layout, deck: DogDeck) -> Verdict:
    """Judge a layout of this deck's cards (DG-21).

    Wild cards get values that make it legal if possible, or else values with the fewest illegal contacts (DG-14).
    Raises CardhouseError for an empty layout or a card that isn't in the deck.
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
    kinds.update(assign_wild(wild, kinds, deck))
    pieces = len(pieces_of(layout))
    illegal = list(_illegal(kinds, deck))
    jokers = [Stands(x, y, deck.card_of(kinds[x, y])) for x, y in sorted(wild)]
    return Verdict(pieces == 1 and not illegal, pieces, illegal, jokers)


def layout_of(placed: Iterable[Placed]) -> dict[Cell, Card]:
    """Return the layout of placed cards.

    Raises CardhouseError if two cards share a cell, a card occurs twice, or a cell is farther out than `FARTHEST`.
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
    """Return the layout given as a list of `{"card": …, "x": …, "y": …}`; other keys are ignored.

    Raises CardhouseError if the data are no layout: a field is missing or not an integer from -1000 to 1000, there are
    no cards, two cards share a cell, or a card occurs twice.
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
    """Return the connected shapes that these cells form, with contact left, right, above and below (DG-10)."""
    left = dict.fromkeys(cells)
    pieces = []
    while left:
        piece = [next(iter(left))]
        del left[piece[0]]
        for cell in piece:  # grows during the loop
            for touching in around(cell):
                if touching in left:
                    del left[touching]
                    piece.append(touching)
        pieces.append(piece)
    return pieces


def contacts(cells: Iterable[Cell], there: Mapping[Cell, object]) -> Iterator[tuple[Cell, Cell, bool]]:
    """Yield each contact of these cells to the right and upward: the two cells, and whether they are side by side."""
    for x, y in cells:
        if (x + 1, y) in there:
            yield (x, y), (x + 1, y), True
        if (x, y + 1) in there:
            yield (x, y), (x, y + 1), False


def _illegal(kinds: Mapping[Cell, int], deck: DogDeck) -> Iterator[Illegal]:
    """Yield every illegal contact, in the order of the cells (DG-11 to DG-13)."""
    beside, above = deck.fits_beside, deck.fits_above
    found = [
        (a, b, is_beside)
        for a, b, is_beside in contacts(kinds, kinds)
        if not (beside if is_beside else above)[kinds[a]] >> kinds[b] & 1
    ]
    for a, b, is_beside in sorted(found):
        yield Illegal(a, b, "DG-11" if is_beside else "DG-12", reason(deck, kinds[a], kinds[b], beside=is_beside))


def reason(deck: DogDeck, one: int, other: int, *, beside: bool) -> str:
    """Return why two kinds may not touch, as a sentence."""
    direction = deck.beside if beside else deck.above
    mine, its = deck.kinds[one], deck.kinds[other]
    broken = [
        _reason_for(rule, mine[place], its[place])
        for rule in direction.rules
        if not rule.holds(mine[place := deck.matters.index(rule.attribute)], its[place])
    ]
    where = "Side by side" if beside else "One above the other"
    if direction.any and len(broken) > 1:
        return f"{where}, one of these must hold: {'; '.join(broken)}."
    return f"{where}, {', and '.join(broken)}."


def _reason_for(rule: Contact, one: Held, other: Held) -> str:
    if rule.different:
        shared = next(value for value in all_of(one) if value in all_of(other))
        return f"the {rule.attribute} must not be the same (both are {shared})"
    both = f"{in_words(one)} and {in_words(other)}"
    if rule.equal:
        return f"the {rule.attribute} must be the same ({both} are not)"
    how = f"{rule.at_most} at most" if rule.at_most is not None else f"exactly {rule.differs_by}"
    return f"the {rule.attribute} must differ by {how} ({both} don't)"


# The values of wild cards (DG-14).
#
# Wild cards that touch depend on each other. They are eliminated one by one: the least cost of a wild card becomes a
# cost of those it touched, for each combination of their kinds (variable elimination). This covers every assignment,
# and the work is only the product of the kinds of the two or so cards that an eliminated one touches.

Costs = tuple[int, ...]
"""Bit sets of kinds by the number of illegal contacts they cause: those with none, one, two ..."""


class _CostTerm(NamedTuple):
    """The costs of one wild card's kinds, given the kinds of some others, in their order."""

    others: tuple[Cell, ...]
    costs: Callable[[tuple[int, ...]], Costs]

    def at(self, kinds: Mapping[Cell, int]) -> Costs:
        """Return the costs if the others are of these kinds."""
        return self.costs(tuple(kinds[other] for other in self.others))


def assign_wild(wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> dict[Cell, int]:
    """Return what each wild card stands for, with as few illegal contacts as possible (DG-14).

    `wild` has the kinds that each wild card may be, `kinds` the kinds of all other cards, by cell.
    """
    found: dict[Cell, int] = {}
    for group in pieces_of(wild):
        found.update(_settle_group({cell: _own_costs(cell, wild, kinds, deck) for cell in group}, deck))
    return found


def _own_costs(cell: Cell, wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> Costs:
    """Return the costs of a wild card's kinds at its plain neighbours, without kinds that are never optimal."""
    costs: Costs = (wild[cell],)
    free = 0
    for neighbour in around(cell):
        if neighbour in wild:
            free += 1
        elif neighbour in kinds:
            fits = deck.fits(beside=neighbour[1] == cell[1])[kinds[neighbour]]
            costs = _add_costs(costs, (fits, ~fits))
    least = _least_cost(costs)
    return costs[: least + max(free, 1)]  # at its wild neighbours a kind saves at most their number


def _settle_group(alone: Mapping[Cell, Costs], deck: DogDeck) -> dict[Cell, int]:
    """Return the kinds of connected wild cards with the fewest illegal contacts."""
    kinds = {cell: [kind for bits in costs for kind in bits_of(bits)] for cell, costs in alone.items()}
    order = elimination_order({cell: len(some) for cell, some in kinds.items()})
    place = {cell: number for number, cell in enumerate(order)}
    given = {cell: [_CostTerm((), partial(_constant, costs))] for cell, costs in alone.items()}
    for a, b, beside in contacts(alone, alone):
        first, second = sorted((a, b), key=place.__getitem__)
        touching = partial(_touching, deck.fits(beside=beside), sum(alone[first]))
        given[first].append(_CostTerm((second,), touching))
    for cell in order:
        others = sorted({other for some in given[cell] for other in some.others}, key=place.__getitem__)
        if others:
            given[others[0]].append(_eliminate(given[cell], others, kinds))
    found: dict[Cell, int] = {}
    for cell in reversed(order):
        costs = _total_costs(given[cell], found)
        found[cell] = next(bits_of(costs[_least_cost(costs)]))
    return found


def elimination_order(cells: Mapping[Cell, int]) -> list[Cell]:
    """Return an elimination order: always the cell that takes the least work, by the number of kinds on each.

    The neighbours of an eliminated cell become neighbours of each other. With up to eight cells, none has more than two
    neighbours when it is eliminated.
    """
    touching = {cell: {other for other in around(cell) if other in cells} for cell in sorted(cells, reverse=True)}
    order = []
    while touching:
        cell = min(touching, key=lambda cell: (len(touching[cell]), prod(cells[other] for other in touching[cell])))
        neighbours = touching.pop(cell)
        for other in neighbours:
            touching[other] = (touching[other] | neighbours) - {cell, other}
        order.append(cell)
    return order


def _constant(costs: Costs, kinds: tuple[int, ...]) -> Costs:
    """Return the same costs for any kinds of others."""
    return costs


def _touching(fits: Sequence[int], among: int, kinds: tuple[int, ...]) -> Costs:
    """Return the costs of these kinds next to a neighbour of the given kind."""
    return among & fits[kinds[0]], among & ~fits[kinds[0]]


def _eliminate(given: Sequence[_CostTerm], others: Sequence[Cell], kinds: Mapping[Cell, Sequence[int]]) -> _CostTerm:
    """Return the least cost of an eliminated card, as costs of the first of the others."""
    first, *rest = others
    alike = {other: _equivalent_kinds(other, given, kinds[other]) for other in others}
    firsts: defaultdict[int, int] = defaultdict(int)
    for kind, like in alike[first].items():
        firsts[like] |= 1 << kind
    with_first = [some for some in given if first in some.others]
    without = [some for some in given if first not in some.others]
    table: dict[tuple[int, ...], Costs] = {}
    for some_kinds in product(*(dict.fromkeys(alike[other].values()) for other in rest)):
        at = dict(zip(rest, some_kinds, strict=True))
        costs = _total_costs(without, at)
        by_cost: defaultdict[int, int] = defaultdict(int)
        for kind, bits in firsts.items():
            at[first] = kind
            by_cost[_least_cost(_total_costs(with_first, at, costs))] |= bits
        table[some_kinds] = tuple(by_cost[cost] for cost in range(max(by_cost) + 1))
    return _CostTerm(
        tuple(rest), lambda some: table[tuple(alike[other][kind] for other, kind in zip(rest, some, strict=True))]
    )


def _equivalent_kinds(other: Cell, given: Iterable[_CostTerm], kinds: Iterable[int]) -> dict[int, int]:
    """Map each kind of a neighbour to the first kind with the same effect on the card."""
    own = [some for some in given if some.others == (other,)]
    shared = any(len(some.others) > 1 and other in some.others for some in given)
    first: dict[object, int] = {}
    return {
        kind: first.setdefault(kind if shared else tuple(some.costs((kind,)) for some in own), kind) for kind in kinds
    }


def _total_costs(given: Iterable[_CostTerm], kinds: Mapping[Cell, int], costs: Costs = (-1,)) -> Costs:
    """Return all costs of a card, if the others are of these kinds."""
    for some in given:
        costs = _add_costs(costs, some.at(kinds))
    return costs


def _add_costs(one: Costs, other: Costs) -> Costs:
    """Return the sums of two costs of the same kinds."""
    summed = [0] * (len(one) + len(other) - 1)
    for cost, bits in enumerate(one):
        for more, others in enumerate(other):
            summed[cost + more] |= bits & others
    return tuple(summed)


def _least_cost(costs: Costs) -> int:
    """Return the least cost of any kind."""
    return next(cost for cost, bits in enumerate(costs) if bits)
