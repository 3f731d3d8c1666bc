"""The two sides of a conflict with dice, and its setting."""

from __future__ import annotations

from typing import Final

import msgspec

from cardhouse.games.dogs.lab.dice.pools import Dice
from cardhouse.games.dogs.lab.opponents import Playing
from cardhouse.games.dogs.people.sheet import Stats
from cardhouse.games.dogs.state import Pile

FALLOUT_DICE: Final[dict[Pile, int]] = {"talking": 4, "physical": 6, "fighting": 8, "guns": 10}
"""DICE-5: the size of fallout dice, by arena."""


class Side(msgspec.Struct, frozen=True):
    """A side: its policy, the number of d6 for each Stat, and the dice of each thing."""

    policy: Playing
    stats: Stats
    things: tuple[Dice, ...] = ()


class Setting(msgspec.Struct, frozen=True):
    """A conflict: both sides, the first arena, the starter (0, 1, or 2 for alternating).

    `improvised` is the most desperate improvisations each; one rolls the dice of `desperate` (DICE-7).
    """

    sides: tuple[Side, Side]
    arena: Pile
    starter: int
    improvised: int
    desperate: Dice

    def starts(self, trial: int) -> int:
        """Return the starter of a trial."""
        return trial % 2 if self.starter == 2 else self.starter


def strength(dice: Dice) -> int:
    """Return twice the dice's mean total, to rank things by."""
    return sum(dice) + len(dice)
