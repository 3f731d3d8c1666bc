"""Random sessions of every installed game, with bots, the clock and twins, find no fault."""

from __future__ import annotations

import pytest

from cardhouse.engine import game_names
from cardhouse.testing.fuzzing import fuzz

MINE = 2026


@pytest.mark.parametrize("game", game_names())
def test_nothing_is_found(game: str) -> None:
    found = fuzz(game, MINE, evenings=3, answers=25, often=0.2)
    assert found.finding is None, found.finding
    assert found.answers > 20
