"""The wounds: the standard 52, and those a table has written for itself, checked as a whole (HJ-30)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from cardhouse.cards import STANDARD, Card
from cardhouse.engine import CardhouseError
from cardhouse.engine.authoring.toml_file import TomlFileError, check_option, option_as_json, read_toml_or_csv
from cardhouse.games.hackjack.wound import Wound, Wounds
from cardhouse.games.hackjack.wound_check import wrong_with

WOUNDS_FILE: Final = Path(__file__).with_name("wounds.toml").read_text("utf-8")
"""The standard wounds as a wounds file, which tells in its first lines how one is written."""


class WoundsFileError(TomlFileError):
    """A wounds file that can't be used."""

    of = "wounds"


# What others call.


@cache
def standard_wounds() -> Wounds:
    """The 52 wounds of the rules, in the order of the standard deck; the same object each time, not to be changed."""
    return _wounds(tomllib.loads(WOUNDS_FILE), {})


def read_wounds(text: str | bytes, where: str = "wounds file") -> Wounds:
    """All 52 wounds: those of a wounds file, and the standard ones of the cards it leaves out (HJ-30).

    `where` is what the file is called. Raises WoundsFileError with all mistakes in it.
    """
    data = read_toml_or_csv(text, where, lambda data: wrong_with(data, standard_wounds()), WoundsFileError, Wound)
    return _wounds(data, standard_wounds())


def wounds_from(data: Mapping[str, Any]) -> Wounds:
    """All 52 wounds: those that plain data holds by card, as a wounds file does, and the standard ones of the others.

    Not to be changed: the same data give the same object. Raises CardhouseError, naming card and field, with all
    mistakes.
    """
    if not isinstance(data, Mapping):
        raise CardhouseError("wounds must be a table, with a wound for each card that is rewritten.")
    if not data:
        return standard_wounds()
    return _wounds_of_json(option_as_json(data, "wounds"))


def rewritten(wounds: Wounds) -> list[Card]:
    """The cards whose wounds are not the standard ones, in the order of the standard deck."""
    standard = standard_wounds()
    return [card for card in STANDARD if wounds[card] != standard[card]]


@lru_cache(maxsize=64)
def _wounds_of_json(text: bytes) -> Wounds:
    """As `wounds_from`; a game is made again and again from the same options."""
    data = msgspec.json.decode(text)
    check_option(wrong_with(data, standard_wounds()), "wounds")
    return _wounds(data, standard_wounds())


def _wounds(data: Mapping[str, Any], others: Wounds) -> Wounds:
    """Checked data as wounds, with those of the other cards."""
    return {card: msgspec.convert(data[card], Wound) if card in data else others[card] for card in STANDARD}
