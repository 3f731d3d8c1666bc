"""Which games agents can play: whatever packages offer under the entry point group `cardhouse.agents`."""

from __future__ import annotations

import warnings
from importlib.metadata import entry_points

from cardhouse.agents.scene import Scene

GROUP = "cardhouse.agents"
"""The entry points by which a package tells how agents play its game: the name of the game = a Scene."""


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


def name_for(kind: type[Scene], what: str) -> str:
    """What the `what` of a scene is called: a DogpileScene's Env is a DogpileEnv."""
    return f"{kind.__name__.removesuffix('Scene')}{what}"
