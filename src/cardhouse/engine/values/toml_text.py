"""Plain data as the text of a TOML file; `tomllib` reads the same data from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_toml(data: Mapping[str, Any]) -> str:
    """Return data as TOML: plain fields first, then a section for each table, one field a line, inner tables inline.

    TOML has no null, so None is left out. Raises TypeError for anything but plain data.
    """
    tables = {key: it for key, it in data.items() if isinstance(it, Mapping)}
    plain = [line for key, it in data.items() if key not in tables for line in _field(key, it)]
    sections = ["\n".join([f"[{_key(key)}]", *_fields(table)]) for key, table in tables.items()]
    return "\n\n".join(["\n".join(plain), *sections] if plain else sections) + "\n"


def _fields(table: Mapping[str, Any]) -> Iterator[str]:
    for key, it in table.items():
        yield from _field(key, it)


def _field(key: str, value: Any) -> Iterator[str]:
    if value is not None:
        yield f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        fields = ", ".join(_fields(value))
        return f"{{ {fields} }}" if fields else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value if one is not None)}]"
    raise TypeError(f"{type(value).__name__} is not plain data")


def _text(text: str) -> str:
    """Quote a text as in JSON, whose escapes TOML shares; only U+007F needs one more."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
