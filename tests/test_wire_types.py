"""The page's types of what crosses the wire are those of the Python that defines it."""

from scripts.wire_types import WIRE, wire


def test_types_are_fresh() -> None:
    assert WIRE.read_text("utf-8") == wire(), "stale: run 'python -m scripts.wire_types'"
