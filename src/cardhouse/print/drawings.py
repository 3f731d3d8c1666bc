"""Drawings that screen and print share: SVG files of many symbols, in the package or next to a game's page."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SYMBOL = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def symbols(name: str, package: str = "cardhouse", folder: str = "drawings") -> dict[str, str]:
    """Return the drawings of a file by name, each as the inner SVG."""
    text = (files(package) / folder / f"{name}.svg").read_text("utf-8")
    return {found[1]: found[2] for found in _SYMBOL.finditer(text)}
