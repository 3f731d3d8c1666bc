"""Encounters: foes that are prepared beforehand, kept with a campaign, and brought into a table."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, structs

from cardhouse.engine import (
    GM,
    Action,
    CardhouseError,
    Header,
    Refused,
    SeededDealer,
    Table,
    Text,
    catalogue_of,
    find_game,
    read_header,
)
from cardhouse.engine.values.names import twins
from cardhouse.engine.values.roster import free_name
from cardhouse.engine.values.transcript import Line
from cardhouse.server.core.name_rules import read_name
from cardhouse.server.wire.requests import Encounter

MOST_ENCOUNTERS = 40
MOST_FOES = 20
MOST_BYTES = 10_000
"""So many bytes a foe may take, as JSON."""
_SAID_OTHERWISE = ("controller", "hidden")
"""The game master plays all of them, and whether they hide is said of the whole encounter."""
USUAL_NUMBER = 10
"""What a number begins with in a form, where the game allows it."""
_SINGLE = ("integer", "string", "boolean")


class FoeForm(Struct, frozen=True, omit_defaults=True):
    """What is said of a foe in a game: each field's JSON Schema, and which may be left out; whether foes can `hide`.

    `start` is a foe that can join, for a form to begin with; empty if none was found.
    """

    fields: dict[str, dict[str, Any]]
    optional: list[str]
    hides: bool = False
    start: dict[str, Any] = {}


class Brought(Struct, frozen=True):
    """Who has come to the table, by name, and of the others a sentence each why not."""

    names: list[str]
    problems: list[str]


def empty_table(header: Header) -> Table:
    """A table of this game and options at which nobody is yet.

    Raises CardhouseError if there can't be one.
    """
    return Table.new(header.game, header.seats, header.options, SeededDealer())


@lru_cache(maxsize=64)
def form_of(header: str) -> FoeForm | None:
    """What is said of a foe at tables with this first line of their transcript; None if their game prepares none."""
    try:
        read = read_header(header)
        prepares = find_game(read.game).prepares
        if prepares is None:
            return None
        table = empty_table(read)
        offers = [one for one in table.offers(GM, anytime=True) if one.get("do") == prepares.word()]
    except CardhouseError:
        return None
    # By then a card may be somebody else's.
    offers = [one for one in offers if not any(_is_card(schema) for schema in one["fields"].values())] or offers
    fields: dict[str, dict[str, Any]] = {}
    for offer in offers:
        fields.update({name: schema for name, schema in offer["fields"].items() if name not in fields})
    needed = [name for name in fields if all(_needs(offer, name) for offer in offers)]
    said = {name: schema for name, schema in fields.items() if name not in _SAID_OTHERWISE and _is_single(schema)}
    start = {name: _beginning(schema) for name, schema in said.items() if name in needed}
    try:
        table.answer(GM, {"do": prepares.word(), **start})
    except CardhouseError:
        start = {}
    return FoeForm(said, [name for name in said if name not in needed], "hidden" in fields, start)


def _beginning(schema: dict[str, Any]) -> Any:
    """What a field that can't be left out begins with."""
    if "default" in schema:
        return schema["default"]
    if "enum" in schema or "const" in schema:
        return schema["enum"][0] if "enum" in schema else schema["const"]
    if schema["type"] == "integer":
        return max(schema.get("minimum", USUAL_NUMBER), min(USUAL_NUMBER, schema.get("maximum", USUAL_NUMBER)))
    return False if schema["type"] == "boolean" else "NPC"


def _needs(offer: dict[str, Any], name: str) -> bool:
    return name in offer["fields"] and name not in offer.get("optional", ())


def _is_card(schema: dict[str, Any]) -> bool:
    return schema.get("format") == "card"


def _is_single(schema: dict[str, Any]) -> bool:
    return "enum" in schema or "const" in schema or schema.get("type") in _SINGLE


