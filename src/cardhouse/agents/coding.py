"""Any view as a fixed row of numbers, according to its declared types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec
from msgspec.inspect import (
    BoolType,
    DictType,
    EnumType,
    FloatType,
    FrozenSetType,
    IntType,
    ListType,
    LiteralType,
    NoneType,
    SetType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from cardhouse.agents.numbers import Layout, NumberBlock, Numbers

MOST = 1000
"""The largest number in a row; larger ones are clipped."""
OTHERS = 8
"""The number of hash buckets for unknown texts."""
ROOM = 10_000
"""The longest row; with nested lists, fewer of their items are included."""
_LENGTHS = (16, 12, 8, 6, 4, 3, 2, 1)
_DEPTH = 5
"""The depth below which values are hashed."""
_LISTS = (ListType, SetType, FrozenSetType, VarTupleType)


class Code:
    """The encoding of values of one type into the blocks of a row."""

    pieces: tuple[NumberBlock, ...] = ()

    def __init__(self, name: str) -> None:
        self.name = name

    def all_pieces(self) -> Iterator[NumberBlock]:
        """Yield its own blocks, and those of its parts."""
        yield from self.pieces

    def put(self, numbers: Numbers, value: Any) -> None:
        """Write a value, given as plain data."""


class NumberCode(Code):
    """The absolute value of a number, rounded down, and whether it is negative."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.pieces = (NumberBlock(name, (2,), MOST),)

    def put(self, numbers: Numbers, value: Any) -> None:
        numbers.put(self.name, abs(int(value)), int(value < 0))


class WordCode(Code):
    """One of these values, or one of `others` hash buckets for the rest."""

    def __init__(self, name: str, values: Sequence[Any], others: int = 0) -> None:
        super().__init__(name)
        self.places = {value: place for place, value in enumerate(values)}
        self.others = others
        self.pieces = (NumberBlock(name, (len(values) + others,)),)

    def place(self, value: Any) -> int:
        """Return the index of a value."""
        known = self.places.get(value)
        return len(self.places) + _hashed(value, self.others) if known is None else known

    def put(self, numbers: Numbers, value: Any) -> None:
        numbers.put(self.name, 1, self.place(value))


class WordsCode(Code):
    """A list of such values: its length, and the place of each value's first occurrence, counted from 1."""

    def __init__(self, name: str, word: WordCode) -> None:
        super().__init__(name)
        self.word = word
        self.length = f"{name}.length"
        self.pieces = (NumberBlock(self.length, (1,), MOST), NumberBlock(name, word.pieces[0].shape, MOST))

    def put(self, numbers: Numbers, value: Any) -> None:
        numbers.put(self.length, len(value))
        for place, one in reversed(list(enumerate(value, start=1))):
            numbers.put(self.name, place, self.word.place(one))


class PartsCode(Code):
    """An object whose fields each have their own code."""

    def __init__(self, name: str, parts: Mapping[Any, Code]) -> None:
        super().__init__(name)
        self.parts = parts

    def all_pieces(self) -> Iterator[NumberBlock]:
        for part in self.parts.values():
            yield from part.all_pieces()

    def put(self, numbers: Numbers, value: Any) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in items:
            if key in self.parts:
                self.parts[key].put(numbers, one)


class ListCode(PartsCode):
    """A list: its length, and its first items, each with its own code."""

    def __init__(self, name: str, items: Sequence[Code]) -> None:
        super().__init__(name, dict(enumerate(items)))
        self.length = f"{name}.length"
        self.pieces = (NumberBlock(self.length, (1,), MOST),)

    def all_pieces(self) -> Iterator[NumberBlock]:
        yield from self.pieces
        yield from super().all_pieces()

    def put(self, numbers: Numbers, value: Any) -> None:
        listed = [list(item) for item in value.items()] if isinstance(value, dict) else value
        numbers.put(self.length, len(listed))
        super().put(numbers, listed)


class EitherCode(Code):
    """One of several types: which one, and its value."""

    def __init__(self, name: str, kinds: Sequence[tuple[Type, Code]]) -> None:
        super().__init__(name)
        self.kinds = kinds
        self.which = f"{name}.which"
        self.pieces = (NumberBlock(self.which, (len(kinds),)),)

    def all_pieces(self) -> Iterator[NumberBlock]:
        yield from self.pieces
        for _, code in self.kinds:
            yield from code.all_pieces()

    def put(self, numbers: Numbers, value: Any) -> None:
        for place, (kind, code) in enumerate(self.kinds):
            if _is_of(kind, value):
                numbers.put(self.which, 1, place)
                code.put(numbers, value)
                return


