"""Deltas say exactly how one JSON value became another."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhouse.engine.values.delta import apply
from cardhouse.engine.values.delta import delta as delta_of_texts

KEYS = st.sampled_from(["a", "b", "0", "1", "-", "#", "+", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 5) | st.sampled_from([0.0, 0.5, 1.0]) | st.sampled_from("abc"),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


def delta(old: Any, new: Any) -> Any:
    change = delta_of_texts(msgspec.json.encode(old), msgspec.json.encode(new))
    return None if change is None else json.loads(bytes(change))


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def same(one: Any, other: Any) -> bool:
    """Whether they are the same JSON; Python takes True, 1 and 1.0 for equal."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(JSON, JSON)
def test_applied_it_gives_the_new_value(old: Any, new: Any) -> None:
    change = delta(old, new)
    if change is None:
        assert same(old, new)
    else:
        before = json.dumps(old)
        assert same(apply(old, change), new)
        assert json.dumps(old) == before


@given(JSON)
def test_nothing_has_changed(value: Any) -> None:
    assert delta(value, through_json(value)) is None


@given(st.lists(JSON, min_size=2, max_size=6))
def test_many_after_each_other(values: list[Any]) -> None:
    known = values[0]
    for value in values[1:]:
        if (change := delta(known, value)) is not None:
            known = apply(known, change)
        assert same(known, value)


@given(JSON, JSON)
def test_it_is_hardly_longer_than_the_whole(old: Any, new: Any) -> None:
    change = delta(old, new)
    assert change is None or len(json.dumps(change)) <= 3 * len(json.dumps(new)) + 60


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (1, 2, [2]),
        (1, True, [True]),
        ([1, 0, "quite long"], [True, 0.0, "quite long"], {"0": [True], "1": [0.0]}),
        ({"a": {"b": [1]}}, {"a": {"b": [True]}}, {"a": {"b": [[True]]}}),
        (None, {}, [{}]),
        ({"a": "long", "b": 2}, {"a": "long", "b": 3}, {"b": [3]}),
        ({"a": 1, "b": "quite long"}, {"b": "quite long"}, {"-": ["a"]}),
        ({"a": "quite long"}, {"a": "quite long", "c": [7]}, {"c": [[7]]}),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, {"a": {"b": {"c": [2]}}}),
        ([1, 2, 3], [1, 5, 3], {"1": [5]}),
        ([1234, 2345, 3456], [1234, 2345], {"#": 2}),
        ([123456789], [123456789, 2, 3], {"+": [2, 3]}),
        ([], [], None),
        ({"-": 1}, {"-": 2}, [{"-": 2}]),
        ([1, 2, 3, 4, 5, 6], [9, 8, 7, 6, 5, 4], [[9, 8, 7, 6, 5, 4]]),
    ],
)
def test_as_the_protocol_writes_it(old: Any, new: Any, change: Any) -> None:
    assert delta(old, new) == change


@pytest.mark.parametrize(
    ("old", "change"),
    [(1, {"a": [1]}), ([1], {"5": [1]}), ([1], {"x": [1]}), ([1, 2], {"#": 1, "1": [5]}), (1, []), (1, [1, 2])],
)
def test_one_that_does_not_fit(old: Any, change: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        apply(old, change)
