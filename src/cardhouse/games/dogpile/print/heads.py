"""The head of a dog, each card's own: the same as on the page, whose folder has the paths."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from cardhouse.print.pen import FAINT, INK, Pen


class Head(NamedTuple):
    """What a dog's head is drawn of, as SVG paths in a box of 100 by 100: a patch, lines, and what is all black."""

    mark: str
    lines: str
    black: str


def head_of(card: str) -> Head:
    """The head of the card with this id."""
    paths = _paths()
    n = sum(map(ord, card))

    def of(kinds: list[str], number: int) -> str:
        return kinds[number % len(kinds)]

    ears, mark, tongue = of(paths["ears"], n), of(paths["marks"], n >> 1), of(paths["tongues"], n >> 3)
    return Head(mark, paths["face"] + ears + paths["mouth"] + tongue, paths["eyes"] + paths["nose"])


def draw_head(pen: Pen, card: str, x: float, y: float, size: float) -> None:
    """It in a box of this size."""
    head = head_of(card)
    if head.mark:
        pen.shape(head.mark, x, y, size / 100, fill=FAINT)
    pen.shape(head.lines, x, y, size / 100, line=INK, thick=3.2)
    pen.shape(head.black, x, y, size / 100, fill=INK)


@cache
def _paths() -> dict[str, Any]:
    file = files("cardhouse.games.dogpile") / "page" / "heads.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
