"""Whether the house's player knows more than its seat: at tables that the seat can't tell apart it must do alike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from random import Random

import msgspec

from cardhouse.engine import BadGame, Table
from cardhouse.player.determinization import Worlds
from cardhouse.player.monte_carlo import look_ahead
from cardhouse.testing.differing import told_apart

_EVERY = 10
"""Of so many pairs of tables one is looked at: that takes longer than all else about a pair."""
_PLAYOUTS = 8


class HousePlayer:
    """The house's player in the seats that can't tell two tables apart, now and then."""

    def __init__(self) -> None:
        self._numbers = count()

    def compare(self, one: Table, other: Table, seats: Iterable[str]) -> None:
        """Raises BadGame if another world is thought up for one of these seats, or another answer given."""
        if next(self._numbers) % _EVERY == 0:
            for seat in seats:
                compare_worlds(one, other, seat)
                compare_answers(one, other, seat)


def compare_worlds(one: Table, other: Table, seat: str) -> None:
    """Raises BadGame if what is hidden from a seat is dealt anew otherwise at one table than at the other."""
    first, second = (Worlds(table, seat).another(Random(1)) for table in (one, other))
    states = [{} if world is None else {"state": msgspec.to_builtins(world.game)} for world in (first, second)]
    if apart := told_apart(*states):
        raise BadGame(f"Hidden cards are dealt differently for {seat} at two tables that look the same to it: {apart}.")


def compare_answers(one: Table, other: Table, seat: str) -> None:
    """Raises BadGame if the house's player answers otherwise in a seat of one table than of the other."""
    if seat in one.seats and seat in one.asks()["seats"]:
        answers = [look_ahead(table, seat, Random(1), lambda played: played >= _PLAYOUTS) for table in (one, other)]
        if answers[0] != answers[1]:
            raise BadGame(
                f"The house's player in the seat {seat} says {answers[0]} at one table and {answers[1]} at another, "
                f"which differ only in what it may not know."
            )
