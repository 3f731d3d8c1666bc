"""Checks of a game's class declarations, with messages for its author."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine.diagnostics.lint import ENGINES_OWN, unread_rules
from cardhouse.engine.diagnostics.runtime_errors import place_of
from cardhouse.engine.game.game import Game
from cardhouse.engine.values.errors import BadGame
from cardhouse.engine.values.options import Options
from cardhouse.engine.values.questions import Action, Step


def check_game(kind: type[Game], name: str) -> None:
    """Raise BadGame, with a sentence for each mistake, unless this is a valid class for the game of this name."""
    found = [*_check_name(kind, name), *find_mistakes(kind)]
    if found:
        raise BadGame("\n".join(one if ", line " in one else f"{_place_of_class(kind)}: {one}" for one in found))


def find_mistakes(kind: type[Game]) -> Iterator[str]:
    """Yield a sentence for each mistake in the class of a game or part."""
    yield from _check_lists(kind)
    for group, names in (("decks", kind.decks.values()), ("parts", kind.parts)):
        for attribute in names:
            if attribute not in kind.__struct_fields__:
                yield (
                    f"{kind.__name__}.{group} names {attribute}, which is not an attribute of it: declare it, or name "
                    f"one of {', '.join(kind.__struct_fields__)}."
                )
    for bot, plays in kind.bots.items():
        if not callable(plays):
            yield (
                f"{kind.__name__}.bots has {bot}, which is not a function: a bot is a function of a view and a random "
                f"number generator."
            )
    if kind.at_any_time is not Game.at_any_time and kind.meanwhile is Game.meanwhile:
        yield (
            f"{kind.__name__}.at_any_time offers actions that nothing carries out: write "
            f"{kind.__name__}.meanwhile(self, action), which carries them out."
        )
    yield from _check_actions(kind)
    yield from _check_names(kind)
    yield from _check_options(kind)
    yield from unread_rules(kind)
    for part in kind.parts.values():
        yield from find_mistakes(part)


def _check_name(kind: type[Game], name: str) -> Iterator[str]:
    called = getattr(kind, "name", None)
    if called != name:
        has = "no name" if called is None else f"the name {called!r}"
        yield f'{kind.__name__} has {has}, but its entry point is called {name}: write name = "{name}".'


def _check_lists(kind: type[Game]) -> Iterator[str]:
    actions: Any = kind.actions
    if not isinstance(actions, Sequence):
        only = getattr(actions, "__name__", "…")
        yield f"{kind.__name__}.actions must be a tuple: write actions = ({only},), with a comma."
    else:
        for action in actions:
            if not (isinstance(action, type) and issubclass(action, Action)):
                yield f"{kind.__name__}.actions has {action!r}, which is not a subclass of cardhouse.engine.Action."
    for attribute in ("steps",):
        if isinstance(getattr(kind, attribute), str):
            yield (
                f"{kind.__name__}.{attribute} must be a tuple: write {attribute} = ({getattr(kind, attribute)!r},), "
                "with a comma."
            )
    for attribute in ("decks", "parts", "bots"):
        if not isinstance(getattr(kind, attribute), Mapping):
            yield f"{kind.__name__}.{attribute} must be a dictionary with names as keys."


_LINE_KEYS = ("by", "do", "id")
_RULES_METHODS = ("ask", "draw", "draw_face_down", "now", "roll", "step", "tell")
"""Methods that the rules call. `_LINE_KEYS` are the keys of a line besides an action's fields."""


def _place_of_class(kind: type[Game]) -> str:
    """Return the file and line of a game's class."""
    try:
        return f"{place_of(inspect.getfile(kind))}, line {inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return kind.__name__


def _check_actions(kind: type[Game]) -> Iterator[str]:
    if not isinstance(kind.actions, Sequence):
        return
    words: dict[str, type[Action]] = {}
    for action in (Step, *kind.actions):
        if not (isinstance(action, type) and issubclass(action, Action)):
            continue
        if words.setdefault(action.word(), action) is not action:
            yield f"{kind.__name__}.actions has two classes called {action.word()}: rename one of them."
        for field in set(action.__struct_encode_fields__) & set(_LINE_KEYS):
            yield f"{action.__name__}.{field} has a name that the engine uses in every action: rename it."


def _check_names(kind: type[Game]) -> Iterator[str]:
    for name in ENGINES_OWN:
        if name in kind.__struct_fields__:
            yield f"{kind.__name__}.{name} is an attribute that the engine needs itself: rename yours."
    for name in _RULES_METHODS:
        if getattr(kind, name) is not getattr(Game, name):
            yield (f"{kind.__name__}.{name} hides the engine's method {name}, which rules need: rename yours.")


def _check_options(kind: type[Game]) -> Iterator[str]:
    options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    if not (isinstance(options, type) and issubclass(options, Options)):
        yield f"{kind.__name__}.options must have a subclass of cardhouse.engine.Options as its type."
        return
    for field in msgspec.structs.fields(options):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if default is msgspec.NODEFAULT:
            yield f"{options.__name__}.{field.name} has no default, but every option needs one: add it."
            continue
        try:
            msgspec.convert(msgspec.to_builtins(default), field.type)
        except (msgspec.ValidationError, TypeError) as error:
            yield (
                f"The default of {options.__name__}.{field.name} is {default!r}, which its type doesn't allow: {error}."
            )
    for name in set(kind.usual_options) - set(options.__struct_fields__):
        there = ", ".join(options.__struct_fields__) or "none"
        yield f"{kind.__name__}.usual_options names {name}, which is not an option. Options: {there}."


# The state.


def encode_state(game: Game) -> msgspec.Raw:
    """Return the state of a game as JSON.

    Raises BadGame, naming the attribute, if it can't be written.
    """
    try:
        return msgspec.Raw(msgspec.json.encode(game))
    except TypeError as error:
        raise BadGame(_find_unencodable(game, error)) from error


def _find_unencodable(game: Game, error: TypeError) -> str:
    for name in game.__struct_fields__:
        try:
            msgspec.json.encode(getattr(game, name))
        except TypeError as why:
            return (
                f"{type(game).__name__}.{name} can't be written to JSON ({why}). Keep only plain data in it: "
                f"numbers, texts, lists, dictionaries with text keys, decks and structs of these."
            )
    return f"{type(game).__name__} can't be written to JSON: {error}."


def decode_state(state: msgspec.Raw, kind: type[Game]) -> Game:
    """Restore a game from its state as JSON.

    Raises BadGame if the types don't allow what was written.
    """
    try:
        return msgspec.json.decode(state, type=kind)
    except (msgspec.ValidationError, NameError, TypeError) as error:
        raise BadGame(
            f"The state of {kind.__name__} doesn't match its declared types: {error}. Declare the attribute with the "
            f"type of its values, which must be plain data."
        ) from error
