"""What is made of files and layouts that people send, by the worker processes."""

from typing import Any

from cardhouse.engine import find_game
from cardhouse.server.table.factory import of_few_mistakes
from cardhouse.server.wire import requests
from cardhouse.server.wire.requests import LayoutLaid


def option_value(game: str, option: str, text: bytes) -> dict[str, Any]:
    """An option's value, under its name, from a file.

    Raises BadFile with its mistakes; CardhouseError if the option doesn't come from a file.
    """
    return of_few_mistakes(lambda: {option: find_game(game).read_option_file(option, text)})


def characters(game: str, text: bytes) -> dict[str, list[Any]]:
    """The sheets of a roster file.

    Raises CardhouseError, saying where, if it is none that this game can use, or it keeps no roster.
    """
    return of_few_mistakes(lambda: {"characters": find_game(game).read_roster(text)})


def verdict(game: str, body: bytes) -> dict[str, Any]:
    """What a game's judge says of a layout, the body of a request.

    Raises CardhouseError if it is no layout, or the game judges none.
    """
    laid = requests.read(body, LayoutLaid)
    return find_game(game).verdict_on(laid.cards, laid.options)
