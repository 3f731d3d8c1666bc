"""All reasons why data doesn't match a type, each with its place and in words for people.

The type consists of msgspec's structs, lists, tables, texts and single values; this module only words its constraints.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import inspect

from cardhouse.engine.values.fields import Text
from cardhouse.engine.values.toml_lines import Place


class Wrong(NamedTuple):
    """A mistake in the data: its place, and the end of a sentence that begins with its field."""

    place: Place
    problem: str

    @property
    def field(self) -> str:
        """The field's name for people: `C4.details[1].dice`."""
        steps = (f"[{step + 1}]" if isinstance(step, int) else f".{_bare(step)}" for step in self.place)
        return "".join(steps).removeprefix(".")

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        text = f"{self.field} {self.problem}"
        return text if text.endswith("?") else f"{text}."


def _bare(name: str) -> str:
    """Return a name as a key is written: plain if possible, otherwise in quotation marks."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name) else shown(name)


def unfit(value: Any, kind: inspect.Type, place: Place) -> Iterator[Wrong]:
    """Yield every reason why a value isn't of this type, given as `msgspec.inspect.type_info` describes it."""
    options = _options(kind)
    match options[0]:
        case inspect.StructType():
            yield from _unfit_struct(value, options[0], place)
        case inspect.VarTupleType():
            yield from _unfit_list(value, options[0], place)
        case inspect.DictType():
            yield from _unfit_table(value, options[0], place)
        case inspect.StrType(max_length=int(most), min_length=least):
            if problem := _unfit_text(value, least or 0, most):
                yield Wrong(place, problem)
        case inspect.AnyType():
            pass
        case _:
            if not any(fits(value, option) for option in options):
                yield Wrong(
                    place,
                    f"must be {' or '.join(map(_describe_type, options))}, not {shown(value)}{_near(value, options)}",
                )


def fits(value: Any, kind: inspect.Type) -> bool:
    """Return whether a single value is of this type."""
    match kind:
        case inspect.Metadata(type=inner):
            return fits(value, inner)
        case inspect.IntType(ge=int(least), le=int(most)):
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        case inspect.StrType(pattern=str(pattern)):
            return isinstance(value, str) and re.fullmatch(pattern, value) is not None
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.LiteralType(values=values):
            return isinstance(value, str) and value in values
        case inspect.BoolType():
            return isinstance(value, bool)
    raise TypeError(f"there are no words yet for a {kind}")


def must_be(value: Any, kind: Any) -> str | None:
    """Return in words what an invalid value of this type must be; None if there are no words for the type."""
    options = [_bare_of(option) for option in _options(_bare_of(inspect.type_info(kind)))]
    for option in options:
        whole = isinstance(option, inspect.IntType) and option.ge is not None and option.le is not None
        if not whole and not isinstance(option, (inspect.LiteralType, inspect.BoolType)):
            return None
    return f"must be {' or '.join(map(_describe_type, options))}, not {shown(value)}{_near(value, options)}"


def _bare_of(kind: inspect.Type) -> inspect.Type:
    """Return a type without its schema metadata."""
    return _bare_of(kind.type) if isinstance(kind, inspect.Metadata) else kind


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name most like this one; None if none is close."""
    known = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name[:40].lower(), known, 1)
    return known[near[0]] if near else None


def shown(value: Any) -> str:
    """Return a value in a few words."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value[:40])
            return f'"{shown}{"…" * (len(value) > 40)}"'
        case int() if abs(value) >= 10**12:
            return "a number that long"
        case int() | float():
            return str(value)
        case None:
            return "null"
        case Mapping():
            return "a table"
        case list():
            return "a list"
    return "a date or time"


def _options(kind: inspect.Type) -> list[inspect.Type]:
    """Return the types that a value may have, without None, which means leaving it out."""
    if not isinstance(kind, inspect.UnionType):
        return [kind]
    return [option for option in kind.types if not isinstance(option, inspect.NoneType)]


def _unfit_struct(value: Any, kind: inspect.StructType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, Mapping):
        yield Wrong(place, f"must be a table, in braces, not {shown(value)}")
        return
    fields = {field.encode_name: field for field in kind.fields}
    for name, item in value.items():
        if name in fields:
            yield from unfit(item, fields[name].type, (*place, name))
        else:
            yield Wrong((*place, name), f"is an unknown field; {did_you_mean(name, fields)}")
    for name, field in fields.items():
        if field.required and name not in value:
            yield Wrong((*place, name), "is missing")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: a suggestion, or the list of known names."""
    names = list(names)
    near = nearest(name, names)
    return f"did you mean {near}?" if near else f"there are {', '.join(names)}"


def _unfit_list(value: Any, kind: inspect.VarTupleType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, list):
        yield Wrong(place, f"must be a list, in brackets, not {shown(value)}")
        return
    if kind.max_length is not None and len(value) > kind.max_length:
        yield Wrong(place, f"may have {kind.max_length} entries at most; this has {len(value)}")
    words: set[str] = set()
    for number, item in enumerate(value):
        yield from unfit(item, kind.item_type, (*place, number))
        if isinstance(kind.item_type, inspect.LiteralType) and isinstance(item, str):
            if item in words:
                yield Wrong((*place, number), f"is {shown(item)} a second time; use each once")
            words.add(item)


def _unfit_table(value: Any, kind: inspect.DictType, place: Place) -> Iterator[Wrong]:
    if not isinstance(value, Mapping):
        yield Wrong(place, f"must be a table, in braces, not {shown(value)}")
        return
    for name, item in value.items():
        if fits(name, kind.key_type):
            yield from unfit(item, kind.value_type, (*place, name))
        else:
            near = _near(name, [kind.key_type])
            yield Wrong((*place, name), f"is unknown; it must be {_describe_type(kind.key_type)}{near}")


def _unfit_text(value: Any, least: int, most: int) -> str | None:
    """Return what is wrong with a one-line text of up to `most` characters; it may be empty only if `least` is 0."""
    if not isinstance(value, str):
        return f"must be a text, in quotation marks, not {shown(value)}"
    if not value and not least:
        return None
    return Text(most).wrong(value) if value.strip() else "is empty; it must say something"


def _describe_type(kind: inspect.Type) -> str:
    """Return the type of a single value in words."""
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(description)}):
            return description
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.LiteralType(values=[only]):
            return f'"{only}"'
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.StrType():
            return "a text, in quotation marks"
    return "true or false"


def _near(value: Any, options: Iterable[inspect.Type]) -> str:
    """Return a suggestion for a misspelt word, as the end of a sentence; "" if there is none."""
    words = [str(word) for option in options if isinstance(option, inspect.LiteralType) for word in option.values]
    near = nearest(value, words) if isinstance(value, str) else None
    return f"; did you mean {near}?" if near else ""
