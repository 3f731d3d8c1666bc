"""Encounters: NPCs prepared in advance, stored with a campaign, and brought to a table."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

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
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.names import twins
from cardhouse.engine.values.roster import free_name
from cardhouse.engine.values.transcript import Line
from cardhouse.server.core.name_rules import read_name

MOST_ENCOUNTERS = 40
MOST_ALIKE = 20
MOST_FOES = 20
MOST_BYTES = 10_000
"""Largest NPC, as JSON."""
_SAID_OTHERWISE = ("controller", "hidden")
"""The game master plays all NPCs, and the encounter as a whole is hidden or not."""
USUAL_NUMBER = 10
"""Initial value of a number in the form, if the game allows it."""
_SINGLE = ("integer", "string", "boolean")


class Foe(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An NPC of an encounter: its `join` action without `do`, player and hiding, and how many of them."""

    line: dict[str, Any]
    count: Annotated[int, Meta(ge=1, le=MOST_ALIKE)] = 1


class Encounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A prepared group of NPCs: its name, its members, and whether they are hidden at first."""

    name: str
    foes: list[Foe]
    hidden: bool = False


class FoeForm(Struct, frozen=True, omit_defaults=True):
    """The form for an NPC: each field's JSON Schema, the optional fields, and whether NPCs can hide (`hides`).

    `start` is a valid NPC to begin with; empty if none was found.
    """

    fields: dict[str, dict[str, Any]]
    optional: list[str]
    hides: bool = False
    start: dict[str, Any] = {}


class Brought(Struct, frozen=True):
    """The names of the NPCs that joined, and a sentence for each problem with the others."""

    names: list[str]
    problems: list[str]


def empty_table(header: Header) -> Table:
    """Return a new table with this game and options, without characters.

    Raises CardhouseError if they are invalid.
    """
    return Table.new(header.game, header.seats, header.options, SeededDealer())


@lru_cache(maxsize=64)
def form_of(header: str) -> FoeForm | None:
    """Return the form for NPCs at tables with this header line; None if the game has no encounters."""
    try:
        read = read_header(header)
        prepares = find_game(read.game).prepares
        if prepares is None:
            return None
        table = empty_table(read)
        offers = [one for one in table.offers(GM, anytime=True) if one.get("do") == prepares.word()]
    except CardhouseError:
        return None
    # Leave out offers of a particular card: it may be taken by then.
    offers = [one for one in offers if not any(_is_card(schema) for schema in one["fields"].values())] or offers
    fields: dict[str, dict[str, Any]] = {}
    for offer in offers:
        fields.update({name: schema for name, schema in offer["fields"].items() if name not in fields})
    needed = [name for name in fields if all(_needs(offer, name) for offer in offers)]
    fields_used = {
        name: schema for name, schema in fields.items() if name not in _SAID_OTHERWISE and _is_single(schema)
    }
    start = {name: _beginning(schema) for name, schema in fields_used.items() if name in needed}
    try:
        table.answer(GM, {"do": prepares.word(), **start})
    except CardhouseError:
        start = {}
    return FoeForm(fields_used, [name for name in fields_used if name not in needed], "hidden" in fields, start)


def _beginning(schema: dict[str, Any]) -> Any:
    """Return the initial value of a required field."""
    if "default" in schema:
        return schema["default"]
    if "enum" in schema or "const" in schema:
        return schema["enum"][0] if "enum" in schema else schema["const"]
    if schema["type"] == "integer":
        return max(schema.get("minimum", USUAL_NUMBER), min(USUAL_NUMBER, schema.get("maximum", USUAL_NUMBER)))
    return False if schema["type"] == "boolean" else "NPC"


def _needs(offer: OfferDoc, name: str) -> bool:
    return name in offer["fields"] and name not in offer.get("optional", ())


def _is_card(schema: dict[str, Any]) -> bool:
    return schema.get("format") == "card"


def _is_single(schema: dict[str, Any]) -> bool:
    return "enum" in schema or "const" in schema or schema.get("type") in _SINGLE


def check_encounters(header: str, encounters: list[Encounter]) -> list[Encounter]:
    """Return the encounters as they are to be stored, without unused, unchecked fields.

    Raises CardhouseError, naming the encounter and the NPC, unless all of them can join an empty table.
    """
    read = read_header(header)
    names = [one.name for one in encounters]
    if len(encounters) > MOST_ENCOUNTERS:
        raise CardhouseError(f"A campaign has {MOST_ENCOUNTERS} encounters at most, not {len(encounters)}.")
    for place, encounter in enumerate(encounters):
        read_name(encounter.name, "The name of an encounter")
        if twins(encounter.name, names[:place]):
            raise CardhouseError(f"There are two encounters called {encounter.name}. Give each its own name.")
        if not 1 <= len(encounter.foes) <= MOST_FOES:
            raise CardhouseError(f"{encounter.name} has {len(encounter.foes)} kinds of NPCs. Use 1 to {MOST_FOES}.")
        if any(len(msgspec.json.encode(foe.line)) > MOST_BYTES for foe in encounter.foes):
            raise CardhouseError(f"{encounter.name}: each NPC may take {MOST_BYTES:,} bytes. Shorten the longest.")
        table = empty_table(read)
        for line in lines_of(read.game, encounter, hidden=encounter.hidden):
            _check_foe(table, encounter, line)
    return [
        structs.replace(one, foes=[structs.replace(foe, line=_used_fields(foe.line)) for foe in one.foes])
        for one in encounters
    ]


def _used_fields(line: dict[str, Any]) -> dict[str, Any]:
    """Return the used fields of an NPC's line."""
    return {key: said for key, said in line.items() if key not in ("do", *_SAID_OTHERWISE)}


def _check_foe(table: Table, encounter: Encounter, line: Line) -> None:
    name = line.get("name")
    if (problem := Text().wrong(name)) is not None:
        raise CardhouseError(f"{encounter.name}: an NPC's name {problem}.")
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
    assert table.kind.prepares is not None  # checked by lines_of
    return table.kind.prepares


def _label(table: Table, field: str) -> str:
    """Return a field's label on the page."""
    return catalogue_of(table.kind).words.fields.get(field, field)


def lines_of(game: str, encounter: Encounter, *, hidden: bool) -> Iterator[Line]:
    """Yield the game master's answers by which its NPCs join.

    Raises CardhouseError if the game has no encounters.
    """
    prepares = find_game(game).prepares
    if prepares is None:
        raise CardhouseError("This game has no encounters.", "not_found")
    if hidden and "hidden" not in prepares.__struct_fields__:
        raise CardhouseError(f"{encounter.name}: this game has no hidden characters.")
    for foe in encounter.foes:
        line = {"do": prepares.word(), **_used_fields(foe.line)}
        yield from [{**line, "hidden": True} if hidden else line for _ in range(foe.count)]


def freely_named(table: Table, line: Line) -> Line:
    """Return the line with a name that nobody at the table has."""
    offers = [offer for offer in table.offers(GM, anytime=True) if offer.get("do") == line["do"]]
    taken = {name for offer in offers for name in offer["fields"].get("name", {}).get("not", {}).get("enum", ())}
    return {**line, "name": free_name(line["name"], sorted(taken))}
