"""The games that agents can play: scenes from the entry points `cardhouse.agents`, and default scenes of all others."""

from __future__ import annotations

import re
import warnings
from typing import Any, TypeVar

from cardhouse.agents.plain import plain_scene
from cardhouse.agents.scene import Scene
from cardhouse.engine import CardhouseError, game_names
from cardhouse.engine.diagnostics.registry import installed, refusals

GROUP = "cardhouse.agents"
"""The entry point group in which a package declares a scene: the name of the game = a Scene."""

_Base = TypeVar("_Base")


def scenes() -> dict[str, type[Scene]]:
    """Return a scene of each game, by name, in alphabetical order; those that can't be loaded cause a warning.

    A game without a scene in any package has a default one.
    """
    own = _own_scenes()
    return dict(sorted({**_plain_scenes(), **own}.items()))


def _plain_scenes() -> dict[str, type[Scene]]:
    """Return the default scenes of the games without their own."""
    names, found = {entry.name for entry in installed(GROUP)}, dict[str, type[Scene]]()
    for game in game_names():
        if game not in names:
            try:
                found[game] = plain_scene(game)
            except CardhouseError as error:
                warnings.warn(f"Agents can't play {game}: {error}", stacklevel=4)
    return found


def _own_scenes() -> dict[str, type[Scene]]:
    """Return the scenes that packages declare."""
    found: dict[str, type[Scene]] = {}
    for refused in refusals(GROUP).values():
        warnings.warn(refused.message, stacklevel=4)
    for entry in sorted(installed(GROUP), key=lambda entry: entry.name):
        try:
            kind = entry.load()
        except Exception as error:  # noqa: BLE001 (other people's code: anything may be wrong with it)
            warnings.warn(f"Agents can't play {entry.name}: {type(error).__name__}: {error}", stacklevel=4)
            continue
        if not (isinstance(kind, type) and issubclass(kind, Scene) and kind.game == entry.name):
            warnings.warn(
                f"Agents can't play {entry.name}: {entry.value} isn't a subclass of Scene for this game.", stacklevel=4
            )
            continue
        found[entry.name] = kind
    return found


def class_for(kind: type[Scene], base: type[_Base], what: str, **more: Any) -> type[_Base]:
    """Return the `what` of a scene: a class with it as its `kind`, in the base's module as if written there.

    It is named after the game: the Env of `duel`, whatever its scene is called, is DuelEnv.
    """
    name = "".join(word.capitalize() for word in re.findall(r"[^\W_]+", kind.game))
    attributes = {"__module__": base.__module__, "__doc__": kind.__doc__, "kind": kind, **more}
    return type(f"{name}{what}", (base,), attributes)
