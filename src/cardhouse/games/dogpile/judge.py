"""The judge: is a layout one unbroken shape, and every contact in it legal? (DG-10 to DG-14, DG-21)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from cardhouse.cards import Card, Cell, Placed, around
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import Contact, Direction, DogDeck, Value, bits_of

Layout = Mapping[Cell, Card]
"""Which card lies where."""


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
    as_: Card | dict[str, Value]


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
        raise CardhouseError("There is nothing to judge: no card lies there.")
    may_be = deck.may_be
    try:
        stands = {cell: may_be[card] for cell, card in layout.items()}
    except KeyError as unknown:
        raise CardhouseError(f"There is no card {unknown.args[0]} in the deck {deck.name}.") from None
    wild = {cell: bits for cell, bits in stands.items() if bits & bits - 1}
    kinds = {cell: bits.bit_length() - 1 for cell, bits in stands.items()}
    kinds.update(settle(wild, kinds, deck))
    pieces = len(pieces_of(layout))
    illegal = list(_illegal(kinds, deck))
    jokers = [Stands(x, y, deck.card_of(kinds[x, y])) for x, y in sorted(wild)]
    return Verdict(pieces == 1 and not illegal, pieces, illegal, jokers)


def layout_of(placed: Iterable[Placed]) -> dict[Cell, Card]:
    """The layout of placed cards.

    Raises CardhouseError if two lie on one cell, or one lies there twice.
    """
    layout: dict[Cell, Card] = {}
    where: dict[Card, Cell] = {}
    for card, x, y in ((one.card, one.x, one.y) for one in placed):
        if (x, y) in layout:
            raise CardhouseError(f"Two cards lie on the cell ({x}, {y}): {layout[x, y]} and {card}.")
        if card in where:
            raise CardhouseError(f"{card} lies there twice, on ({where[card][0]}, {where[card][1]}) and ({x}, {y}).")
        layout[x, y], where[card] = card, (x, y)
    return layout


def pieces_of(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The unbroken shapes that these cells form, under contact at left, right, above and below (DG-10)."""
    left = set(cells)
    pieces = []
    while left:
        piece = [left.pop()]
        for cell in piece:  # it grows while it is gone through
            for touching in around(cell):
                if touching in left:
                    left.discard(touching)
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
    broken = [
        _compared(rule, *(deck.kinds[kind][deck.matters.index(rule.attribute)] for kind in (one, other)))
        for rule in _broken(direction, deck, one, other)
    ]
    where = "Side by side" if beside else "One above the other"
    if direction.any and len(broken) > 1:
        return f"{where}, one of these must hold: {'; '.join(broken)}."
    return f"{where}, {', and '.join(broken)}."


def _broken(direction: Direction, deck: DogDeck, one: int, other: int) -> list[Contact]:
    def holds(rule: Contact) -> bool:
        place = deck.matters.index(rule.attribute)
        return rule.holds(deck.kinds[one][place], deck.kinds[other][place])

    return [rule for rule in direction.rules if not holds(rule)]


def _compared(rule: Contact, one: Value, other: Value) -> str:
    if rule.equal:
        return f"the {rule.attribute} must be the same ({one} and {other} are not)"
    if rule.different:
        return f"the {rule.attribute} must not be the same (both are {one})"
    how = f"{rule.at_most} at most" if rule.at_most is not None else f"exactly {rule.differs_by}"
    return f"the {rule.attribute} must differ by {how} ({one} and {other} don't)"


# What wild cards stand for (DG-14).


class _Wild(NamedTuple):
    """A wild card: the kinds it may be by how many contacts with plain cards each spoils, fewest first."""

    cell: Cell
    by_cost: tuple[int, ...]


def settle(wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> dict[Cell, int]:
    """What each wild card stands for, so that as few contacts as possible are illegal (DG-14).

    `wild` are the cells with wild cards and the kinds each may be, `kinds` the kinds of all others.
    """
    if not wild:
        return {}
    found: dict[Cell, int] = {}
    for group in pieces_of(wild):
        cards = [_Wild(cell, _by_cost(cell, wild, kinds, deck)) for cell in sorted(group)]
        found.update(_Search(cards, deck).best())
    return found


def _by_cost(cell: Cell, wild: Mapping[Cell, int], kinds: Mapping[Cell, int], deck: DogDeck) -> tuple[int, ...]:
    """The kinds a wild card may be, as bits, by the number of its plain neighbours that each doesn't fit."""
    by_cost = [wild[cell], 0, 0, 0, 0]
    for neighbour in around(cell):
        if neighbour in kinds and neighbour not in wild:
            fitting = deck.fits(beside=neighbour[1] == cell[1])[kinds[neighbour]]
            for cost in (4, 3, 2, 1):
                by_cost[cost] = by_cost[cost] & fitting | by_cost[cost - 1] & ~fitting
            by_cost[0] &= fitting
    return tuple(by_cost)


class _Search:
    """Values for wild cards that touch each other, with the fewest illegal contacts; all of them are gone through."""

    def __init__(self, cards: Sequence[_Wild], deck: DogDeck) -> None:
        self._cells = [card.cell for card in cards]
        self._deck = deck
        place = {cell: number for number, cell in enumerate(self._cells)}
        self._later: list[list[tuple[int, Sequence[int]]]] = [[] for _ in cards]
        """For each card, those after it that it touches, and what fits there."""
        for a, b, beside in contacts(self._cells, place):
            first, second = sorted((place[a], place[b]))
            self._later[first].append((second, deck.fits(beside=beside)))
        self._start = [card.by_cost for card in cards]

    def best(self) -> dict[Cell, int]:
        """The values, the first of those that are equally good."""
        least = sum(_cheapest(by_cost) for by_cost in self._start)
        for most in range(least, 4 * len(self._cells) + 1):
            if (found := self._within(0, self._start, most)) is not None:
                return dict(zip(self._cells, found, strict=True))
        raise AssertionError("every contact may be illegal, so something is found")

    def _within(self, place: int, costs: list[tuple[int, ...]], most: int) -> list[int] | None:
        """Values for the cards from this place on that spoil so many contacts at most."""
        if place == len(self._cells):
            return []
        rest = sum(map(_cheapest, costs[place + 1 :]))
        tried: set[tuple[int, ...]] = set()
        for cost, bits in enumerate(costs[place]):
            if cost + rest > most:
                return None
            for kind in bits_of(bits):
                fitting = tuple(fits[kind] & _all(costs[other]) for other, fits in self._later[place])
                if (*fitting, cost) in tried:
                    continue  # to the cards still to come it is as another that was tried
                tried.add((*fitting, cost))
                after = list(costs)
                for (other, _), fits in zip(self._later[place], fitting, strict=True):
                    after[other] = _with_one_more(costs[other], fits)
                if (found := self._within(place + 1, after, most - cost)) is not None:
                    return [kind, *found]
        return None


def _all(by_cost: tuple[int, ...]) -> int:
    bits = 0
    for some in by_cost:
        bits |= some
    return bits


def _cheapest(by_cost: tuple[int, ...]) -> int:
    """The least that a card spoils."""
    return next(cost for cost, bits in enumerate(by_cost) if bits)


def _with_one_more(by_cost: tuple[int, ...], fits: int) -> tuple[int, ...]:
    """The costs once one more neighbour is known, which these kinds fit."""
    keeps = [bits & fits for bits in (*by_cost, 0)]
    spoils = [bits & ~fits for bits in (0, *by_cost)]
    return tuple(one | other for one, other in zip(keeps, spoils, strict=True))
