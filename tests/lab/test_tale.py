"""An answer told to players: a sentence, and a hundred trials that can be counted."""

import pytest

from cardhouse.games.hackjack.lab.deadly import Deadly
from cardhouse.lab.tale import hundred, ordinal


def test_a_hundred_are_a_hundred():
    assert hundred([1 / 3, 1 / 3, 1 / 3]) == [34, 33, 33]
    assert hundred([0.0, 0.996, 0.004]) == [0, 100, 0]
    assert [ordinal(number) for number in (1, 10, 11, 21, 32)] == ["first", "tenth", "11th", "21st", "32nd"]


@pytest.mark.parametrize(
    ("shares", "sentence", "alive"),
    [
        ([0.0, 0.05, 0.6], "Most are dead by the third hit.", 40),
        ([0.7, 0.8, 0.9], "Most are dead by the first hit.", 10),
        ([0.0, 0.05, 0.1], "Most outlive 3 hits.", 90),
    ],
)
def test_deaths_are_told_hit_by_hit(shares: list[float], sentence: str, alive: int):
    values = {f"dead_by_{hit}": share for hit, share in enumerate(shares, 1)}
    tale = Deadly(hits=3).tale(values)
    assert tale is not None
    assert tale.sentence == sentence
    assert tale.picture is not None
    assert tale.picture.spared.count == alive
    assert sum(column.count for column in tale.picture.columns) == 100 - alive
    assert Deadly(hits=4).tale(values) is None, "one hit is not known"
