"""Sheets beyond one table: conversion to and from characters, and roster files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cardhouse.cards import SECOND_DECK, STANDARD
from cardhouse.engine import Field, OneOf, SheetField, Text, Whole
from cardhouse.engine import read_roster as read_sheets
from cardhouse.games.dogs.people.sheet import MOST_POINTS, STATS, Character, Later, Sheet, Stats, Thing
from cardhouse.games.dogs.people.templates import LONGEST_THING, problem_of_things
from cardhouse.games.dogs.state import DEMONIC, FALLOUT_NAME, INITIATION_NAME

LONGEST_HISTORY = 10_000
MOST_OWED = 100
"""A bound on the choices owed, which each conflict adds to (DV-32)."""
RESERVED = (FALLOUT_NAME, INITIATION_NAME)
"""Names that no character may have."""


def sheet_of(character: Sheet) -> Sheet:
    """Return the sheet that a character takes to another table."""
    return Sheet(**{name: getattr(character, name) for name in Sheet.__struct_fields__})


def character_of(sheet: Sheet, controller: str) -> Character:
    """Return the character for a roster sheet."""
    return Character(**msgspec.structs.asdict(sheet), controller=controller)


def read_roster(text: bytes) -> list[Sheet]:
    """Return the sheets of a roster file.

    Raises CardhouseError, naming the character and the problem, if a sheet can't be used.
    """
    return read_sheets(text, Sheet, problem_of)


def problem_of(sheet: Sheet) -> str | None:
    """Return the problem with a sheet, as the end of a sentence; None if there is none."""
    found = (f"{name} {wrong}" for name, field, value in _fields_of(sheet) if (wrong := field.wrong(value)) is not None)
    if (problem := next(found, None)) is not None:
        return problem
    if sheet.stats.total > MOST_POINTS:
        return f"stats add up to {sheet.stats.total}, and {MOST_POINTS} is the most"
    if (problem := problem_of_things(sheet.things)) is not None:
        return problem
    cards = [*sheet.kept, *sheet.wounds]
    return "it holds a card twice" if len(set(cards)) < len(cards) else None


def _fields_of(sheet: Sheet) -> Iterator[tuple[str, Field, Any]]:
    """Yield values that need more than a type check: field name, allowed values, value."""
    yield "name", Text(taken=RESERVED), sheet.name
    for stat in STATS:
        yield f"stats.{stat}", Whole(0, MOST_POINTS), sheet.stats.of(stat)
    yield "members", Whole(0, MOST_MEMBERS), sheet.members
    cards = OneOf((*STANDARD, *SECOND_DECK), "card")
    for name in ("kept", "wounds"):
        for card in getattr(sheet, name):
            yield name, cards, card
    yield "later", Whole(0, 20), len(sheet.later)
    for later in sheet.later:
        if later.effect != "fewer_cards":
            yield "later", Text(LONGEST_THING, taken=_not_for_later(sheet, later)), later.thing
    yield "owed", Whole(0, MOST_OWED), len(sheet.owed)
    yield "history", Whole(0, LONGEST_HISTORY), len(sheet.history)


def _not_for_later(sheet: Sheet, later: Later) -> tuple[str, ...]:
    """Return names that a troublesome trait for the next conflict can't have; names on a sheet are unique (DV-32)."""
    if later.effect != "troublesome_trait":
        return ()
    traits = [other.thing for other in sheet.later if other is not later and other.effect == later.effect]
    return (*(thing.name for thing in sheet.things), *traits, DEMONIC)


MOST_MEMBERS = 30
"""DV-35: the most members of a group besides the first."""


EXAMPLE = Sheet(name="Ada", stats=Stats(3, 2, 2, 2), things=[Thing("I know the scripture", "trait", "+", True)])


def sheet_field(taken: Sequence[str]) -> SheetField:
    """Return the field for a sheet whose name is none of these."""
    return SheetField(EXAMPLE, problem_of, taken)
