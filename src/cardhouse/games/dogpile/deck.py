"""A deck for Dogpile as data: its cards, its contact rules, and the values that a wild card may take (DG-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Annotated

import msgspec

from cardhouse.cards import Card

Value = int | str
"""A card's value of an attribute: a number or a word."""

Held = Value | tuple[Value, ...]
"""A card's value of an attribute that may be several at once: one value, or several different ones."""

Kind = tuple[Held, ...]
"""A card's values of the attributes that contacts depend on, in the order of `DogDeck.matters`."""


NOT_ATTRIBUTES = ("name", "text", "wild")
"""The fields of a card that aren't attributes."""

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Apart = Annotated[int, msgspec.Meta(ge=0, le=1000)]


def all_of(held: Held) -> tuple[Value, ...]:
    """Return every value."""
    return held if isinstance(held, tuple) else (held,)


def in_words(held: Held) -> str:
    """Return the value in words: `7`, `bones/balls`."""
    return "/".join(map(str, all_of(held)))


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A contact rule: how the values of an attribute on two touching cards must compare, by one of the four fields."""

    attribute: Word
    differs_by: Apart | None = None
    at_most: Apart | None = None
    equal: bool = False
    different: bool = False

    def holds(self, one: Held, other: Held) -> bool:
        """Return whether two cards with these values may touch by this rule (DG-20).

        With several values any pair may satisfy it, a different one at each contact. `different` requires that no value
        is shared.
        """
        if self.different:
            return not any(mine == its for mine, its in product(all_of(one), all_of(other)))
        return any(self._compares(mine, its) for mine, its in product(all_of(one), all_of(other)))

    def _compares(self, one: Value, other: Value) -> bool:
        if self.equal:
            return one == other
        assert isinstance(one, int)
        assert isinstance(other, int)
        apart = abs(one - other)
        return apart == self.differs_by if self.at_most is None else apart <= self.at_most


class Direction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contact rules in one direction: all of them must hold, or any one of them."""

    all: Annotated[tuple[Contact, ...], msgspec.Meta(max_length=8)] = ()
    any: Annotated[tuple[Contact, ...], msgspec.Meta(max_length=8)] = ()

    @property
    def rules(self) -> tuple[Contact, ...]:
        """The rules, from the list that is used."""
        return self.all or self.any


class DeckCard(msgspec.Struct, frozen=True):
    """A card of a deck: its id, name, text, and values.

    A `wild` card is free in the attributes it leaves out. An attribute may have several values, which the card has all
    at once, unlike a wild card.
    """

    id: Card
    name: str
    values: dict[str, Held] = {}
    wild: bool = False
    text: str = ""


