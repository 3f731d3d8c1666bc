"""What may stand in a field of an answer: checked by the engine, drawn as a form by the page, sampled by tests."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

JsonSchema = dict[str, Any]


class Field(msgspec.Struct, frozen=True, gc=False):
    """The values a field may have."""

    def wrong(self, value: Any) -> str | None:
        """What is wrong with a value, as the end of a sentence that begins with the field's name; None if nothing."""
        raise NotImplementedError

    def schema(self) -> JsonSchema:
        """The same as a fragment of JSON Schema."""
        raise NotImplementedError


class OneOf(Field, frozen=True):
    """One of these values; `format` says what they are: `card`, `seat`, or plain text."""

    values: Sequence[Any]
    format: str | None = None

    def wrong(self, value: Any) -> str | None:
        if value in self.values:
            return None
        wrong = "is missing" if value is None else f"can't be {_shown(value)} here"
        return f"{wrong}; it may be {_listed(self.values)}"

    def schema(self) -> JsonSchema:
        schema: JsonSchema = {"const": self.values[0]} if len(self.values) == 1 else {"enum": list(self.values)}
        return schema if self.format is None else {**schema, "format": self.format}


class Text(Field, frozen=True):
    """A text somebody writes: one line, no blanks around it, `most` characters at most, none of `taken`."""

    most: int = 40
    taken: Sequence[str] = ()

    def wrong(self, value: Any) -> str | None:
        if value is None:
            return "is missing"
        if not isinstance(value, str):
            return f"must be a text, not {_shown(value)}"
        if not value or value != value.strip():
            return "must be a text with no blanks before or after it"
        if len(value) > self.most:
            return f"may have {self.most} characters at most; this has {len(value)}"
        if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in value):
            return "must be a single line without control characters"
        if value in self.taken:
            return f"can't be {_shown(value)}: that is taken"
        return None

    def schema(self) -> JsonSchema:
        schema: JsonSchema = {"type": "string", "minLength": 1, "maxLength": self.most}
        return {**schema, "not": {"enum": list(self.taken)}} if self.taken else schema


class Whole(Field, frozen=True):
    """A whole number from `least` to `most`, both included."""

    least: int
    most: int

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
    """From `least` to `most` different ones of these values, in an order of one's own."""

    values: Sequence[Any]
    least: int
    most: int
    format: str | None = None

    def wrong(self, value: Any) -> str | None:
        if not isinstance(value, (list, tuple)) or not self.least <= len(value) <= self.most:
            return f"must be a list of {self.least} to {self.most}"
        for item in value:
            if item not in self.values:
                return f"can't hold {_shown(item)}; it may hold {_listed(self.values)}"
        if len(set(value)) < len(value):
            return "can't hold the same one twice"
        return None

    def schema(self) -> JsonSchema:
        items = OneOf(self.values, self.format).schema()
        return {
            "type": "array",
            "items": items,
            "minItems": self.least,
            "maxItems": self.most,
            "uniqueItems": True,
        }


class Shape(Field, frozen=True):
    """An object of this type, as msgspec reads it; `example` is one."""

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
        return {"type": "object", "examples": [msgspec.to_builtins(self.example)]}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"{text[:40]}…" if len(text) > 40 else text


def _listed(values: Sequence[Any], most: int = 12) -> str:
    shown = ", ".join("nothing" if value is None else _shown(value) for value in values[:most])
    return f"{shown} and {len(values) - most} more" if len(values) > most else shown
