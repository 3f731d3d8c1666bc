"""Characters that outlive a table: the sheet each is written on, and the roster file that holds them (HJ-32)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError, Field, Text
from cardhouse.engine.fields import JsonSchema
from cardhouse.games.hackjack.state import RECOVERY, ROUGHEST, Character, Lived, Sheet

FORMAT = 1


class Roster(msgspec.Struct, forbid_unknown_fields=True):
    """A roster file: JSON, with the version of its format."""

    cardhouse_roster: int
    characters: list[Sheet]


def sheet_of(character: Lived) -> Sheet:
    """What a character takes along to another table."""
    return Sheet(**{name: getattr(character, name) for name in Sheet.__struct_fields__})


def character_of(sheet: Sheet, controller: str) -> Character:
    """Somebody from the roster at a table: of its draw pile the death-score is left, as tokens (HJ-32)."""
    return Character(**msgspec.structs.asdict(sheet), controller=controller, tokens=sheet.death_score)


def write_roster(characters: Iterable[Lived]) -> bytes:
    """The roster file of these characters."""
    text = msgspec.json.encode(Roster(FORMAT, [sheet_of(character) for character in characters]))
    return msgspec.json.format(text, indent=2) + b"\n"


def read_roster(text: bytes) -> list[Sheet]:
    """The characters of a roster file.

    Raises CardhouseError, naming the place, if it isn't one.
    """
    try:
        roster = msgspec.json.decode(text, type=Roster)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This is no roster: {error}.") from None
    if roster.cardhouse_roster != FORMAT:
        raise CardhouseError(f"This roster is of format {roster.cardhouse_roster}; this Cardhouse reads {FORMAT}.")
    for sheet in roster.characters:
        if (problem := problem_of(sheet)) is not None:
            raise CardhouseError(f"The roster can't be used: {sheet.name[:40]}: {problem}.")
    names = [sheet.name for sheet in roster.characters]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise CardhouseError(f"The roster can't be used: it has {twice} twice.")
    return roster.characters


def problem_of(sheet: Sheet) -> str | None:
    """What no character can have, as the end of a sentence; None if all is well."""
    if (wrong := Text().wrong(sheet.name)) is not None:
        return f"name {wrong}"
    for name in ("hp", "death_score", "blood"):
        if not 0 <= getattr(sheet, name) <= ROUGHEST:
            return f"{name} must be from 0 to {ROUGHEST}, not {getattr(sheet, name)}"
    if not 1 <= sheet.max_hp <= ROUGHEST:
        return f"max_hp must be from 1 to {ROUGHEST}, not {sheet.max_hp}"
    if not 0 <= sheet.trauma <= max(RECOVERY):
        return f"trauma must be from 0 to {max(RECOVERY)}, not {sheet.trauma}"
    if sheet.down and sheet.hp:
        return "one who is down has no hp"
    cards = [*(taken.card for taken in sheet.wounds), *(mark.card for mark in sheet.marks)]
    unknown = next((card for card in cards if card not in STANDARD), None)
    return None if unknown is None else f"there is no wound {unknown[:10]}"


class SheetField(Field, frozen=True):
    """A sheet of somebody whose name is none of `taken`."""

    example: Sheet
    taken: Sequence[str] = ()

    def wrong(self, value: Any) -> str | None:
        if value is None:
            return "is missing"
        try:
            sheet = msgspec.convert(value, Sheet)
        except msgspec.ValidationError as error:
            return f"doesn't fit: {error}"
        if sheet.name in self.taken:
            return f"can't be that of {sheet.name}: somebody of this name is here"
        problem = problem_of(sheet)
        return None if problem is None else f"doesn't fit: {problem}"

    def schema(self) -> JsonSchema:
        numbers = (f" {number}" for number in range(2, len(self.taken) + 3))
        free = next(name for end in ("", *numbers) if (name := self.example.name + end) not in self.taken)
        return {"type": "object", "examples": [msgspec.to_builtins(msgspec.structs.replace(self.example, name=free))]}


EXAMPLE = Sheet(name="Ada", hp=7, max_hp=7)
