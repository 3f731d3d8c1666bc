"""Forms for option files: the page asks for their contents, so that people write them card by card (docs/authors.md).

A package declares its forms under the entry point `cardhouse.forms`: the name of a game = a tuple of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from cardhouse.engine.diagnostics.registry import brought_for
from cardhouse.engine.values.errors import CardhouseError
from cardhouse.engine.values.roster import write_roster
from cardhouse.engine.values.toml_text import write_toml

GROUP = "cardhouse.forms"
Json = dict[str, Any]


class FileForm(msgspec.Struct, frozen=True, kw_only=True):
    """A form that fills in an option's TOML file on a page, one card at a time, and its common part.

    `card` and `whole` are types whose JSON Schema describes a card, and the file as a whole; `keys` lists the possible
    keys of dicts that have few, by field. The cards are under the name `cards` in the option's value, or are all of it
    if that is empty. `ids` are the possible ids; if there are none, people choose their own. With `attributes`, a card
    may have further numbers and texts under any name.

    For a roster form, `roster` is the action that brings a sheet to a table; its cards are the sheets.

    `starts` makes initial values, by name, the default first. `draw` draws a card of a checked value as SVG, exactly as
    printed; it raises CardhouseError if it can't. `prints` is the command after `cardhouse print` for these cards,
    `prints_by` its option for the file, `prints_with` its other options.
    """

    option: str
    card: type
    whole: type | None = None
    cards: str = ""
    ids: tuple[str, ...] = ()
    attributes: bool = False
    keys: Mapping[str, tuple[str, ...]] = {}
    starts: Callable[[], dict[str, Json]]
    draw: Callable[[Json, str], str]
    roster: str = ""
    prints: str = ""
    prints_by: str = ""
    prints_with: Mapping[str, str] = {}

    def cards_of(self, value: Json) -> Json:
        """Return the cards in a value, by id."""
        found = value.get(self.cards, {}) if self.cards else value
        return found if isinstance(found, dict) else {}

    def with_cards(self, value: Json, cards: Json) -> Json:
        """Return a value with other cards."""
        return {**value, self.cards: cards} if self.cards else cards

    def text_of(self, value: Json) -> str:
        """Return the file of a value: TOML, or a roster file."""
        if self.roster:
            return write_roster(list(self.cards_of(value).values())).decode()
        return write_toml(value)

    def schema_of_card(self) -> Json:
        """Return the JSON Schema of a card, with what it refers to under `$defs`."""
        return schema_of(self.card, self.keys)

    def schema_of_whole(self) -> Json:
        """Return the JSON Schema of the file apart from its cards."""
        if self.whole is None:
            return {"properties": {}}
        schema = schema_of(self.whole, self.keys)
        return {**schema, "properties": {key: it for key, it in schema["properties"].items() if key != self.cards}}


def schema_of(kind: type, keys: Mapping[str, tuple[str, ...]]) -> Json:
    """Return the JSON Schema of this type, with what it refers to under `$defs`."""
    (schema,), named = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for one in named.values():
        one.pop("description", None)  # meant for programmers
        for name, it in one.get("properties", {}).items():
            if name in keys:
                it["propertyNames"] = {"enum": keys[name]}
    own: Json = named.pop(schema["$ref"].rpartition("/")[2])
    return {**own, "$defs": named}


def forms_of(game: str) -> dict[str, FileForm]:
    """Return the forms of a game, by option.

    Raises CardhouseError for an unknown game, and if they can't be loaded.
    """
    found: tuple[FileForm, ...] = brought_for(game, GROUP, f"The forms of {game}", "option")
    return {form.option: form for form in found}


def find_form(game: str, option: str) -> FileForm:
    """Return the form for an option of a game.

    Raises CardhouseError if there is none.
    """
    form = forms_of(game).get(option)
    if form is None:
        raise CardhouseError(f'{game} has no form for an option "{option[:40]}".', "not_found")
    return form
