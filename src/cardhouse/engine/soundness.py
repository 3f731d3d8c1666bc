"""Whether the class of a game says of itself what can be; what is wrong with it is told to its author."""

from __future__ import annotations

import inspect
import sysconfig
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cardhouse.engine.errors import BadGame
from cardhouse.engine.game import Game
from cardhouse.engine.questions import Action
from cardhouse.engine.source import unread_rules


def check_game(kind: type[Game], name: str) -> None:
    """Raises BadGame, with a sentence for each mistake, unless this can be the class of the game of this name."""
    found = [*_wrong_name(kind, name), *wrong_with(kind)]
    if found:
        raise BadGame("\n".join(one if ", line " in one else f"{_place_of_class(kind)}: {one}" for one in found))


def wrong_with(kind: type[Game]) -> Iterator[str]:
    """What is wrong with the class of a game or of a part of one, a sentence each."""
    yield from _wrong_lists(kind)
    for what, names in (("decks", kind.decks.values()), ("parts", kind.parts)):
        for attribute in names:
            if attribute not in kind.__struct_fields__:
                yield (
                    f"{kind.__name__}.{what} names {attribute}, which is no attribute of it: declare it, or name one "
                    f"of {', '.join(kind.__struct_fields__)}."
                )
    for bot, plays in kind.bots.items():
        if not callable(plays):
            yield f"{kind.__name__}.bots has {bot}, which is no function: a bot takes what is seen and a generator."
    if kind.at_any_time is not Game.at_any_time and kind.meanwhile is Game.meanwhile:
        yield (
            f"{kind.__name__}.at_any_time offers what nobody does: write {kind.__name__}.meanwhile(self, action), "
            f"which does what was offered."
        )
    yield from unread_rules(kind)
    for part in kind.parts.values():
        yield from wrong_with(part)


def _wrong_name(kind: type[Game], name: str) -> Iterator[str]:
    called = getattr(kind, "name", None)
    if called != name:
        has = "no name" if called is None else f"the name {called!r}"
        yield f'{kind.__name__} has {has}, and its entry point calls it {name}: write name = "{name}".'


def _wrong_lists(kind: type[Game]) -> Iterator[str]:
    actions: Any = kind.actions
    if not isinstance(actions, Sequence):
        only = getattr(actions, "__name__", "…")
        yield f"{kind.__name__}.actions must be a tuple: write actions = ({only},), with a comma."
    else:
        for action in actions:
            if not (isinstance(action, type) and issubclass(action, Action)):
                yield f"{kind.__name__}.actions has {action!r}, which is no subclass of cardhouse.engine.Action."
    for what in ("steps",):
        if isinstance(getattr(kind, what), str):
            yield f"{kind.__name__}.{what} must be a tuple: write {what} = ({getattr(kind, what)!r},), with a comma."
    for what in ("decks", "parts", "bots"):
        if not isinstance(getattr(kind, what), Mapping):
            yield f"{kind.__name__}.{what} must be a dictionary, by name."


def _place_of_class(kind: type[Game]) -> str:
    """Where the class of a game is written."""
    try:
        return f"{place_of(inspect.getfile(kind))}, line {inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return kind.__name__


def why_not_loaded(error: Exception) -> str:
    """What kept a game's module from being imported, as the end of a sentence."""
    if isinstance(error, TypeError) and "mutable collection" in str(error):
        place = traceback.extract_tb(error.__traceback__)[-1]
        return (
            f"a default in the class at line {place.lineno} of {place_of(place.filename)} is a list or dictionary that "
            f"isn't empty, which all tables would share: write msgspec.field(default_factory=lambda: …)."
        )
    return stumbled(error)


_FOREIGN = (Path(__file__).parents[1], Path(sysconfig.get_paths()["stdlib"]))
"""Where code stands that is no author's, but for what is installed, or stands among our games, there."""
_AUTHORS = ("site-packages", "dist-packages", "games")


def stumbled(error: BaseException) -> str:
    """An error of an author's code as a sentence without its end: where, as far as that is known, and what."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{place_of(error.filename)}, line {error.lineno}: {error.msg}"
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_authors(frame.filename)]
    return f"{place_of(frames[-1].filename)}, line {frames[-1].lineno}: {said}" if frames else said


def _is_authors(file: str) -> bool:
    for folder in _FOREIGN:
        if folder in (path := Path(file)).parents:
            return path.relative_to(folder).parts[0] in _AUTHORS
    return not file.startswith("<")


def place_of(file: str) -> str:
    """A file as it is named to its author."""
    path = Path(file)
    return f"{path.parent.name}/{path.name}"


# The state.


def written(game: Game) -> msgspec.Raw:
    """The state of a game as JSON.

    Raises BadGame, naming the attribute, if it can't be written.
    """
    try:
        return msgspec.Raw(msgspec.json.encode(game))
    except TypeError as error:
        raise BadGame(_unwritten(game, error)) from error


def _unwritten(game: Game, error: TypeError) -> str:
    for name in game.__struct_fields__:
        try:
            msgspec.json.encode(getattr(game, name))
        except TypeError as why:
            return (
                f"{type(game).__name__}.{name} can't be written to JSON ({why}): keep plain data in it: numbers, "
                f"texts, lists, dictionaries by text, decks and structs of these."
            )
    return f"{type(game).__name__} can't be written to JSON: {error}."


def read_back(state: msgspec.Raw, kind: type[Game]) -> Game:
    """A game from its state as JSON.

    Raises BadGame, naming the attribute, if its type doesn't allow what was written.
    """
    try:
        return msgspec.json.decode(state, type=kind)
    except (msgspec.ValidationError, NameError, TypeError) as error:
        raise BadGame(
            f"The state of {kind.__name__} isn't of the types it is declared with: {error}. Declare the attribute with "
            f"the type of what it holds, all of which must be plain data."
        ) from error
