"""The options of any game as settings of a question: numbers, switches, words and files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

import msgspec

from cardhouse.engine import catalogue_of, find_game

Field = tuple[str, Any, Any]
"""A field for `msgspec.defstruct`: its name, type and default."""


@cache
def options_of(game: str, taken: tuple[str, ...]) -> dict[str, str]:
    """Return the options of a game that can be settings, by the settings' names.

    A name that is taken gets a `_` appended.
    """
    names = [field.name for field in _options(game) if _is_plain(field.type)]
    return {f"{name}_" if name in taken else name: name for name in names}


def fields_of(game: str, taken: tuple[str, ...]) -> Iterator[Field]:
    """Yield these options as fields of a question, with the title from the game's words, and the default."""
    kind = find_game(game)
    usual, words = kind.read_options({}), catalogue_of(kind).words.options
    types = {field.name: field.type for field in _options(game)}
    for name, option in options_of(game, taken).items():
        text = words[option].title if option in words else option
        default = getattr(usual, option)
        meta = msgspec.Meta(description=f"{text[:1].lower()}{text[1:]}")
        annotated: Any = Annotated[types[option], meta]
        yield name, annotated, msgspec.field(default_factory=dict) if isinstance(default, dict) else default


def _options(game: str) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(type(find_game(game).read_options({})))


def _is_plain(kind: Any) -> bool:
    """Return whether a setting can have this type."""
    info: Any = msgspec.inspect.type_info(kind)
    schema: dict[str, Any] = {}
    if isinstance(info, msgspec.inspect.Metadata):
        info, schema = info.type, info.extra_json_schema or {}
    words = isinstance(info, msgspec.inspect.LiteralType) and all(isinstance(one, str | int) for one in info.values)
    plain = isinstance(info, msgspec.inspect.IntType | msgspec.inspect.BoolType) or words
    return plain or schema.get("format") == "file"
