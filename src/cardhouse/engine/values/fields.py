"""The values that a field of an answer may have: checked by the engine, drawn as forms, sampled by tests."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from cardhouse.cards import Card, Cell, Placed, touches
from cardhouse.engine.values import names

JsonSchema = dict[str, Any]


class Field(msgspec.Struct, frozen=True, gc=False):
    """The values that a field may have."""

    def wrong(self, value: Any) -> str | None:
        """Return what is wrong with a value, as the end of a sentence that begins with the field's name.

        None if nothing.
        """
        raise NotImplementedError

    def meant(self, value: Any) -> Any:
        """Return the value that the sender means: names are matched by their appearance, and stored clean."""
        return value

    @property
    def is_empty(self) -> bool:
        """Whether no value is allowed."""
        return False

    def schema(self) -> JsonSchema:
        """Return the field as a fragment of JSON Schema."""
        raise NotImplementedError


class OneOf(Field, frozen=True):
    """One of these values. `format` is `card`, `seat` or None for plain text."""

    values: Sequence[Any]
    format: str | None = None

    @property
    def is_empty(self) -> bool:
        return not self.values

    def wrong(self, value: Any) -> str | None:
        if value in self.values:
            return None
        wrong = "is missing" if value is None else f"can't be {_shown(value)} here"
        return f"{wrong}; it may be {_listed(self.values)}"

    def meant(self, value: Any) -> Any:
        return value if self.format else _found(value, self.values)

    def schema(self) -> JsonSchema:
        schema: JsonSchema = {"const": self.values[0]} if len(self.values) == 1 else {"enum": list(self.values)}
        return schema if self.format is None else {**schema, "format": self.format}


_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_CONTROL_BUT_LINES = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FAR_TOO_LONG = 4
"""A text that is this many times as long as it may be isn't cleaned, which costs more than to refuse it."""


class Text(Field, frozen=True):
    """A text: one line, or several if `lines`, without surrounding blanks, up to `most` characters, none of `taken`."""

    most: int = 40
    taken: Sequence[str] = ()
    lines: bool = False

    def wrong(self, value: Any) -> str | None:
        if value is None:
            return "is missing"
        if not isinstance(value, str):
            return f"must be a text, not {_shown(value)}"
        if not value or value != value.strip():
            return "must be a text with no blanks before or after it"
        if len(value) > self.most:
            return f"may have {self.most} characters at most; this has {len(value)}"
        if (_CONTROL_BUT_LINES if self.lines else _CONTROL).search(value):
            return "must be a single line without control characters"
        if value in self.taken:
            return f"can't be {_shown(value)}: that is taken"
        return None

    def meant(self, value: Any) -> Any:
        if not isinstance(value, str) or len(value) > _FAR_TOO_LONG * self.most:
            return value
        return next(iter(names.twins(value, self.taken)), None) or names.clean(value)

    def schema(self) -> JsonSchema:
        schema: JsonSchema = {"type": "string", "minLength": 1, "maxLength": self.most}
        if self.lines:
            schema["format"] = "lines"
        return {**schema, "not": {"enum": list(self.taken)}} if self.taken else schema


class Whole(Field, frozen=True):
    """A whole number from `least` to `most`, both included."""

    least: int
    most: int

    @property
    def is_empty(self) -> bool:
        return self.least > self.most

    def wrong(self, value: Any) -> str | None:
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return None
        return f"must be a whole number from {self.least} to {self.most}, not {_shown(value)}"

    def schema(self) -> JsonSchema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class YesNo(Field, frozen=True):
    """True or false."""

    def wrong(self, value: Any) -> str | None:
        return None if isinstance(value, bool) else f"must be true or false, not {_shown(value)}"

    def schema(self) -> JsonSchema:
        return {"type": "boolean"}


