"""Dogs, drawn from parts by breed, coat and mood: the same in print and on screen (web/src/art/hounds.ts)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from cardhouse.print.drawings import symbols
from cardhouse.print.seeded import fnv, numbers

LINE, PUG_LINE = "#2b211b", "#15100d"
"""The colour of a mouth; a pug's face is dark."""
TILTED = "rotate(-7 50 70)"
RED = "#c9352b"


class Dog(NamedTuple):
    """The properties that determine a dog's drawing."""

    breed: str
    coat: str
    mood: str


@cache
def _lists() -> dict[str, Any]:
    file = files("cardhouse") / "drawings" / "hounds.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])


def dog_of(of: str, known: Mapping[str, object]) -> Dog:
    """Return the dog of a card or a name: properties that aren't `known` follow from `of`."""
    following = numbers(fnv(f"hounds/{of.strip().lower()}"))

    def pick(kinds: Sequence[str], wanted: object) -> str:
        found = kinds[following() * len(kinds) >> 32]
        return wanted if isinstance(wanted, str) and wanted in kinds else found

    lists = _lists()
    breed, coat = pick(list(lists["breeds"]), known.get("breed")), pick(list(lists["coats"]), known.get("coat"))
    return Dog(breed, coat, pick(lists["moods"], known.get("mood")))


def dog(one: Dog, collar: str = RED) -> str:
    """Return a dog as the SVG inside a view box of 100 by 100."""
    lists, drawn = _lists(), symbols("hounds")
    colours = {**lists["coats"][one.coat], "collar": collar, "lip": PUG_LINE if one.breed == "pug" else LINE}
    ears, head, *face = lists["breeds"][one.breed]
    mark = ["spot"] if one.coat == "spotted" else ["blaze"] if "blaze" in face else []
    parts = ["body", ears, head, *mark, *(part for part in face if part != "blaze"), f"mood-{one.mood}"]
    svg = "".join(drawn[part] for part in parts)
    held = f'<g transform="{TILTED}">{svg}</g>' if one.mood == "curious" else svg
    return re.sub(r"var\(--(\w+)\)", lambda found: colours[found[1]], held + drawn["collar"])
