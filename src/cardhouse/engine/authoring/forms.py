"""Files for options as forms: what the page asks for, so that somebody writes one card by card (docs/authors.md).

A package tells of its forms by the entry point `cardhouse.forms`: the name of a game = a tuple of them.
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
    """How the file of an option in TOML is filled in on a page: a card at a time, beside what is said of all.

    `card` and `whole` are types whose JSON Schema says what may be said of a card, and of the file as a whole; of dicts
    with few possible keys `keys` names them, by field. The cards stand under the name `cards` in the option's value, or
    are all of it where that is empty. `ids` are those that there are; without any, people make up their own. With
    `attributes` a card may have more than its type says: numbers and texts under any name.

    The form of a roster says by `roster` with which action a sheet is brought to a table; its cards are the sheets.

    `starts` makes values to begin with, by name, the usual one first. `draw` draws a card of a value that has been
    checked, as SVG, just as it is printed; it raises CardhouseError where it can't be. `prints` is what is typed after
    `cardhouse print` for these cards, `prints_by` the option that is the file, `prints_with` the others.
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
        """The cards in a value, by id."""
        found = value.get(self.cards, {}) if self.cards else value
        return found if isinstance(found, dict) else {}

    def with_cards(self, value: Json, cards: Json) -> Json:
        """A value with other cards."""
        return {**value, self.cards: cards} if self.cards else cards

    def text_of(self, value: Json) -> str:
        """The file of a value: TOML, or a roster file."""
        if self.roster:
            return write_roster(list(self.cards_of(value).values())).decode()
        return write_toml(value)

    def schema_of_card(self) -> Json:
        """What may be said of a card, as JSON Schema, with what it refers to under `$defs`."""
        return schema_of(self.card, self.keys)

    def schema_of_whole(self) -> Json:
        """What may be said of the file beside its cards."""
        if self.whole is None:
            return {"properties": {}}
        schema = schema_of(self.whole, self.keys)
        return {**schema, "properties": {key: it for key, it in schema["properties"].items() if key != self.cards}}


def schema_of(kind: type, keys: Mapping[str, tuple[str, ...]]) -> Json:
    """What may be said of something of this type, as JSON Schema, with what it refers to under `$defs`."""
    (schema,), named = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for one in named.values():
        one.pop("description", None)  # it is for programmers
        for name, it in one.get("properties", {}).items():
            if name in keys:
                it["propertyNames"] = {"enum": keys[name]}
    own: Json = named.pop(schema["$ref"].rpartition("/")[2])
    return {**own, "$defs": named}


def forms_of(game: str) -> dict[str, FileForm]:
    """The forms of a game, by option.

    Raises CardhouseError for a game that there isn't, and if they can't be loaded.
    """
    found: tuple[FileForm, ...] = brought_for(game, GROUP, f"The forms of {game}", "option")
    return {form.option: form for form in found}


def find_form(game: str, option: str) -> FileForm:
    """The form for an option of a game.

    Raises CardhouseError if there is none.
    """
    form = forms_of(game).get(option)
    if form is None:
        raise CardhouseError(f'{game} has no form for an option "{option[:40]}".', "not_found")
    return form
