"""Deck files: those that come with Cardhouse, and those that people write, checked as a whole (DG-20)."""

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
from cardhouse.games.dogpile.deck_check import CardLine, wrong_with

STANDARD: Final = "standard"
"""The deck that is played if nobody chooses one."""

_DECKS = Path(__file__).with_name("decks")

STANDARD_FILE: Final = (_DECKS / f"{STANDARD}.toml").read_text("utf-8")
"""The standard deck as a deck file, which tells in its first lines how one is written."""


class DeckFileError(TomlFileError):
    """A deck file that can't be used."""

    of = "deck"


@cache
def own_decks() -> Mapping[str, str]:
    """The deck files that come with Cardhouse, by name; the standard deck is the first."""
    others = sorted(file for file in _DECKS.glob("*.toml") if file.stem != STANDARD)
    return {STANDARD: STANDARD_FILE, **{file.stem: file.read_text("utf-8") for file in others}}


@cache
def standard_deck() -> DogDeck:
    """The 52 cards and two jokers (DG-1); the same object each time."""
    return deck_from(tomllib.loads(STANDARD_FILE))


def read_deck(text: str | bytes, where: str = "deck file") -> dict[str, Any]:
    """The data of a deck file: plain data, fit for `deck_of` and to be a table's option.

    `where` is what the file is called. Raises DeckFileError with all mistakes in it.
    """
    return read_toml_or_csv(text, where, wrong_with, DeckFileError, CardLine, lambda cards: _with_rules(cards, where))


def _with_rules(cards: dict[str, Any], where: str) -> dict[str, Any]:
    """The deck of a table of cards, with the contact rules of a deck that comes with Cardhouse and has its columns.

    Raises BadCell if there is none.
    """
    columns = {name for card in cards.values() for name in card}
    needs: dict[str, str] = {}
    for name, text in own_decks().items():
        deck = tomllib.loads(text)
        rules = [rule["attribute"] for way in ("beside", "above") for how in deck[way].values() for rule in how]
        if columns.issuperset(rules):
            called = PurePath(where).stem[:80] or "deck"
            return {"name": called, "beside": deck["beside"], "above": deck["above"], "cards": cards}
        needs.setdefault(", ".join(sorted({*rules})), name)
    known = "; or ".join(f"{rules} (as in the deck {name})" for rules, name in needs.items())
    raise BadCell(
        1, "", f"a table has no contact rules, so that it needs these columns: {known}. Or write the deck as TOML."
    )


def deck_of(data: Mapping[str, Any]) -> DogDeck:
    """The deck of a deck file's data; of none at all, the standard deck.

    The same data give the same object. Raises CardhouseError, naming card and field, with all mistakes.
    """
    if not isinstance(data, Mapping):
        raise CardhouseError("deck must be a table, as a deck file has it.")
    return _deck_of_json(option_as_json(data, "deck")) if data else standard_deck()


@lru_cache(maxsize=64)
def _deck_of_json(text: bytes) -> DogDeck:
    """As `deck_of`; a game is made again and again from the same options."""
    data = msgspec.json.decode(text)
    check_option(wrong_with(data), "deck")
    return deck_from(data)
