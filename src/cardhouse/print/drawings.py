"""Drawings that screen and paper share: SVG files of many symbols, in the package or beside a game's page."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SYMBOL = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


@cache
def symbols(name: str, package: str = "cardhouse", folder: str = "drawings") -> dict[str, str]:
    """The drawings of a file by their names, each as the SVG inside it."""
    text = (files(package) / folder / f"{name}.svg").read_text("utf-8")
    return {found[1]: found[2] for found in _SYMBOL.finditer(text)}
