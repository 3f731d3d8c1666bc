"""Data written as TOML reads back the same."""

import tomllib

from hypothesis import given
from hypothesis import strategies as some

from cardhouse.engine.values.toml_text import write_toml

TEXTS = some.text(some.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = TEXTS | some.integers(-(2**63), 2**63 - 1) | some.booleans()
VALUES = some.recursive(
    SCALARS, lambda deeper: some.lists(deeper, max_size=3) | some.dictionaries(TEXTS, deeper, max_size=3), max_leaves=8
)


@given(some.dictionaries(TEXTS, VALUES, max_size=4))
def test_it_is_read_as_the_same(data: dict[str, object]) -> None:
    assert tomllib.loads(write_toml(data)) == data


def test_a_section_for_each_table_and_nothing_for_nothing() -> None:
    data = {"C2": {"name": 'a "b"', "check": {"failed": "x"}, "special": None}, "name": "Deck"}
    assert write_toml(data) == 'name = "Deck"\n\n[C2]\nname = "a \\"b\\""\ncheck = { failed = "x" }\n'
