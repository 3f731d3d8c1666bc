"""How much the slow tests try: part of it in every run, all of it in `make soak`."""

import os
from collections.abc import Callable
from math import ceil
from typing import ClassVar

import pytest
from _pytest.mark.structures import ParameterSet

THOROUGH = "CARDHOUSE_THOROUGH"
"""The environment's word for all of it."""


def many(all_of_them: int, usually: int) -> int:
    """How many seeds, games or deals are tried."""
    return all_of_them if os.environ.get(THOROUGH) else usually


def in_soak(*values: object) -> list[ParameterSet]:
    """Parameters of a test that only the second tier runs; each is one value, or a tuple of several."""
    return [pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.soak) for value in values]


class FewerGames:
    """A conformance suite that usually plays an eighth of its games, except where random play must reach everything."""

    games: ClassVar[int]

    def setup_method(self, method: Callable[[], None]) -> None:
        if method.__name__ != "test_what_is_reached":
            vars(self)["games"] = many(self.games, ceil(self.games / 8))
