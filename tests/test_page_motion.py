"""The page animates only transform and opacity, which need no layout."""

import re
from collections.abc import Iterator

from tests.walkthrough import ROOT

MOVED = {"transform", "opacity", "rotate", "scale", "translate"}
STYLES = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
KEYFRAMES = re.compile(r"@keyframes [\w-]+\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
DECLARED = re.compile(r"[{;]\s*([\w-]+)\s*:")
TRANSITION = re.compile(r"[{;]\s*transition(?:-property)?\s*:\s*([^;}]+)")
APART = re.compile(r",(?![^(]*\))")
"""A comma that isn't inside parentheses."""


def styles() -> Iterator[tuple[str, str]]:
    """Each file of the page and of the games' pages that has styles, and those."""
    for folder in ("web/src", "src/cardhouse/games", "examples"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".svelte", ".css") or "node_modules" in file.parts:
                continue
            text = file.read_text("utf-8")
            found = text if file.suffix == ".css" else "".join(STYLES.findall(text))
            yield str(file.relative_to(ROOT)), COMMENT.sub("", found)


def moved_in(style: str) -> set[str]:
    """The properties that a style sheet animates or lets change gradually."""
    found = {name for frames in KEYFRAMES.findall(style) for name in DECLARED.findall(frames)}
    for transition in TRANSITION.findall(style):
        found |= {one.split()[0] for one in APART.split(transition)}
    return found - {"none"}


def test_only_transform_and_opacity_are_animated():
    moved = {file: moved_in(style) for file, style in styles()}
    assert {file: odd for file, names in moved.items() if (odd := names - MOVED)} == {}
    assert sum(map(bool, moved.values())) > 5


def test_what_is_animated_is_found():
    style = (
        "@keyframes a { from { width: 0; opacity: 0 } 50% { left: 1px } } .b { transition: color 1s ease, scale 2s }"
    )
    assert moved_in(style) == {"width", "opacity", "left", "color", "scale"}
