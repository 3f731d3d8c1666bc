"""Drawings that screen and print share: SVG files of many symbols, in the package or next to a game's page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def symbols(name: str, package: str = "cardhouse", folder: str = "drawings") -> dict[str, str]:
    """Return the drawings of a file by name, each as the inner SVG."""
    text = (files(package) / folder / f"{name}.svg").read_text("utf-8")
    found = (drawn.partition('"') for drawn in text.split('<symbol id="')[1:])
    return {symbol: rest.partition(">")[2].partition("</symbol>")[0] for symbol, _, rest in found}
