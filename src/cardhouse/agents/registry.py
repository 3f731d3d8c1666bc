"""Which games agents can play: by what packages offer under the entry points `cardhouse.agents`, all others plainly."""

from __future__ import annotations

import re
import warnings
from typing import Any, TypeVar

from cardhouse.agents.plain import plain_scene
from cardhouse.agents.scene import Scene
from cardhouse.engine import CardhouseError, game_names
from cardhouse.engine.diagnostics.registry import installed, refusals

GROUP = "cardhouse.agents"
"""The entry points by which a package tells how agents play its game: the name of the game = a Scene."""

_Base = TypeVar("_Base")


def scenes() -> dict[str, type[Scene]]:
    """A scene of each game, by its name, in alphabetical order; what can't be loaded is warned of.

    A game for which no package has a scene of its own has a plain one.
    """
    own = _own_scenes()
    return dict(sorted({**_plain_scenes(), **own}.items()))


def _plain_scenes() -> dict[str, type[Scene]]:
    """The plain scenes of those games that no package has one of."""
    told, found = {entry.name for entry in installed(GROUP)}, dict[str, type[Scene]]()
    for game in game_names():
        if game not in told:
            try:
                found[game] = plain_scene(game)
            except CardhouseError as error:
                warnings.warn(f"Agents can't play {game}: {error}", stacklevel=4)
    return found


def _own_scenes() -> dict[str, type[Scene]]:
    """The scenes that packages have."""
    found: dict[str, type[Scene]] = {}
    for refused in refusals(GROUP).values():
        warnings.warn(refused.message, stacklevel=4)
    for entry in sorted(installed(GROUP), key=lambda entry: entry.name):
        try:
            kind = entry.load()
        except Exception as error:  # noqa: BLE001 (somebody else's code: anything may be wrong with it)
            warnings.warn(f"Agents can't play {entry.name}: {type(error).__name__}: {error}", stacklevel=4)
            continue
        if not (isinstance(kind, type) and issubclass(kind, Scene) and kind.game == entry.name):
            warnings.warn(f"Agents can't play {entry.name}: {entry.value} isn't a Scene of it.", stacklevel=4)
            continue
        found[entry.name] = kind
    return found


def class_for(kind: type[Scene], base: type[_Base], what: str, **more: Any) -> type[_Base]:
    """The `what` of a scene: a class that has it as its `kind`, and stands in the base's module as if written there.

    It is called after the game: of `duel`, whatever its scene is called, the Env is DuelEnv.
    """
    name = "".join(word.capitalize() for word in re.findall(r"[^\W_]+", kind.game))
    told = {"__module__": base.__module__, "__doc__": kind.__doc__, "kind": kind, **more}
    return type(f"{name}{what}", (base,), told)
