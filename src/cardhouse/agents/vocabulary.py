"""The numbers of a default scene: an answer is spelled out, first its action and then its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec
from msgspec.inspect import BoolType, EnumType, Field, IntType, LiteralType, NoneType, StructType, Type, type_info

from cardhouse.cards import STANDARD, Card, Deck, in_order
from cardhouse.engine import Game, catalogue_of

NUMBERS = range(-12, 31)
"""Integers that have a number of their own."""
TEXTS = tuple("ABCDEFGH")
"""The texts that agents can write where one is asked for."""
CHOICES = 16
"""The values of one field without numbers of their own that can be distinguished."""


class Mark(Enum):
    """A meaning that isn't a value."""

    DONE = "(done)"
    LEFT_OUT = "(left out)"
    LEAST = "(least)"
    HALFWAY = "(halfway)"
    MOST = "(most)"


class Choice(NamedTuple):
    """The value at this place among those without numbers of their own."""

    place: int


class Word(NamedTuple):
    """The `do` of an action."""

    do: str


class RangePosition(NamedTuple):
    """An integer without a number of its own, given by its position in its range."""

    mark: Mark
    value: int


class Vocabulary:
    """The meanings of all numbers in one setting of a game, the same for every player at any time.

    The actions come first, then the possible values of fields: yes and no, cards, seats, plain values, texts, integers,
    and the marks. Meanings that the types of the game's actions can't use are left out.
    """

    def __init__(self, game: Game) -> None:
        """Collect the meanings for a game at its beginning, with these seats and decks."""
        self.strings = tuple(dict.fromkeys([*cards_of(game), *game.seats, *_values(type(game)), *TEXTS]))
        """The known texts: cards, seats, the values of fields, and what agents write."""
        kinds = list(_field_types(type(game)))
        meanings: list[Any] = [Word(action.word()) for action in type(game).actions]
        meanings += _meanings(kinds, self.strings)
        self.meanings = tuple(dict.fromkeys(map(_keyed, meanings)))
        self._numbers = {meaning: number for number, meaning in enumerate(self.meanings)}
        self.words = tuple(_called([value for _, value in self.meanings]))

    def number(self, meaning: Any) -> int | None:
        """Return the number of a word, a value or a mark; None if it has none."""
        try:
            return self._numbers.get(_keyed(meaning))
        except TypeError:  # a list or an object
            return None

    def number_all(self, values: Sequence[Any]) -> dict[int, Any]:
        """Return the values of one field by number; those without one get numbers by their place, while these last."""
        found: dict[int, Any] = {}
        others: list[Any] = []
        for value in values:
            number = self.number(value.mark if isinstance(value, RangePosition) else value)
            if number is not None:
                found[number] = value.value if isinstance(value, RangePosition) else value
            elif value not in others:
                others.append(value)
        for place, value in enumerate(others[:CHOICES]):
            number = self.number(Choice(place))
            if number is not None:
                found[number] = value
        return found


def cards_of(game: Game) -> list[Card]:
    """Return the cards in the decks of a game and its parts; the standard ones if there are none yet."""
    games = [game, *(getattr(game, part) for part in game.parts)]
    held = [getattr(one, attribute, None) for one in games for attribute in one.decks.values()]
    cards = {card for deck in held if isinstance(deck, Deck) for card in deck.cards()}
    return in_order(cards or STANDARD)


def parts_of(kind: Type) -> Iterator[Type]:
    """Yield a type and all its inner types."""
    yield kind
    for name in ("item_type", "key_type", "value_type", "type"):
        if isinstance(inner := getattr(kind, name, None), Type):
            yield from parts_of(inner)
    for inner in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
        yield from parts_of(inner)


def _fields(game: type[Game]) -> Iterator[Field]:
    """Yield the fields of a game's actions."""
    for action in game.actions:
        info = type_info(action)
        assert isinstance(info, StructType)
        yield from info.fields


def _field_types(game: type[Game]) -> Iterator[Type]:
    """Yield the types of the fields of a game's actions; a NoneType for an optional one."""
    for field in _fields(game):
        yield from parts_of(field.type)
        if not field.required:
            yield NoneType()


def _values(game: type[Game]) -> Iterator[str]:
    """Yield the texts that the types of a game's actions list, and those that its words have as values."""
    for field in _fields(game):
        for kind in parts_of(field.type):
            yield from (value for value in _listed(kind) if isinstance(value, str))
        named = (key.partition(".") for key in catalogue_of(game).words.values)
        yield from (value for name, _, value in named if name == field.encode_name)


def _meanings(kinds: Sequence[Type], strings: Sequence[str]) -> Iterator[Any]:
    """Yield the meanings that fields of these types need."""
    if any(isinstance(kind, BoolType) for kind in kinds):
        yield from (True, False)
    for kind in kinds:
        yield from _listed(kind)
    others = [kind for kind in kinds if not isinstance(kind, BoolType | NoneType | LiteralType | EnumType)]
    if any(not isinstance(kind, IntType) for kind in others):
        yield from (*strings, Mark.DONE)
    if others:
        yield from (*NUMBERS, Mark.LEAST, Mark.HALFWAY, Mark.MOST, *map(Choice, range(CHOICES)))
    if any(isinstance(kind, NoneType) for kind in kinds):
        yield from (None, Mark.LEFT_OUT)


def _listed(kind: Type) -> Iterator[Any]:
    """Yield the values of a type that lists them all."""
    if isinstance(kind, LiteralType):
        yield from kind.values
    elif isinstance(kind, EnumType):
        yield from (one.value for one in kind.cls)


def _keyed(meaning: Any) -> tuple[str, Any]:
    """Return a key that distinguishes 1, True and "1"."""
    hash(meaning)
    return type(meaning).__name__, meaning


def _called(meanings: Sequence[Any]) -> Iterator[str]:
    """Yield a unique name for each meaning, adding quotation marks to one that is already taken."""
    given: set[str] = set()
    for meaning in meanings:
        word = _name(meaning)
        while word in given:
            word = f'"{word}"'
        given.add(word)
        yield word


def _name(meaning: Any) -> str:
    if isinstance(meaning, Word):
        return meaning.do
    if isinstance(meaning, Choice):
        return f"(choice {meaning.place + 1})"
    if isinstance(meaning, Mark):
        return str(meaning.value)
    return meaning if isinstance(meaning, str) else msgspec.json.encode(meaning).decode()


Options = Mapping[int, Any]
"""The open numbers, with the meaning of each."""
