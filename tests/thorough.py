"""How much the slow oracles try: some of it in every run, all of it in `make soak`."""

import os
from collections.abc import Callable
from math import ceil
from typing import ClassVar

THOROUGH = "CARDHOUSE_THOROUGH"
"""The environment's word for all of it."""


def many(all_of_them: int, usually: int) -> int:
    """How many seeds, games or deals are tried."""
    return all_of_them if os.environ.get(THOROUGH) else usually


class HalfTheGames:
    """A conformance suite that usually plays half of its games, but where all that there is must be come to."""

    games: ClassVar[int]

    def setup_method(self, method: Callable[[], None]) -> None:
        if method.__name__ != "test_what_is_reached":
            vars(self)["games"] = many(self.games, ceil(self.games / 2))
