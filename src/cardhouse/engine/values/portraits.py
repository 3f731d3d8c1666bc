"""Portraits: the style of a game's portraits, and the chosen portrait of each name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

FACES: Final = 12
"""The number of portraits for each name, numbered from 0."""
MOST_FACES: Final = 100
"""The most chosen portraits that a table keeps, the latest ones."""

Face = Annotated[int, Meta(ge=0, lt=FACES)]
Faces = Annotated[dict[Annotated[str, Meta(max_length=200)], Face], Meta(max_length=MOST_FACES)]
"""The number of each chosen portrait, by the name in lower case."""


NO_FACES: Final[Mapping[str, int]] = MappingProxyType({})


class Portraits(NamedTuple):
    """The style in which a game draws people, as `Game.people`, and the chosen portraits, as `Faces`."""

    people: str = ""
    faces: Mapping[str, int] = NO_FACES

    def face_of(self, name: str) -> int:
        """Return the number of a name's portrait."""
        return self.faces.get(name.lower(), 0)


NO_PORTRAITS: Final = Portraits()
