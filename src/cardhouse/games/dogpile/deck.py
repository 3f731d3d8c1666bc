"""A deck for Dogpile as data: its cards, what may touch what, and the values that a wild card may take (DG-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Annotated

import msgspec

from cardhouse.cards import Card

Value = int | str
"""What a card has of an attribute: a number or a word."""

Held = Value | tuple[Value, ...]
"""What a card has of an attribute where it may be several things at once: one value, or some that are all different."""

Kind = tuple[Held, ...]
"""What a card has of each attribute that contacts depend on, in the order of `DogDeck.matters`."""


NOT_ATTRIBUTES = ("name", "text", "wild")
"""What a card's line may say of it, beside its attributes."""

Word = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Apart = Annotated[int, msgspec.Meta(ge=0, le=1000)]


def all_of(held: Held) -> tuple[Value, ...]:
    """Every value that is meant."""
    return held if isinstance(held, tuple) else (held,)


def said(held: Held) -> str:
    """It in words: `7`, `bones/balls`."""
    return "/".join(map(str, all_of(held)))


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule of contact: how the values that two touching cards have of an attribute must compare; one of the four."""

    attribute: Word
    differs_by: Apart | None = None
    at_most: Apart | None = None
    equal: bool = False
    different: bool = False

    def holds(self, one: Held, other: Held) -> bool:
        """Whether two cards with these values may touch, by this rule (DG-20).

        Of a card that has several any one will do, another at each contact; they are different if none is the same.
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
    """The rules for contact in one direction: all of them must hold, or any one of them."""

    all: Annotated[tuple[Contact, ...], msgspec.Meta(max_length=8)] = ()
    any: Annotated[tuple[Contact, ...], msgspec.Meta(max_length=8)] = ()

    @property
    def rules(self) -> tuple[Contact, ...]:
        """The rules, whichever way they are meant."""
        return self.all or self.any


class DeckCard(msgspec.Struct, frozen=True):
    """A card of a deck: its id, what it is called, what stands on it, and what it has of each attribute.

    One that is `wild` is free in the attributes it has nothing of. Of an attribute it may have several values: it is
    all of them at once, as no wild card is.
    """

    id: Card
    name: str
    values: dict[str, Held] = {}
    wild: bool = False
    text: str = ""


class DogDeck(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A deck: its cards by id, in its own order, and the rules for contact (DG-11, DG-12).

    `beside` is for cards that touch left and right, `above` for cards that touch above and below. A card is taken for
    the set of all kinds it may be, as the bits of a number: one bit for a plain card, many for a wild one. A deck is
    equal to itself only, so that what is worked out of it can be remembered by it.
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
        """The values that the deck has of each attribute, in the order in which the deck comes to them (DG-14)."""
        found: dict[str, dict[Value, None]] = {}
        for card in self.cards.values():
            for attribute, held in card.values.items():
                found.setdefault(attribute, {}).update(dict.fromkeys(all_of(held)))
        return {attribute: tuple(values) for attribute, values in found.items()}

    @cached_property
    def jokers(self) -> tuple[Card, ...]:
        """The cards that are wild in everything that matters, in the deck's order (DG-1)."""
        return tuple(
            card.id
            for card in self.cards.values()
            if card.wild and not any(attribute in card.values for attribute in self.matters)
        )

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds that a card of this deck may be; those of plain cards first, in the deck's order."""
        found: dict[Kind, None] = {}
        for card in sorted(self.cards.values(), key=lambda card: card.wild):
            found.update(dict.fromkeys(self._kinds_of(card)))
        return tuple(found)

    def choices(self, card: DeckCard) -> list[tuple[Held, ...]]:
        """What a card may be, for each attribute that matters: only its own if it has any, else one value (DG-20)."""
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
        """The kinds each card may be, as bits: bit *n* is `kinds[n]`."""
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
        """What a wild card stands for, by the kind's number: a card of the deck that is just so, or else its values."""
        return self._card_of.get(kind) or dict(zip(self.matters, self.kinds[kind], strict=True))

    @cached_property
    def fits_beside(self) -> Sequence[int]:
        """For each kind, by number, the kinds that may touch it left and right, as bits."""
        return _Fitting(self, self.beside)

    @cached_property
    def fits_above(self) -> Sequence[int]:
        """For each kind, by number, the kinds that may touch it above and below, as bits."""
        return _Fitting(self, self.above)

    def fits(self, *, beside: bool) -> Sequence[int]:
        """For each kind, what may touch it in this direction, as bits."""
        return self.fits_beside if beside else self.fits_above

    def partners(self, *, beside: bool) -> dict[Card, int]:
        """How many others each card may touch in this direction; a wild one may be whatever it can."""
        fits = self.fits(beside=beside)
        found = {}
        for card, bits in self.may_be.items():
            reach = 0
            for kind in bits_of(bits):
                reach |= fits[kind]
            found[card] = sum(1 for other, kinds in self.may_be.items() if other != card and kinds & reach)
        return found


class _Fitting(Sequence[int]):
    """What fits to each kind, worked out when it is first asked for."""

    def __init__(self, deck: DogDeck, direction: Direction) -> None:
        self._deck = deck
        self._direction = direction
        self._found: dict[int, int] = {}
        self._having: dict[tuple[int, Held], int] = {}
        """Which kinds have each value, by the attribute's place."""
        for number, kind in enumerate(deck.kinds):
            for place, value in enumerate(kind):
                self._having[place, value] = self._having.get((place, value), 0) | 1 << number

    def __len__(self) -> int:
        return len(self._deck.kinds)

    def __getitem__(self, kind: int) -> int:  # type: ignore[override]
        if kind not in self._found:
            self._found[kind] = self._work_out(self._deck.kinds[kind])
        return self._found[kind]

    def _work_out(self, kind: Kind) -> int:
        fitting = [self._by(rule, kind) for rule in self._direction.rules]
        found = fitting[0]
        for bits in fitting[1:]:
            found = found & bits if self._direction.all else found | bits
        return found

    def _by(self, rule: Contact, kind: Kind) -> int:
        place = self._deck.matters.index(rule.attribute)
        return sum(
            bits for (where, value), bits in self._having.items() if where == place and rule.holds(kind[place], value)
        )


def bits_of(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _held(value: object) -> Held:
    """What a deck file has for an attribute: a value, or a list of them."""
    some = msgspec.convert(value, Value | tuple[Value, ...])
    return some[0] if isinstance(some, tuple) and len(some) == 1 else some  # type: ignore[no-any-return]


def deck_from(data: Mapping[str, object]) -> DogDeck:
    """A deck from the data of a deck file that has been checked."""
    cards = {}
    for card_id, said in msgspec.convert(data["cards"], dict[str, dict[str, object]]).items():
        values = {key: value for key, value in said.items() if key not in NOT_ATTRIBUTES}
        cards[card_id] = DeckCard(
            card_id,
            str(said.get("name", card_id)),
            {name: _held(value) for name, value in values.items()},
            bool(said.get("wild", False)),
            str(said.get("text", "")),
        )
    return DogDeck(
        str(data["name"]),
        cards,
        msgspec.convert(data["beside"], Direction),
        msgspec.convert(data["above"], Direction),
        str(data.get("text", "")),
    )