def check_encounters(header: str, encounters: list[Encounter]) -> list[Encounter]:
    """These encounters as they are to be stored: what nobody has checked, as it is never used, is left out.

    Raises CardhouseError, naming the encounter and the foe, unless all of them can come to an empty table.
    """
    read = read_header(header)
    names = [one.name for one in encounters]
    if len(encounters) > MOST_ENCOUNTERS:
        raise CardhouseError(f"A campaign keeps {MOST_ENCOUNTERS} encounters at most; these are {len(encounters)}.")
    for place, encounter in enumerate(encounters):
        read_name(encounter.name, "The name of an encounter")
        if twins(encounter.name, names[:place]):
            raise CardhouseError(f"There are two encounters called {encounter.name}: each needs its own name.")
        if not 1 <= len(encounter.foes) <= MOST_FOES:
            raise CardhouseError(f"{encounter.name} has {len(encounter.foes)} kinds of NPCs. Use 1 to {MOST_FOES}.")
        if any(len(msgspec.json.encode(foe.line)) > MOST_BYTES for foe in encounter.foes):
            raise CardhouseError(f"{encounter.name}: each foe may take {MOST_BYTES:,} bytes. Shorten the longest.")
        table = empty_table(read)
        for line in lines_of(read.game, encounter, hidden=encounter.hidden):
            _check_foe(table, encounter, line)
    return [
        structs.replace(one, foes=[structs.replace(foe, line=_said(foe.line)) for foe in one.foes])
        for one in encounters
    ]


def _said(line: dict[str, Any]) -> dict[str, Any]:
    """What a foe's line says that is used."""
    return {key: said for key, said in line.items() if key not in ("do", *_SAID_OTHERWISE)}


def _check_foe(table: Table, encounter: Encounter, line: Line) -> None:
    name = line.get("name")
    if (problem := Text().wrong(name)) is not None:
        raise CardhouseError(f"{encounter.name}: a foe's name {problem}.")
    fields = {field.encode_name: field.required for field in structs.fields(_prepares(table))}
    for field in (field for field, required in fields.items() if required and field not in line):
        raise CardhouseError(f"{encounter.name}, {name}: {_label(table, field)} is missing.")
    for field in line.keys() - fields.keys() - {"do"}:
        raise CardhouseError(f"{encounter.name}, {name}: there is no {field[:40]} in this game. Leave it out.")
    try:
        table.answer(GM, freely_named(table, line))
    except Refused as error:
        problem = error.problem.removeprefix(f'"{line["do"]}" was refused: ')
        field, space, says = problem.partition(" ")
        label = _label(table, field) if field in fields else field
        raise CardhouseError(f"{encounter.name}, {name}: {label}{space}{says}") from None


def _prepares(table: Table) -> type[Action]:
    assert table.kind.prepares is not None  # lines_of has looked
    return table.kind.prepares


def _label(table: Table, field: str) -> str:
    """What a field is called on the page."""
    return catalogue_of(table.kind).words.fields.get(field, field)


def lines_of(game: str, encounter: Encounter, *, hidden: bool) -> Iterator[Line]:
    """The game master's answers by which its foes join, one for each.

    Raises CardhouseError if nothing can be prepared for this game.
    """
    prepares = find_game(game).prepares
    if prepares is None:
        raise CardhouseError("This game has no encounters.", "not_found")
    if hidden and "hidden" not in prepares.__struct_fields__:
        raise CardhouseError(f"{encounter.name}: in this game nobody hides.")
    for foe in encounter.foes:
        line = {"do": prepares.word(), **_said(foe.line)}
        yield from [{**line, "hidden": True} if hidden else line for _ in range(foe.count)]


def freely_named(table: Table, line: Line) -> Line:
    """The same under a name that nobody at the table has."""
    offers = [offer for offer in table.offers(GM, anytime=True) if offer.get("do") == line["do"]]
    taken = {name for offer in offers for name in offer["fields"].get("name", {}).get("not", {}).get("enum", ())}
    return {**line, "name": free_name(line["name"], sorted(taken))}
