"""The page's types of what crosses the wire are those of the Python that defines it."""

from scripts.wire_types import COMMON, ROOT, wires


def test_types_are_fresh() -> None:
    made = wires()
    assert {file: file.read_text("utf-8") for file in made} == made, "stale: run 'python -m scripts.wire_types'"


def test_what_no_single_game_is_told_knows_of_none() -> None:
    assert "import" not in wires()[ROOT / COMMON]
