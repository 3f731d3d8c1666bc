"""Checks of uploaded files and layouts, for worker processes."""

from typing import Any

from msgspec import Struct

from cardhouse.cards import Placed
from cardhouse.engine import find_game
from cardhouse.server.table.factory import with_few_mistakes
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import Json


class LayoutLaid(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards on a real table, and the game options that matter for judging them."""

    cards: list[Placed]
    options: Json = {}


def option_value(game: str, option: str, text: bytes) -> dict[str, Any]:
    """Return an option's value, under its name, from a file.

    Raises BadFile with its mistakes; CardhouseError if the option doesn't come from a file.
    """
    return with_few_mistakes(lambda: {option: find_game(game).read_option_file(option, text)})


def characters(game: str, text: bytes) -> dict[str, list[Any]]:
    """Return the sheets of a roster file.

    Raises CardhouseError, naming the place, if this game can't use it, or has no rosters.
    """
    return with_few_mistakes(lambda: {"characters": find_game(game).read_roster(text)})


def verdict(game: str, body: bytes) -> dict[str, Any]:
    """Return a judge's verdict on a layout, which is the body of a request.

    Raises CardhouseError if it is no layout, or the game has no judge.
    """
    laid = requests.read(body, LayoutLaid)
    return find_game(game).verdict_on(laid.cards, laid.options)
