"""What is made of files and layouts that people send, by the worker processes."""

from collections.abc import Callable
from typing import Any

import msgspec

from cardhouse.cards import Placed
from cardhouse.engine import BadFile, find_game

MOST_MISTAKES = 200
"""A file has so many mistakes told at most; whoever has put them right hears of the others."""


def option_value(game: str, option: str, text: bytes) -> dict[str, Any]:
    """An option's value, under its name, from a file.

    Raises BadFile with its mistakes; CardhouseError if the option doesn't come from a file.
    """
    return _read(lambda: {option: find_game(game).read_option_file(option, text)})


def characters(game: str, text: bytes) -> dict[str, list[Any]]:
    """The sheets of a roster file.

    Raises CardhouseError, saying where, if it is none that this game can use, or it keeps no roster.
    """
    return _read(lambda: {"characters": find_game(game).read_roster(text)})


def verdict(game: str, cards: bytes, options: bytes) -> dict[str, Any]:
    """What a game's judge says of a layout; cards and options are JSON.

    Raises CardhouseError if it is no layout, or the game judges none.
    """
    laid = msgspec.json.decode(cards, type=list[Placed])
    return find_game(game).verdict_on(laid, msgspec.json.decode(options))


def _read(read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return read()
    except BadFile as error:
        del error.mistakes[MOST_MISTAKES:]
        error.message = "\n".join(error.message.split("\n")[: MOST_MISTAKES + 1])  # it names them, too
        raise
