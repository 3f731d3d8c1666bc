"""Cards laid on a grid: errors of a laying, its schema, and agreement of all its readers."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhouse.cards import Placed
from cardhouse.engine import Laying
from cardhouse.testing import fits, sample
from cardhouse.testing.playing import JUNK
from cardhouse.testing.trees import values_of
from tests.thorough import many

MIDDLE = ((0, 0),)
FIELD = Laying(("C7", "D8", "H9"), MIDDLE, 3)
FIELDS = [
    FIELD,
    Laying(("C7",), MIDDLE, 1),
    Laying(("C7", "D8", "H9"), MIDDLE, 3, least=1),
    Laying(("C7", "D8", "H9"), MIDDLE, 3, least=3),
    Laying(("C7", "D8"), MIDDLE, 2, touching=True),
    Laying(("C7", "D8", "H9", "S2"), ((0, 0), (1, 0), (1, 1), (-2, 1)), 2, least=2, touching=True),
    Laying((), MIDDLE, 2),
]


def laid(text: str) -> list[Placed]:
    """`C7@1,0 D8@2,0` as cards on cells."""
    parts = (one.partition("@") for one in text.split())
    return [Placed(card, *map(int, cell.split(","))) for card, _, cell in parts]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("", None),
        ("C7@1,0", None),
        ("H9@-3,3 C7@3,-3 D8@0,1", None),
        ("S2@1,0", "can't hold S2, which is not in this hand; that is C7, D8, H9"),
        ("C7@1,0 S2@2,0", "can't hold S2, which is not in this hand; that is C7, D8, H9"),
        ("C7@1,0 C7@2,0", "can't hold C7 twice"),
        ("C7@4,0", "can't lay C7 on (4, 0): the grid goes from -3 to 3 in both directions"),
        ("C7@-4,0", "can't lay C7 on (-4, 0): the grid goes from -3 to 3 in both directions"),
        ("C7@0,4", "can't lay C7 on (0, 4): the grid goes from -3 to 3 in both directions"),
        ("C7@0,-4", "can't lay C7 on (0, -4): the grid goes from -3 to 3 in both directions"),
        ("C7@0,0", "can't lay C7 on (0, 0): there is a card"),
        ("C7@1,1 D8@1,1", "can't lay D8 on (1, 1): there is a card"),
    ],
)
def test_a_wrong_laying_is_refused_with_a_reason(value, says):
    assert FIELD.wrong(laid(value)) == says


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("C7@1,0 D8@2,0", None),
        ("C7@0,-1 D8@1,-1", None),
        ("C7@1,1", "can't lay C7 on (1, 1): it must touch a card that is already there"),
        ("D8@2,0 C7@1,0", "can't lay D8 on (2, 0): it must touch a card that is already there"),
        ("C7@2,0", "can't lay C7 on (2, 0): it must touch a card that is already there"),
    ],
)
def test_each_card_touches_one_before_it(value, says):
    assert Laying(("C7", "D8"), MIDDLE, 3, touching=True).wrong(laid(value)) == says


@pytest.mark.parametrize(
    "value", [None, "C7", 7, {}, ["C7"], [{"card": "C7", "x": 1, "y": 0}], [Placed("C7", 1, 0), 3]]
)
def test_an_invalid_list_of_cards_on_cells_is_refused(value):
    assert FIELD.wrong(value) == 'must be a list of {"card": …, "x": …, "y": …}'


def test_as_many_as_there_must_be():
    field = Laying(("C7", "D8"), MIDDLE, 3, least=2)
    assert field.wrong(laid("C7@1,0")) == "must be 2 at least"
    assert field.wrong(laid("C7@1,0 D8@2,0")) is None


def test_the_schema():
    number = {"type": "integer", "minimum": -3, "maximum": 3}
    assert Laying(("C7", "D8"), ((0, 0), (1, -1)), 3, least=1, touching=True).schema() == {
        "type": "array",
        "format": "laying",
        "items": {
            "type": "object",
            "properties": {"card": {"enum": ["C7", "D8"], "format": "card"}, "x": number, "y": number},
            "required": ["card", "x", "y"],
            "additionalProperties": False,
        },
        "minItems": 1,
        "maxItems": 2,
        "taken": [[0, 0], [1, -1]],
        "touching": True,
    }


def agree(field: Laying, value: Any) -> bool:
    """Whether the check and the schema say the same of a value from JSON, and what they say."""
    try:
        placed = msgspec.convert(value, list[Placed])
    except msgspec.ValidationError:
        right = False
    else:
        right = field.wrong(placed) is None
    assert fits(field.schema(), value) == right, value
    return right


CELL = st.integers(-3, 3)
CARD = st.sampled_from(["C7", "D8", "H9", "S2", "C1"])


@settings(max_examples=many(300, 60), deadline=None)
@given(st.sampled_from(FIELDS), st.lists(st.fixed_dictionaries({"card": CARD, "x": CELL, "y": CELL}), max_size=4))
def test_the_schema_says_what_the_check_does(field, value):
    agree(field, value)


@pytest.mark.parametrize("field", FIELDS, ids=repr)
def test_so_they_do_of_anything_else(field):
    right = {"card": "C7", "x": 1, "y": 0}
    junk = [*JUNK, None, [None], [right, None], [[]]]
    junk += [[{**right, key: value}] for key in (*right, "extra") for value in JUNK]
    junk += [[{key: value for key, value in right.items() if key != gone}] for gone in right]
    for value in junk:
        agree(field, value)


@pytest.mark.parametrize("field", FIELDS, ids=repr)
def test_a_sampled_laying_is_right(field):
    rng = Random(0)
    counts = set()
    for _ in range(100):
        value = sample(field.schema(), rng)
        assert agree(field, value)
        counts.add(len(value))
    assert counts == set(range(field.least, len(field.cards) + 1))


def test_a_small_grid_has_as_many_layings_as_can_be_counted():
    """On 3 x 3 with the middle taken: none; one of two cards on 8 cells; both, in either order, on 8 and then 7."""
    field = Laying(("C7", "D8"), MIDDLE, 1)
    every = values_of(field)
    assert len(every) == 1 + 2 * 8 + 2 * 8 * 7
    assert all(field.wrong(value) is None for value in every)
    assert len({tuple(value) for value in every}) == len(every)
    assert len(values_of(Laying(("C7", "D8"), MIDDLE, 1, least=2))) == 2 * 8 * 7
    # Beside the middle are 4 cells; from there the corners next to it and the 3 others beside the middle.
    assert len(values_of(Laying(("C7", "D8"), MIDDLE, 1, touching=True))) == 1 + 2 * 4 + 2 * 4 * (2 + 3)