class Several(Field, frozen=True):
    """From `least` to `most` different ones of these values, in any order."""

    values: Sequence[Any]
    least: int
    most: int
    format: str | None = None

    @property
    def is_empty(self) -> bool:
        return self.least > min(self.most, len(self.values))

    def wrong(self, value: Any) -> str | None:
        if not isinstance(value, (list, tuple)) or not self.least <= len(value) <= self.most:
            return f"must be a list of {self.least} to {self.most}"
        for item in value:
            if item not in self.values:
                return f"can't hold {_shown(item)}; it may hold {_listed(self.values)}"
        if len(set(value)) < len(value):
            return "can't hold the same one twice"
        return None

    def meant(self, value: Any) -> Any:
        if self.format or not isinstance(value, (list, tuple)):
            return value
        return type(value)(_found(item, self.values) for item in value)

    def schema(self) -> JsonSchema:
        items = OneOf(self.values, self.format).schema()
        return {
            "type": "array",
            "items": items,
            "minItems": self.least,
            "maxItems": self.most,
            "uniqueItems": True,
        }


class Laying(Field, frozen=True):
    """At least `least` of these cards, each laid on its own cell, none on one that is `taken`.

    Both coordinates of a cell go from `-reach` to `reach`. If `touching`, each card must lie next to one that is
    already there or laid before it. A value is a list of `Placed`.
    """

    cards: Sequence[Card]
    taken: Sequence[Cell]
    reach: int
    least: int = 0
    touching: bool = False

    @property
    def is_empty(self) -> bool:
        return self.least > len(self.cards)

    def wrong(self, value: Any) -> str | None:
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, Placed) for one in value):
            return 'must be a list of {"card": …, "x": …, "y": …}'
        if len(value) < self.least:
            return f"must be {self.least} at least"
        cells: set[Cell] = set(self.taken)
        laid: set[Card] = set()
        for one in value:
            if (problem := self._wrong_with(one, cells, laid)) is not None:
                return problem
            cells.add(one.cell)
            laid.add(one.card)
        return None

    def _wrong_with(self, one: Placed, cells: set[Cell], laid: set[Card]) -> str | None:
        """Return what is wrong with one card, given the cards before it in this answer."""
        if one.card not in self.cards:
            return f"can't hold {_shown(one.card)}, which is not in this hand; that is {_listed(self.cards)}"
        if one.card in laid:
            return f"can't hold {one.card} twice"
        if max(abs(one.x), abs(one.y)) > self.reach:
            return (
                f"can't lay {one.card} on ({_shown(one.x)}, {_shown(one.y)}): the grid goes from {-self.reach} "
                f"to {self.reach} in both directions"
            )
        if one.cell in cells:
            return f"can't lay {one.card} on ({one.x}, {one.y}): there is a card"
        if self.touching and not touches(one.cell, cells):
            return f"can't lay {one.card} on ({one.x}, {one.y}): it must touch a card that is already there"
        return None

    def schema(self) -> JsonSchema:
        number = Whole(-self.reach, self.reach).schema()
        return {
            "type": "array",
            "format": "laying",
            "items": {
                "type": "object",
                "properties": {"card": OneOf(tuple(self.cards), "card").schema(), "x": number, "y": number},
                "required": ["card", "x", "y"],
                "additionalProperties": False,
            },
            "minItems": self.least,
            "maxItems": len(self.cards),
            "taken": [list(cell) for cell in self.taken],
            "touching": self.touching,
        }


class Shape(Field, frozen=True):
    """An object or a list of this type, as msgspec reads it; `example` is one."""

    type: Any
    example: Any

    def wrong(self, value: Any) -> str | None:
        if value is None:
            return "is missing"
        try:
            msgspec.convert(msgspec.to_builtins(value), self.type)
        except msgspec.ValidationError as error:
            return f"doesn't fit: {error}"
        return None

    def schema(self) -> JsonSchema:
        example = msgspec.to_builtins(self.example)
        return {"type": "array" if isinstance(example, list) else "object", "examples": [example]}


def _found(value: Any, values: Sequence[Any]) -> Any:
    return (names.find(value, values) or value) if isinstance(value, str) else value


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"{text[:40]}…" if len(text) > 40 else text


def _listed(values: Sequence[Any], most: int = 12) -> str:
    shown = ", ".join("nothing" if value is None else _shown(value) for value in values[:most])
    return f"{shown} and {len(values) - most} more" if len(values) > most else shown
