"""The roster file: characters that outlive a table, as text. Each game defines its own sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Final, Protocol, TypeVar

import msgspec
from msgspec import Meta

from cardhouse.engine.values import names
from cardhouse.engine.values.error_messages import plainly
from cardhouse.engine.values.errors import CardhouseError
from cardhouse.engine.values.fields import Field, JsonSchema
from cardhouse.engine.values.portraits import NO_PORTRAITS, Faces, Portraits
from cardhouse.engine.values.questions import Offer
from cardhouse.engine.values.text_file import check_keys, utf8
from cardhouse.engine.values.whole_numbers import Ordinal

FORMAT: Final = 1
MOST_CHARACTERS: Final = 100
"""The most characters at a table. Each answer names them all, so its cost grows with their number."""


class NamedSheet(Protocol):
    """A sheet with the name of its character."""

    name: str


_Sheet = TypeVar("_Sheet", bound=NamedSheet)


class RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file's JSON: the version of its format, and the sheet of each character.

    `people` is the style of their portraits, as `Game.people`; `faces` has the number of each chosen portrait.
    """

    cardhouse_roster: Ordinal
    characters: list[Any]
    people: Annotated[str, Meta(max_length=20)] = ""
    faces: Faces = {}


def while_there_is_room(offers: Iterable[Offer], count: int) -> list[Offer]:
    """Return these offers to add a character; at the limit they only explain why none can be added."""
    if count < MOST_CHARACTERS:
        return list(offers)
    full = f"there are {count} characters, and the most is {MOST_CHARACTERS}. Remove a character first"
    return [msgspec.structs.replace(offer, also=lambda _: full, examples=()) for offer in offers]


def write_roster(sheets: Sequence[Any], portraits: Portraits = NO_PORTRAITS) -> bytes:
    """Return the roster file of these sheets and their portraits."""
    names_here = {sheet["name"].lower() for sheet in msgspec.to_builtins(sheets)} if portraits.faces else ()
    faces = {name: face for name, face in portraits.faces.items() if name in names_here}
    file = RosterFile(FORMAT, list(sheets), portraits.people, faces)
    return msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"


def read_roster(text: bytes, kind: type[_Sheet], problem_of: Callable[[_Sheet], str | None]) -> list[_Sheet]:
    """Read the sheets of a roster file, each of this type and with a unique name.

    `problem_of` returns what is invalid about a sheet, as the end of a sentence. Raises CardhouseError, naming the
    character and the field, if the text isn't a roster, has a newer format, or contains an invalid sheet.
    """
    sheets = [_read_sheet(sheet, number, kind) for number, sheet in enumerate(_read_file(text).characters, start=1)]
    keys: set[str] = set()
    for sheet in sheets:
        sheet.name = names.clean(sheet.name)
        if (problem := problem_of(sheet)) is not None:
            raise CardhouseError(f"This roster doesn't work here. {sheet.name[:40]}: {problem}.")
        if (key := names.key(sheet.name)) in keys:
            raise CardhouseError(f"This roster doesn't work here. It has {sheet.name} twice.")
        keys.add(key)
    return sheets


def portraits_in(text: bytes) -> Portraits:
    """The portraits of a roster file's characters.

    Raises CardhouseError as `read_roster` does.
    """
    file = _read_file(text)
    return Portraits(file.people, file.faces)


def _read_file(text: bytes) -> RosterFile:
    try:
        text = utf8(text, "The roster file")
        value = msgspec.json.decode(text)
        check_keys(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This file isn't a roster. It isn't valid JSON: {error}.") from None
    version = value.get("cardhouse_roster") if isinstance(value, dict) else None
    if type(version) is not int:
        raise CardhouseError(
            'This file isn\'t a roster. A roster begins with {"cardhouse_roster": 1, "characters": […]}.'
        )
    if version != FORMAT:
        raise CardhouseError(f"This roster is of format {version}; this Cardhouse reads format {FORMAT}.", "newer")
    try:
        return msgspec.convert(value, RosterFile)
    except msgspec.ValidationError as error:
        raise CardhouseError(f"This roster doesn't work here. {error}.") from None


def _read_sheet(sheet: Any, number: int, kind: type[_Sheet]) -> _Sheet:
    try:
        return msgspec.convert(sheet, kind)
    except msgspec.ValidationError as error:
        name = sheet.get("name") if isinstance(sheet, dict) else None
        called = f" ({name[:40]})" if isinstance(name, str) and name else ""
        raise CardhouseError(f"This roster doesn't work here. Character {number}{called}: {plainly(error)}.") from None


class SheetField(Field, frozen=True):
    """A sheet of the type of `example`, for a character whose name isn't in `taken`.

    `problem_of` returns what is invalid about a sheet, as the end of a sentence.
    """

    example: Any
    problem_of: Callable[[Any], str | None]
    taken: Sequence[str] = ()

    def wrong(self, value: Any) -> str | None:
        if value is None:
            return "is missing"
        try:
            sheet = msgspec.convert(value, type(self.example))
        except msgspec.ValidationError as error:
            return f"doesn't fit: {plainly(error)}"
        if sheet.name in self.taken:
            return f"can't be that of {sheet.name}: a character of this name is here"
        problem = self.problem_of(sheet)
        return None if problem is None else f"doesn't fit: {problem}"

    def meant(self, value: Any) -> Any:
        if not isinstance(value, dict) or not isinstance(name := value.get("name"), str):
            return value
        return {**value, "name": next(iter(names.twins(name, self.taken)), None) or names.clean(name)}

    def schema(self) -> JsonSchema:
        free = msgspec.structs.replace(self.example, name=free_name(self.example.name, self.taken))
        return {"type": "object", "examples": [msgspec.to_builtins(free)]}


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return this name, or, if it is taken, the first free one with a number appended."""
    keys = {*map(names.key, taken)}
    numbers = (f" {number}" for number in range(2, len(taken) + 3))
    return next(free for end in ("", *numbers) if names.key(free := name + end) not in keys)
