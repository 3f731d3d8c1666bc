"""The roster file: characters that outlive a table, as text. What a character is, its game says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

from cardhouse.engine.errors import CardhouseError

FORMAT: Final = 1

_Sheet = TypeVar("_Sheet")


class RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """JSON: the version of its format, and the sheet of each character."""

    cardhouse_roster: int
    characters: list[Any]


def write_roster(sheets: Sequence[Any]) -> bytes:
    """The roster file of these characters' sheets."""
    return msgspec.json.format(msgspec.json.encode(RosterFile(FORMAT, list(sheets))), indent=2) + b"\n"


def read_roster(text: bytes, kind: type[_Sheet]) -> list[_Sheet]:
    """The sheets of a roster file, each of this kind.

    Raises CardhouseError, naming the character and the field, if it is no roster, one of a newer format, or has a
    sheet that doesn't fit.
    """
    try:
        value = msgspec.json.decode(text.removeprefix(b"\xef\xbb\xbf"))  # some editors put a mark before UTF-8
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This is no roster, for it is no JSON: {error}.") from None
    version = value.get("cardhouse_roster") if isinstance(value, dict) else None
    if type(version) is not int:
        raise CardhouseError('This is no roster: a roster begins with {"cardhouse_roster": 1, "characters": […]}.')
    if version != FORMAT:
        raise CardhouseError(f"This roster is of format {version}; this Cardhouse reads format {FORMAT}.", "newer")
    try:
        given = msgspec.convert(value, RosterFile).characters
    except msgspec.ValidationError as error:
        raise CardhouseError(f"The roster can't be used: {error}.") from None
    return [_read_sheet(sheet, number, kind) for number, sheet in enumerate(given, start=1)]


def _read_sheet(sheet: Any, number: int, kind: type[_Sheet]) -> _Sheet:
    try:
        return msgspec.convert(sheet, kind)
    except msgspec.ValidationError as error:
        name = sheet.get("name") if isinstance(sheet, dict) else None
        called = f" ({name[:40]})" if isinstance(name, str) and name else ""
        raise CardhouseError(f"The roster can't be used: of character {number}{called}, {plainly(error)}.") from None


_PLACE = re.compile(r" - at (`key` in )?`\$\.?(.*)`$")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`")
_KINDS = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}


def plainly(error: msgspec.ValidationError) -> str:
    """What keeps plain data from being of a type, as a sentence without its end that begins with the field."""
    said = str(error)
    at = _PLACE.search(said)
    path = re.sub(r"\[(\d+)\]", lambda index: f"[{int(index[1]) + 1}]", at[2]) if at else ""
    said = said[: at.start()] if at else said
    if field := _FIELD.match(said):
        problem = "is missing" if field[1].startswith("missing") else "is an unknown field"
        return f"{path}.{field[2]} {problem}".removeprefix(".")
    said = re.sub(r"`([\w |]+)`", lambda kinds: " or ".join(_KINDS.get(k, k) for k in kinds[1].split(" | ")), said)
    said = (
        said.replace("Expected ", "must be ")
        .replace(", got ", ", not ")
        .replace(" >= ", " from ")
        .replace(" of length", ", its length")
    )
    said = said.replace(" <= ", " up to ").replace("Invalid enum value ", "can't be ")
    subject = f"a name in {path}" if at and at[1] else re.sub(r"(.*)\[\.\.\.\]$", r"something in \1", path)
    return f"{subject or 'the sheet'} {said}"
