"""Deck files: those that come with Cardhouse, and those that people write, checked as a whole (DG-20)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.engine.toml_file import TomlFileError, check_option, option_as_json, read_toml
from cardhouse.games.dogpile.deck import DogDeck, deck_from
from cardhouse.games.dogpile.deck_check import wrong_with

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
    return read_toml(text, where, wrong_with, DeckFileError)


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
