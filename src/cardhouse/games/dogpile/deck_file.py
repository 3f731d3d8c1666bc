"""Deck files: the bundled ones, and custom ones, validated as a whole (DG-20)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePath
from typing import Any, Final

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.engine.authoring.form_csv import BadCell
from cardhouse.engine.authoring.toml_file import TomlFileError, check_option, option_as_json, read_toml_or_csv
from cardhouse.games.dogpile.deck import DogDeck, deck_from
from cardhouse.games.dogpile.deck_check import CardLine, find_mistakes

STANDARD: Final = "standard"
"""The name of the default deck."""

_DECKS = Path(__file__).with_name("decks")

STANDARD_FILE: Final = (_DECKS / f"{STANDARD}.toml").read_text("utf-8")
"""The standard deck as a deck file. Its opening lines explain the format."""


class DeckFileError(TomlFileError):
    """A deck file that can't be used."""

    of = "deck"


@cache
def bundled_decks() -> Mapping[str, str]:
    """Return the bundled deck files by name, the standard deck first."""
    others = sorted(file for file in _DECKS.glob("*.toml") if file.stem != STANDARD)
    return {STANDARD: STANDARD_FILE, **{file.stem: file.read_text("utf-8") for file in others}}


@cache
def standard_deck() -> DogDeck:
    """Return the 52 cards and two jokers (DG-1). Shared between calls."""
    return deck_from(tomllib.loads(STANDARD_FILE))


def read_deck(text: str | bytes, where: str = "deck file") -> dict[str, Any]:
    """Return the data of a deck file, suitable for `deck_of` and as a table's option.

    `where` names the file in errors. Raises DeckFileError listing every mistake.
    """
    return read_toml_or_csv(
        text, where, find_mistakes, DeckFileError, CardLine, lambda cards: _with_rules(cards, where)
    )


def _with_rules(cards: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the deck of a table of cards, with the contact rules of a bundled deck that uses the same attributes.

    Raises BadCell if there is none.
    """
    columns = {name for card in cards.values() for name in card}
    needs: dict[str, str] = {}
    for name, text in bundled_decks().items():
        deck = tomllib.loads(text)
        rules = [rule["attribute"] for way in ("beside", "above") for how in deck[way].values() for rule in how]
        if columns.issuperset(rules):
            title = PurePath(where).stem[:80] or "deck"
            return {"name": title, "beside": deck["beside"], "above": deck["above"], "cards": cards}
        needs.setdefault(", ".join(sorted({*rules})), name)
    known = "; or ".join(f"{rules} (as in the deck {name})" for rules, name in needs.items())
    raise BadCell(
        1, "", f"a table has no contact rules, so that it needs these columns: {known}. Or write the deck as TOML."
    )


def deck_of(data: Mapping[str, Any]) -> DogDeck:
    """Return the deck of a deck file's data, or the standard deck if it is empty.

    Equal data return the same object. Raises CardhouseError listing every mistake with its card and field.
    """
    if not isinstance(data, Mapping):
        raise CardhouseError("deck must be a table, as a deck file has it.")
    return _deck_of_json(option_as_json(data, "deck")) if data else standard_deck()


@lru_cache(maxsize=64)
def _deck_of_json(text: bytes) -> DogDeck:
    """Return the deck as `deck_of` does. Cached, because games are rebuilt from the same options many times."""
    data = msgspec.json.decode(text)
    check_option(find_mistakes(data), "deck")
    return deck_from(data)
