"""What the event loop does for a frame or request, counted in steps, and hostile texts for every field of a type."""

import json
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Self

import msgspec
from msgspec import inspect

SHAPES = {
    "blanks": (" ", "!"),
    "dashes": ("-", ""),
    "digits": ("1", ""),
    "commas": (",", ""),
    "brackets": ("([{", ""),
    "quotes": ('"', ""),
    "marks": ("\u0301\u0327", ""),
    "lines": ("\n", "!"),
    "letters": ("ж ", ""),
    "json": ('[{"a":', ""),
}
"""Texts that are slow to read for naive code: what is repeated, and the end."""
SHORT = "A"
Put = Callable[[str], Any]
Spot = tuple[str, Put, int | None]
"""A place for a text in a type: its path, the value with a text there, and the longest text in characters."""


class Steps:
    """Counts lines of Python that this thread runs, and calls of C, until the end of the block."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Self:
        self._before = sys.gettrace(), sys.getprofile()
        sys.setprofile(self._calls)
        sys.settrace(self._runs)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before[0])
        sys.setprofile(self._before[1])

    def _runs(self, frame: FrameType, event: str, arg: object) -> Any:
        self.count += 1
        return self._runs

    def _calls(self, frame: FrameType, event: str, arg: object) -> None:
        self.count += event == "c_call"


def hostile(shape: str, size: int, longest: int | None = None) -> str:
    """A text of this shape that takes about so many bytes in JSON, and has no more characters than `longest`."""
    part, end = SHAPES[shape]
    text = part * max(1, size // (len(json.dumps(part, ensure_ascii=False).encode()) - 2)) + end
    return text if longest is None else text[: longest - len(end)] + end


def spots(node: Any, path: str = "", seen: tuple[Any, ...] = ()) -> Iterator[Spot]:
    """All places for a text in a type (`msgspec.inspect`)."""
    match node:
        case inspect.StrType():
            yield path, str, node.max_length
        case inspect.AnyType() | inspect.RawType():
            yield path, str, None
        case inspect.UnionType():
            for one in node.types:
                yield from spots(one, path, seen)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            for inner, put, most in spots(node.item_type, f"{path}[]", seen):
                yield inner, _item(put), most
        case inspect.DictType():
            yield f"{path}{{}}", lambda text: {text: sample(node.value_type)}, None
            for inner, put, most in spots(node.value_type, f"{path}{{}}=", seen):
                yield inner, field_of({}, sample(node.key_type), put), most
        case inspect.StructType() if node.cls not in seen:
            for field in node.fields:
                name = field.encode_name
                for inner, put, most in spots(field.type, f"{path}.{name}", (*seen, node.cls)):
                    yield inner, field_of(sample(node), name, put), most


def field_of(around: dict[str, Any], name: str, put: Put) -> Put:
    """A field of an object with others."""
    return lambda text: {**around, name: put(text)}


def _item(put: Put) -> Put:
    return lambda text: [put(text)]


def _place(around: list[Any], place: int, put: Put) -> Put:
    return lambda text: [*around[:place], put(text), *around[place + 1 :]]


def sample(node: Any) -> Any:
    """The least value of a type."""
    match node:
        case inspect.StrType(pattern=str() as pattern):
            return "0" * (64 if "{64}" in pattern else 22)
        case inspect.StrType() | inspect.AnyType() | inspect.RawType():
            return SHORT
        case inspect.IntType() | inspect.FloatType():
            return node.ge if node.ge is not None else (node.gt or 0) + 1
        case inspect.BoolType():
            return False
        case inspect.LiteralType():
            return node.values[0]
        case inspect.EnumType():
            return next(iter(node.cls)).value
        case inspect.NoneType():
            return None
        case inspect.UnionType():
            return sample(next((one for one in node.types if isinstance(one, inspect.NoneType)), node.types[0]))
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return [sample(node.item_type)] * (node.min_length or 0)
        case inspect.DictType():
            return {}
        case inspect.StructType():
            tag = {} if node.tag_field is None else {node.tag_field: node.tag}
            return tag | {one.encode_name: sample(one.type) for one in node.fields if one.required}
    raise AssertionError(f"the test has no value of {node}")


def leaves(value: Any, path: str = "") -> Iterator[Spot]:
    """All texts of plain data, its keys apart."""
    if isinstance(value, str):
        yield path, str, None
    elif isinstance(value, dict):
        for name, one in value.items():
            for inner, put, most in leaves(one, f"{path}.{name}"):
                yield inner, field_of(value, name, put), most
    elif isinstance(value, list):
        for place, one in enumerate(value):
            for inner, put, most in leaves(one, f"{path}[{place}]"):
                yield inner, _place(value, place, put), most


def type_of(kind: Any) -> Any:
    """A type as `spots` reads it."""
    return inspect.type_info(kind)


def nested(room: int) -> Iterator[tuple[str, bytes]]:
    """JSON values other than texts that fill about so many bytes."""
    yield "deep", b"[" * (room // 2) + b"]" * (room // 2)
    yield "deep objects", b'{"a":' * (room // 6) + b"1" + b"}" * (room // 6)
    yield "many", b"[" + b"[]," * (room // 3) + b"1]"
    yield "many texts", b"[" + b'"A",' * (room // 4) + b'"A"]'
    yield "many keys", b"{" + b",".join(b'"%x":0' % number for number in range(room // 9)) + b"}"
    yield "digits", b"1" * room


def encoded(value: Any) -> bytes:
    """JSON, with letters of other alphabets as themselves."""
    return msgspec.json.encode(value)