class HashCode(Code):
    """Any value: each plain value in it is hashed with its path, and added to one of `size` numbers."""

    def __init__(self, name: str, size: int = 64) -> None:
        super().__init__(name)
        self.size = size
        self.pieces = (NumberBlock(name, (size,), MOST),)

    def put(self, numbers: Numbers, value: Any) -> None:
        start = numbers.layout.starts[self.name]
        for path, one in _leaves(value, ""):
            is_number = type(one) in (int, float) and one > 0
            place = _hashed(path if is_number else f"{path}={one!r}", self.size)
            more = min(int(one), MOST) if is_number else 1
            numbers.put(self.name, numbers.row[start + place] + more, place)


class Coder:
    """A factory of codes for types; `strings` are the known texts."""

    def __init__(self, strings: Sequence[str], length: int) -> None:
        self.strings, self.length = strings, length

    def code(self, kind: Type, name: str, depth: int = 0) -> Code:
        """Return the code of a type; its blocks' names start with this name."""
        if depth > _DEPTH:
            return HashCode(name)
        if isinstance(kind, BoolType | LiteralType | EnumType | StrType):
            return self._word(kind, name)
        if isinstance(kind, IntType | FloatType):
            return NumberCode(name)
        if isinstance(kind, NoneType):
            return Code(name)
        return self._of_parts(kind, name, depth)

    def _of_parts(self, kind: Type, name: str, depth: int) -> Code:
        if isinstance(kind, StructType):
            fields = {field.encode_name: field.type for field in kind.fields}
            return PartsCode(name, {key: self.code(inner, f"{name}.{key}", depth + 1) for key, inner in fields.items()})
        if isinstance(kind, TupleType):
            inside = enumerate(kind.item_types)
            return PartsCode(name, {place: self.code(inner, f"{name}.{place}", depth + 1) for place, inner in inside})
        if isinstance(kind, UnionType):
            inner_kinds = enumerate(kind.types)
            return EitherCode(name, [(inner, self.code(inner, f"{name}.{n}", depth + 1)) for n, inner in inner_kinds])
        if isinstance(kind, DictType):
            return self._list(TupleType((kind.key_type, kind.value_type)), name, depth)
        if isinstance(kind, _LISTS):
            if isinstance(kind.item_type, StrType | LiteralType | EnumType):
                return WordsCode(name, self._word(kind.item_type, name))
            return self._list(kind.item_type, name, depth)
        return HashCode(name)

    def _word(self, kind: Type, name: str) -> WordCode:
        if isinstance(kind, LiteralType):
            return WordCode(name, kind.values, 1)
        if isinstance(kind, EnumType):
            return WordCode(name, [one.value for one in kind.cls], 1)
        return WordCode(name, (False, True)) if isinstance(kind, BoolType) else WordCode(name, self.strings, OTHERS)

    def _list(self, inner: Type, name: str, depth: int) -> ListCode:
        length = max(1, self.length >> depth // 2)
        return ListCode(name, [self.code(inner, f"{name}.{place}", depth + 1) for place in range(length)])


def code_of(view: type[msgspec.Struct], strings: Sequence[str], name: str) -> Code:
    """Return the code of a view, with the longest lists that fit the row."""
    kind = type_info(view)
    for length in _LENGTHS:
        code = Coder(strings, length).code(kind, name)
        if Layout(*code.all_pieces()).size <= ROOM:
            return code
    return HashCode(name, ROOM // 10)


def _is_of(kind: Type, value: Any) -> bool:
    """Return whether plain data can be of this type; types that look alike are not distinguished."""
    if isinstance(kind, StructType):
        tagged = kind.tag_field is None or (isinstance(value, dict) and value.get(kind.tag_field) == kind.tag)
        return tagged and isinstance(value, list if kind.array_like else dict)
    if isinstance(kind, LiteralType):
        return value in kind.values
    plain = {BoolType: bool, IntType: int, FloatType: float, StrType: str, NoneType: type(None), DictType: dict}
    return type(value) is plain.get(type(kind), list if isinstance(kind, (*_LISTS, TupleType)) else type(value))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the plain values in plain data, each with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        yield f"{path}#", len(value)
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{place}")
    else:
        yield path, value


def _hashed(value: Any, size: int) -> int:
    """Return a bucket below `size`, always the same for the same value."""
    return crc32(str(value).encode("utf-8", "replace")) % size
