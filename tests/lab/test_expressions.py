"""Expressions for policies: their values, compared with Python's, and their errors."""

from __future__ import annotations

from random import Random

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.lab.questions.expressions import read_expression
from tests.thorough import many

KNOWN = {"score": "the death-score", "pool": "Blood in the pool"}
SIZES = {"score": 5, "pool": 4}


def some(rng: Random, depth: int) -> str:
    """An expression by chance."""
    if not depth:
        return rng.choice(["score", "pool", str(rng.randrange(30))])
    one, two, three = (some(rng, depth - 1) for _ in range(3))
    ways = [f"({one} {op} {two})" for op in ("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "and", "or")]
    ways += [f"({one} {op} {rng.randrange(1, 9)})" for op in ("//", "%")]
    ways += [f"(not {one})", f"(-{one})", f"({one} if {two} else {three})", f"({one} < {two} <= {three})"]
    ways += [f"min({one}, {two})", f"max({one}, {two}, {three})", f"abs({one})"]
    return rng.choice(ways)


def test_an_expression_is_what_python_says_of_it():
    rng = Random(4)
    tried = 0
    while tried < many(3_000, 150):
        text = some(rng, rng.randrange(1, 4))
        if len(text) > 120:
            continue
        tried += 1
        read = read_expression(text, KNOWN)
        table = read.table(SIZES)
        for score in range(5):
            for pool in range(4):
                by_python = int(eval(text, {}, {"score": score, "pool": pool}))
                assert table[score, pool] == by_python, text
        assert read.value({"score": 3, "pool": 2}) == table[3, 2]


def test_a_constant_is_a_table_too():
    assert read_expression("7", KNOWN).table(SIZES).tolist() == [[7] * 4] * 5
    assert read_expression("pool > 1", KNOWN).names == ("pool",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("score + pol >= 11", r"has pol, which is not known here; known are score \(the death-score\), pool"),
        ("__import__('os').system('ls')", "not known here|nothing that an expression takes"),
        ("score.real", "score.real, which is nothing"),
        ("score ** 99", r"score \*\* 99, which is nothing"),
        ("score / 2", "score / 2, which is nothing"),
        ("score // pool", "score // pool, which is nothing"),
        ("score % 0", "score % 0, which is nothing"),
        ("[score][0]", "which is nothing"),
        ("min(score)", r"min\(score\), which is nothing"),
        ("(lambda: 1)()", "which is nothing"),
        ("True", "True, which is nothing"),
        ("1.5 < score", "1.5, which is nothing"),
        ("min", "min, which is nothing"),
        ("score >=", "isn't an expression; it takes whole numbers"),
        ("score" + " + score" * 40, "at most 120 letters"),
    ],
)
def test_anything_else_is_refused(text: str, said: str):
    with pytest.raises(CardhouseError, match=said):
        read_expression(text, KNOWN)


def test_numbers_that_are_too_large_are_refused():
    with pytest.raises(CardhouseError, match="too large"):
        read_expression("(score + 1) * 999999999 * 999999999 * 999999999", KNOWN).table(SIZES)
    with pytest.raises(CardhouseError, match="a table of"):
        read_expression("score", KNOWN).table({"score": 3_000, "pool": 3_000})
