from __future__ import annotations

from random import Random

import pytest

from cardhouse.engine import OneOf, Several, Shape, Text, Whole, YesNo
from cardhouse.testing import fits, sample
from cardhouse.testing.playing import JUNK

FIELDS = [
    OneOf(("act",)),
    OneOf(("HA", "RJ"), "card"),
    OneOf(("gm", "ada"), "seat"),
    OneOf((1, 2)),
    Text(),
    Text(3, ("HA", "gm")),
    Whole(-1, 1),
    Whole(5, 10**9),
    YesNo(),
    Several(("HA", "C2", "RJ"), 1, 2, "card"),
    Several((), 0, 0),
]


@pytest.mark.parametrize("field", FIELDS, ids=repr)
def test_the_schema_says_what_the_check_does(field):
    """The check that refuses and the schema that the page makes its forms of agree, on right values and wrong ones."""
    for value in (*JUNK, None, "ada", "RJ", ["RJ", "RJ"], ["RJ", "HA"], ["RJ", "HA", "C2"], 5, "act"):
        if type(value) is not bool or isinstance(field, YesNo):  # the struct's own type keeps a bool out of a number
            assert (field.wrong(value) is None) == fits(field.schema(), value), value


@pytest.mark.parametrize("field", FIELDS, ids=repr)
def test_a_sampled_value_is_right(field):
    rng = Random(0)
    for _ in range(50):
        assert field.wrong(sample(field.schema(), rng)) is None


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        (OneOf(("HA", "C2")), "RJ", "can't be RJ here; it may be HA, C2"),
        (OneOf(("HA", "C2")), None, "is missing; it may be HA, C2"),
        (OneOf(tuple(range(20))), -1, "can't be -1 here; it may be 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more"),
        (Text(), None, "is missing"),
        (Text(), 5, "must be a text, not 5"),
        (Text(), " Ada", "must be a text with no blanks before or after it"),
        (Text(), "", "must be a text with no blanks before or after it"),
        (Text(3), "Adam", "may have 3 characters at most; this has 4"),
        (Text(), "Ada\nBen", "must be a single line without control characters"),
        (Text(), "Ada\u2028Ben", "must be a single line without control characters"),
        (Text(taken=("Ada",)), "Ada", "can't be Ada: that is taken"),
        (Whole(1, 6), 7, "must be a whole number from 1 to 6, not 7"),
        (Whole(1, 6), True, "must be a whole number from 1 to 6, not true"),
        (YesNo(), 1, "must be true or false, not 1"),
        (Several(("HA", "C2"), 1, 2), [], "must be a list of 1 to 2"),
        (Several(("HA", "C2"), 1, 2), ["RJ"], "can't hold RJ; it may hold HA, C2"),
        (Several(("HA", "C2"), 1, 2), ["HA", "HA"], "can't hold the same one twice"),
    ],
)
def test_errors_are_plain_sentences(field, value, says):
    assert field.wrong(value) == says


def test_a_long_value_is_shortened():
    wrong = OneOf(("HA",)).wrong("x" * 1000)
    assert wrong is not None
    assert len(wrong) < 100


def test_an_object_is_what_its_type_says():
    """Which objects fit, only the engine knows; a page is given one that does."""
    field = Shape(dict[str, int], {"STR": 10})
    assert field.wrong({"STR": 3}) is field.wrong({}) is None
    assert field.wrong(None) == "is missing"
    assert field.wrong({"STR": "strong"}) == "doesn't fit: Expected `int`, got `str` - at `$[...]`"
    assert field.wrong([3]) == "doesn't fit: Expected `object`, got `array`"
    assert field.schema() == {"type": "object", "examples": [{"STR": 10}]}
    assert field.wrong(sample(field.schema(), Random(0))) is None
    assert fits(field.schema(), {"STR": 10})
