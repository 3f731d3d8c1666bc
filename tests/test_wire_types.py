"""The page's wire types equal those of the Python that defines them."""

from scripts.wire_types import COMMON, ROOT, wires


def test_types_are_fresh() -> None:
    made = wires()
    assert {file: file.read_text("utf-8") for file in made} == made, "stale: run 'python -m scripts.wire_types'"


def test_the_common_types_import_nothing_from_a_game() -> None:
    assert not [line for line in wires()[ROOT / COMMON].splitlines() if line.startswith("import ")]
