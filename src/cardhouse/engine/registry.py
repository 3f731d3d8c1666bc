"""Which games there are: whatever packages offer under the entry point group `cardhouse.games`."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from typing import Any

from cardhouse.engine.errors import CardhouseError
from cardhouse.engine.game import Game
from cardhouse.engine.soundness import check_game
from cardhouse.engine.stumbling import not_in_module, why_not_loaded

GROUP = "cardhouse.games"


@cache
def installed(group: str) -> EntryPoints:
    """What packages offer under a group: to look through all that is installed takes long, and anybody may ask."""
    return entry_points(group=group)


def look_again() -> None:
    """Forget what was found installed, for something has come since, or gone; games that are loaded stay so."""
    for found in (installed, game_names, brought_for):
        found.cache_clear()


@cache
def game_names() -> tuple[str, ...]:
    """The names of all installed games, in alphabetical order."""
    return tuple(sorted(installed(GROUP).names))


@cache
def find_game(name: str) -> type[Game]:
    """The game of this name.

    Raises CardhouseError if none is installed or it can't be loaded, BadGame if its class can't be a game's.
    """
    if name not in game_names():
        raise CardhouseError(f"There is no game called {name}; installed are {', '.join(game_names()) or 'none'}.")
    if name in _INSTEAD:
        check_game(_INSTEAD[name], name)
        return _INSTEAD[name]
    for entry in installed(GROUP).select(name=name):
        try:
            game = entry.load()
        except Exception as error:  # somebody else's code: anything may be wrong with it
            missing = not_in_module(entry, error) if isinstance(error, AttributeError) else ""
            raise CardhouseError(f"The game {name} can't be loaded: {missing or why_not_loaded(error)}") from error
        if not (isinstance(game, type) and issubclass(game, Game)):
            raise CardhouseError(f"The entry point of the game {name} doesn't name a subclass of cardhouse.Game.")
        check_game(game, name)
        return game
    raise CardhouseError(f"The game {name} has been removed since this was started.")


@cache
def brought_for(game: str, group: str, what: str) -> tuple[Any, ...]:
    """All that packages bring for a game by the entry points of a group, each of which names some of it, in order.

    Raises CardhouseError for a game that there isn't, and, about `what` it is, if something can't be loaded.
    """
    find_game(game)
    found: list[Any] = []
    for entry in installed(group).select(name=game):
        try:
            found += entry.load()
        except Exception as error:  # somebody else's code: anything may be wrong with it
            raise CardhouseError(f"{what} can't be loaded: {type(error).__name__}: {error}.") from error
    return tuple(found)


_INSTEAD: dict[str, type[Game]] = {}
"""Variants that are played in place of installed games."""


@contextmanager
def played_by(kind: type[Game]) -> Iterator[None]:
    """Have this class found under its game's name in this process, in place of the one that is installed.

    It is for trying a rule out, where nobody else plays.
    """
    before = _INSTEAD.get(kind.name)
    _instead(kind.name, kind)
    try:
        yield
    finally:
        _instead(kind.name, before)


def _instead(name: str, kind: type[Game] | None) -> None:
    if kind is None:
        del _INSTEAD[name]
    else:
        _INSTEAD[name] = kind
    find_game.cache_clear()
