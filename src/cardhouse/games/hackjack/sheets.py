"""Characters that outlive a table: their sheets and the roster file that holds them (HJ-32)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.engine import Field, OneOf, SheetField, Text, Whole
from cardhouse.engine import read_roster as read_sheets
from cardhouse.games.hackjack.state import HIT_DICE, RECOVERY, ROUGHEST, Character, Lived, Sheet, WoundTaken
from cardhouse.games.hackjack.thresholds import is_exact, is_too_much
from cardhouse.games.hackjack.wounds.schema import Wounds

TRAUMA = max(RECOVERY)
SUMMED = 1_000_000
"""The largest death-score or Blood pool after many hits."""


def sheet_of(character: Lived) -> Sheet:
    """Return the part of a character that moves to another table."""
    return Sheet(**{name: getattr(character, name) for name in Sheet.__struct_fields__})


def judged(sheet: Sheet, limit: int) -> Sheet:
    """Return the sheet of a character whose death-score is judged now, as it is on arrival at a table (HJ-6)."""
    if sheet.alive and is_too_much(sheet.death_score, limit):
        return msgspec.structs.replace(sheet, alive=False)
    if sheet.alive and is_exact(sheet.death_score, limit):
        return msgspec.structs.replace(sheet, death_score=0)
    return sheet


def character_of(sheet: Sheet, controller: str, wounds: Wounds) -> Character:
    """Return a character from the roster at a table with these wounds. Tokens replace its draw pile (HJ-32)."""
    character = Character(
        **msgspec.structs.asdict(sheet), controller=controller, tokens=sheet.death_score, drawn=sheet.down
    )
    for taken in character.wounds:
        _fit(taken, wounds)
    return character


def _fit(taken: WoundTaken, wounds: Wounds) -> None:
    """Keep only the rolls of another table's wound that mean something for this table's wound (HJ-30)."""
    wound = wounds[taken.card]
    if wound.check is None:
        taken.check = None
    if not wound.wears:
        taken.worn = 0
    rolled = zip(wound.details, taken.found, strict=False)
    taken.found = [face for _, face in takewhile(lambda roll: roll[0].has(roll[1]), rolled)]


def read_roster(text: bytes) -> list[Sheet]:
    """Return the sheets of a roster file.

    Raises CardhouseError, naming the character and the mistake, if it can't be used.
    """
    return read_sheets(text, Sheet, problem_of)


def problem_of(sheet: Sheet) -> str | None:
    """Return what is impossible about a sheet, as the end of a sentence, or None."""
    found = (f"{name} {wrong}" for name, field, value in _fields_of(sheet) if (wrong := field.wrong(value)) is not None)
    if (problem := next(found, None)) is not None:
        return problem
    if sheet.down and sheet.hp:
        return "a character who is down has no HP"
    return None


def _fields_of(sheet: Sheet) -> Iterator[tuple[str, Field, Any]]:
    """Yield the limits that the type doesn't express: each value's name, its field and the value."""
    yield "name", Text(), sheet.name
    yield "hp", Whole(0, ROUGHEST), sheet.hp
    yield "max_hp", Whole(1, ROUGHEST), sheet.max_hp
    yield "death_score", Whole(0, SUMMED), sheet.death_score
    yield "blood", Whole(0, SUMMED), sheet.blood
    yield "trauma", Whole(0, TRAUMA), sheet.trauma
    if sheet.hit_die is not None:
        yield "hit_die", OneOf(HIT_DICE), sheet.hit_die
    if sheet.to_hit is not None:
        yield "to_hit", Text(), sheet.to_hit
    if sheet.recovery is not None:
        yield "recovery.trauma", Whole(1, TRAUMA), sheet.recovery.trauma
        yield "recovery.amount", Whole(1, ROUGHEST), sheet.recovery.amount
        if sheet.recovery.rolled_for is not None:
            yield "recovery.rolled_for", Whole(1, TRAUMA), sheet.recovery.rolled_for
    for number, taken in enumerate(sheet.wounds, start=1):
        yield f"wounds[{number}].card", OneOf(STANDARD, "card"), taken.card
        yield f"wounds[{number}].worn", Whole(0, ROUGHEST), taken.worn
        for face in taken.found:
            yield f"wounds[{number}].found", Whole(0, ROUGHEST), face
        for ability, by in taken.drops.items():
            yield f"wounds[{number}].drops.{ability}", Whole(0, ROUGHEST), by
    for number, mark in enumerate(sheet.marks, start=1):
        yield f"marks[{number}].card", OneOf(STANDARD, "card"), mark.card


EXAMPLE = Sheet(name="Ada", hp=7, max_hp=7)


def sheet_field(taken: Sequence[str]) -> SheetField:
    """Return the field for a sheet whose name is not yet taken."""
    return SheetField(EXAMPLE, problem_of, taken)
