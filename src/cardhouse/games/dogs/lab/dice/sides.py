"""Two who fight a conflict out with dice: who they are, and what each would roll in which order."""

from __future__ import annotations

from typing import Final

import msgspec

from cardhouse.games.dogs.lab.dice.pools import Dice
from cardhouse.games.dogs.lab.opponents import Playing
from cardhouse.games.dogs.people.sheet import Stats
from cardhouse.games.dogs.state import Pile

FALLOUT_DICE: Final[dict[Pile, int]] = {"talking": 4, "physical": 6, "fighting": 8, "guns": 10}
"""DICE-5: the size of an arena's fallout dice."""


class Side(msgspec.Struct, frozen=True):
    """One of the two: its policy, the d6 of each Stat, the dice of each thing."""

    policy: Playing
    stats: Stats
    things: tuple[Dice, ...] = ()


class Setting(msgspec.Struct, frozen=True):
    """A conflict: both sides, the arena it begins in, who starts (0, 1, or 2: each in turn).

    `improvised` is how often each may do something desperate, which rolls the dice of `desperate` (DICE-7).
    """

    sides: tuple[Side, Side]
    arena: Pile
    starter: int
    improvised: int
    desperate: Dice

    def starts(self, trial: int) -> int:
        """Who starts this trial."""
        return trial % 2 if self.starter == 2 else self.starter


def strength(dice: Dice) -> int:
    """How good dice are to bring: twice what they come to in the mean."""
    return sum(dice) + len(dice)
