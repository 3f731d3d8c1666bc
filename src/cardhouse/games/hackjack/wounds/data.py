"""The wounds in play: the standard 52, and a table's own, validated as a whole (HJ-30)."""

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
from cardhouse.games.hackjack.wounds.schema import Wound, Wounds
from cardhouse.games.hackjack.wounds.validate import find_mistakes

WOUNDS_FILE: Final = Path(__file__).with_name("wounds.toml").read_text("utf-8")
"""The standard wounds as a wounds file. Its opening lines explain the format."""


class WoundsFileError(TomlFileError):
    """A wounds file that can't be used."""

    of = "wounds"


# The public functions.


@cache
def standard_wounds() -> Wounds:
    """Return the 52 wounds of the rules in the order of the standard deck. Shared between calls: do not modify."""
    return _wounds(tomllib.loads(WOUNDS_FILE), {})


def read_wounds(text: str | bytes, where: str = "wounds file") -> Wounds:
    """Return all 52 wounds: those of a wounds file, and the standard ones of the cards it leaves out (HJ-30).

    `where` names the file in errors. Raises WoundsFileError listing every mistake.
    """
    data = read_toml_or_csv(text, where, lambda data: find_mistakes(data, standard_wounds()), WoundsFileError, Wound)
    return _wounds(data, standard_wounds())


def wounds_from(data: Mapping[str, Any]) -> Wounds:
    """Return all 52 wounds: those in `data` by card, as in a wounds file, and the standard ones of the other cards.

    Equal data return the same object: do not modify. Raises CardhouseError listing every mistake with its card and
    field.
    """
    if not isinstance(data, Mapping):
        raise CardhouseError("wounds must be a table, with a wound for each card that is rewritten.")
    if not data:
        return standard_wounds()
    return _wounds_of_json(option_as_json(data, "wounds"))


def rewritten(wounds: Wounds) -> list[Card]:
    """Return the cards whose wounds differ from the standard ones, in the order of the standard deck."""
    standard = standard_wounds()
    return [card for card in STANDARD if wounds[card] != standard[card]]


@lru_cache(maxsize=64)
def _wounds_of_json(text: bytes) -> Wounds:
    """Return the wounds as `wounds_from` does. Cached, because games are rebuilt from the same options many times."""
    data = msgspec.json.decode(text)
    check_option(find_mistakes(data, standard_wounds()), "wounds")
    return _wounds(data, standard_wounds())


def _wounds(data: Mapping[str, Any], others: Wounds) -> Wounds:
    """Convert validated data to wounds, taking the other cards' wounds from `others`."""
    return {card: msgspec.convert(data[card], Wound) if card in data else others[card] for card in STANDARD}
