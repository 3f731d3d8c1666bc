"""Which games agents can play: whatever packages offer under the entry point group `cardhouse.agents`."""

from __future__ import annotations

import re
import warnings
from importlib.metadata import entry_points
from typing import Any, TypeVar

from cardhouse.agents.scene import Scene

GROUP = "cardhouse.agents"
"""The entry points by which a package tells how agents play its game: the name of the game = a Scene."""

_Base = TypeVar("_Base")


def scenes() -> dict[str, type[Scene]]:
    """The scenes there are, by the names of their games, in alphabetical order; what can't be loaded is warned of."""
    found = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            kind = entry.load()
        except Exception as error:  # noqa: BLE001 (somebody else's code: anything may be wrong with it)
            warnings.warn(f"Agents can't play {entry.name}: {type(error).__name__}: {error}", stacklevel=2)
            continue
        if not (isinstance(kind, type) and issubclass(kind, Scene) and kind.game == entry.name):
            warnings.warn(f"Agents can't play {entry.name}: {entry.value} is no Scene of it.", stacklevel=2)
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
