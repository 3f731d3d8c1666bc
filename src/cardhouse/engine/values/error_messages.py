"""msgspec's validation errors in words for people."""

from __future__ import annotations

import re

import msgspec

_PLACE = re.compile(r"^(`key` in )?`\$\.?(.*)`$")
_FIELD_PROBLEMS = {"Object missing required": "is missing", "Object contains unknown": "is an unknown field"}
_KINDS = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}


def plainly(error: msgspec.ValidationError, whole: str = "the sheet") -> str:
    """Return a validation error as a sentence without its full stop, beginning with the field.

    `whole` is a name for the data as a whole.
    """
    head, _, place = str(error).rpartition(" - at ")
    at = _PLACE.match(place)
    path = re.sub(r"\[(\d+)\]", lambda index: f"[{int(index[1]) + 1}]", at[2]) if at else ""
    text = head if at else str(error)
    kind, _, field = text.partition(" field `")
    if problem := _FIELD_PROBLEMS.get(kind):
        return f"{path}.{field.removesuffix('`')} {problem}".removeprefix(".")
    text = re.sub(r"`([\w |]+)`", lambda kinds: " or ".join(_KINDS.get(k, k) for k in kinds[1].split(" | ")), text)
    text = (
        text.replace("Expected ", "must be ")
        .replace(", got ", ", not ")
        .replace(" >= ", " from ")
        .replace(" of length", ", its length")
    )
    text = text.replace(" <= ", " up to ").replace("Invalid enum value ", "can't be ")
    subject = f"a name in {path}" if at and at[1] else _inside(path)
    return f"{subject or whole} {text}"


def _inside(path: str) -> str:
    return f"something in {path.removesuffix('[...]')}" if path.endswith("[...]") else path
