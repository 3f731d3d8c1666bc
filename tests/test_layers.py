"""Dependencies point downward: cards <- engine <- games <- lab, agents, print <- server <- cli (CONTRIBUTING.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "cardhouse"

BELOW = {
    "cards": set(),
    "engine": {"cards"},
    "testing": {"cards", "engine"},
    "games": {"cards", "engine"},
    "server": {"cards", "engine", "games", "lab"},
    "lab": {"cards", "engine", "games"},
    "agents": {"cards", "engine", "games"},
    "print": {"cards", "engine", "games"},
    "cli": {"cards", "engine", "games", "lab", "server", "print"},
}
"""What each part may import, beside itself and the package's own version."""
ROOMS = {"lab": {"lab"}, "print": {"print"}, "agent": {"agents"}, "commands": {"cli", "lab", "print"}}
"""What the rooms of a game's folder may import beside what its rules may."""


def imported(file: Path) -> Iterator[str]:
    """The names of the modules a file imports, inside functions too."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            yield node.module or ""


@pytest.mark.parametrize("part", BELOW)
def test_a_part_knows_nothing_of_those_above_it(part: str):
    for file in (PACKAGE / part).rglob("*.py"):
        place = file.relative_to(PACKAGE).with_suffix("").parts
        beside = ROOMS.get(place[2], set()) if part == "games" and len(place) > 2 else set()
        for name in imported(file):
            if name.startswith("cardhouse."):
                allowed = {part, *BELOW[part], *beside}
                assert name.split(".")[1] in allowed, f"{file.relative_to(PACKAGE)} imports {name}"


def test_every_part_has_its_place():
    parts = {folder.name for folder in PACKAGE.iterdir() if any(folder.glob("*.py"))}
    assert parts <= set(BELOW)
