"""Tests that the general bot knows no more than its seat: equal views must give equal behaviour."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from random import Random

import msgspec

from cardhouse.engine import BadGame, Table
from cardhouse.player.determinization import Worlds
from cardhouse.player.monte_carlo import look_ahead
from cardhouse.testing.differing import first_difference

_EVERY = 10
"""One of this many pairs of tables is checked, because it takes longer than all other checks of a pair."""
_PLAYOUTS = 8


class HousePlayer:
    """Checks the general bot at some of the pairs, for the seats that can't tell the tables apart."""

    def __init__(self) -> None:
        self._numbers = count()

    def compare(self, one: Table, other: Table, seats: Iterable[str]) -> None:
        """Raises BadGame if one of these seats gets another hypothetical world, or another answer, at `other`."""
        if next(self._numbers) % _EVERY == 0:
            for seat in seats:
                compare_worlds(one, other, seat)
                compare_answers(one, other, seat)


def compare_worlds(one: Table, other: Table, seat: str) -> None:
    """Raises BadGame if hidden cards are redealt differently for this seat at the two tables."""
    first, second = (Worlds(table, seat).sample(Random(1)) for table in (one, other))
    states = [{} if world is None else {"state": msgspec.to_builtins(world.game)} for world in (first, second)]
    if apart := first_difference(*states):
        raise BadGame(f"Hidden cards are dealt differently for {seat} at two tables that look the same to it: {apart}.")


def compare_answers(one: Table, other: Table, seat: str) -> None:
    """Raises BadGame if the general bot answers differently for this seat at the two tables."""
    if seat in one.seats and seat in one.asks()["seats"]:
        answers = [look_ahead(table, seat, Random(1), lambda played: played >= _PLAYOUTS) for table in (one, other)]
        if answers[0] != answers[1]:
            raise BadGame(
                f"The general bot for {seat} answers {answers[0]} at one table and {answers[1]} at another, which "
                f"differ only in what that seat may not know."
            )
