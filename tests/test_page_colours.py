"""The page's colours have enough contrast in the dark and light themes, and on each table's cloth."""

import json
import re

import pytest

from cardhouse.engine import game_names
from tests.walkthrough import ROOT

STYLE = (ROOT / "web" / "src" / "app.css").read_text("utf-8")
READ = 4.5
"""What WCAG 2 asks of text (AA)."""
SEATS = tuple(f"seat-{number}" for number in range(8))
INK = ("ink", "quiet", "brass", "red", *SEATS)


def colour(name: str, *, dark: bool) -> str:
    """What a name stands for, by lamplight or by day."""
    found = re.search(rf"--{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", STYLE)
    assert found, name
    day, night, both = found.groups()
    return str(both or (night if dark else day))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [True, False], ids=["lamp", "day"])
@pytest.mark.parametrize("ground", ["ground", "raised", "sunk"])
def test_all_that_is_written_can_be_read(ground: str, dark: bool):
    under = colour(ground, dark=dark)
    told = {ink: contrast(colour(ink, dark=dark), under) for ink in INK}
    assert {ink: found for ink, found in told.items() if found < READ} == {}


@pytest.mark.parametrize("game", game_names())
def test_text_on_a_games_cloth_is_readable(game: str):
    world = json.loads((ROOT / f"src/cardhouse/games/{game}/page/world/world.json").read_text("utf-8"))
    found = {(ink, cloth): contrast(world[ink], cloth) for ink in ("ink", "quiet") for cloth in world["cloth"]}
    assert {where: ratio for where, ratio in found.items() if ratio < READ} == {}


def test_what_has_been_tried_can_fail():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#888888") < READ