class DogDeck(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A deck: its cards by id, in its own order, and the contact rules (DG-11, DG-12).

    `beside` applies to cards left and right of each other, `above` to cards above and below. A card is represented by
    the set of kinds it may be, as a bit set: one bit for a plain card, many for a wild one. Decks compare by identity,
    so that results can be cached by deck.
    """

    name: str
    cards: dict[Card, DeckCard]
    beside: Direction
    above: Direction
    text: str = ""

    @cached_property
    def matters(self) -> tuple[str, ...]:
        """The attributes that contacts depend on."""
        return tuple(dict.fromkeys(rule.attribute for rule in (*self.beside.rules, *self.above.rules)))

    @cached_property
    def values(self) -> dict[str, tuple[Value, ...]]:
        """The deck's values of each attribute, in order of first appearance (DG-14)."""
        found: dict[str, dict[Value, None]] = {}
        for card in self.cards.values():
            for attribute, held in card.values.items():
                found.setdefault(attribute, {}).update(dict.fromkeys(all_of(held)))
        return {attribute: tuple(values) for attribute, values in found.items()}

    @cached_property
    def jokers(self) -> tuple[Card, ...]:
        """The cards that are wild in every attribute that matters, in the deck's order (DG-1)."""
        return tuple(
            card.id
            for card in self.cards.values()
            if card.wild and not any(attribute in card.values for attribute in self.matters)
        )

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds that a card of this deck may be, the plain cards' first, in the deck's order."""
        found: dict[Kind, None] = {}
        for card in sorted(self.cards.values(), key=lambda card: card.wild):
            found.update(dict.fromkeys(self._kinds_of(card)))
        return tuple(found)

    def choices(self, card: DeckCard) -> list[tuple[Held, ...]]:
        """Return a card's possible values of each attribute that matters: its own if it has any, else all (DG-20)."""
        return [
            (card.values[attribute],) if attribute in card.values else self.values.get(attribute, ())
            for attribute in self.matters
        ]

    def _kinds_of(self, card: DeckCard) -> Iterator[Kind]:
        return product(*self.choices(card))

    @cached_property
    def _number(self) -> dict[Kind, int]:
        return {kind: number for number, kind in enumerate(self.kinds)}

    @cached_property
    def may_be(self) -> dict[Card, int]:
        """The kinds each card may be, as a bit set: bit *n* is `kinds[n]`."""
        return {card.id: sum(1 << self._number[kind] for kind in self._kinds_of(card)) for card in self.cards.values()}

    @cached_property
    def _card_of(self) -> dict[int, Card]:
        """The first plain card of each kind."""
        found: dict[int, Card] = {}
        for card in self.cards.values():
            if not card.wild:
                found.setdefault(self.may_be[card.id].bit_length() - 1, card.id)
        return found

    def card_of(self, kind: int) -> Card | dict[str, Held]:
        """Return what a wild card stands for: a card of the deck of exactly this kind, or else its values."""
        return self._card_of.get(kind) or dict(zip(self.matters, self.kinds[kind], strict=True))

    @cached_property
    def fits_beside(self) -> Sequence[int]:
        """For each kind, by number, the kinds that may touch it left and right, as a bit set."""
        return _Fitting(self, self.beside)

    @cached_property
    def fits_above(self) -> Sequence[int]:
        """For each kind, by number, the kinds that may touch it above and below, as a bit set."""
        return _Fitting(self, self.above)

    def fits(self, *, beside: bool) -> Sequence[int]:
        """Return for each kind the kinds that may touch it in this direction, as a bit set."""
        return self.fits_beside if beside else self.fits_above

    def partners(self, *, beside: bool) -> dict[Card, int]:
        """Return the number of other cards each card may touch in this direction. A wild card counts all its kinds."""
        fits = self.fits(beside=beside)
        found = {}
        for card, bits in self.may_be.items():
            reach = 0
            for kind in bits_of(bits):
                reach |= fits[kind]
            found[card] = sum(1 for other, kinds in self.may_be.items() if other != card and kinds & reach)
        return found


class _Fitting(Sequence[int]):
    """The kinds that fit each kind, computed on first access."""

    def __init__(self, deck: DogDeck, direction: Direction) -> None:
        self._deck = deck
        self._direction = direction
        self._found: dict[int, int] = {}
        self._having: dict[tuple[int, Held], int] = {}
        """The kinds that have each value, by the attribute's index."""
        for number, kind in enumerate(deck.kinds):
            for place, value in enumerate(kind):
                self._having[place, value] = self._having.get((place, value), 0) | 1 << number

    def __len__(self) -> int:
        return len(self._deck.kinds)

    def __getitem__(self, kind: int) -> int:  # type: ignore[override]
        if kind not in self._found:
            self._found[kind] = self._compute(self._deck.kinds[kind])
        return self._found[kind]

    def _compute(self, kind: Kind) -> int:
        fitting = [self._fitting_by_rule(rule, kind) for rule in self._direction.rules]
        found = fitting[0]
        for bits in fitting[1:]:
            found = found & bits if self._direction.all else found | bits
        return found

    def _fitting_by_rule(self, rule: Contact, kind: Kind) -> int:
        place = self._deck.matters.index(rule.attribute)
        return sum(
            bits for (where, value), bits in self._having.items() if where == place and rule.holds(kind[place], value)
        )


def bits_of(bits: int) -> Iterator[int]:
    """Yield the numbers of the set bits, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _parse_value(value: object) -> Held:
    """Return an attribute's value in a deck file: one value, or a list."""
    some = msgspec.convert(value, Value | tuple[Value, ...])
    return some[0] if isinstance(some, tuple) and len(some) == 1 else some  # type: ignore[no-any-return]


def deck_from(data: Mapping[str, object]) -> DogDeck:
    """Return the deck of validated deck file data."""
    cards = {}
    for card_id, line in msgspec.convert(data["cards"], dict[str, dict[str, object]]).items():
        values = {key: value for key, value in line.items() if key not in NOT_ATTRIBUTES}
        cards[card_id] = DeckCard(
            card_id,
            str(line.get("name", card_id)),
            {name: _parse_value(value) for name, value in values.items()},
            bool(line.get("wild", False)),
            str(line.get("text", "")),
        )
    return DogDeck(
        str(data["name"]),
        cards,
        msgspec.convert(data["beside"], Direction),
        msgspec.convert(data["above"], Direction),
        str(data.get("text", "")),
    )
