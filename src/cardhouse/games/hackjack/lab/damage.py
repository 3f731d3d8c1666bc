"""Damage and policies shared by the questions of Hackjack and of the gunfight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError, Roll
from cardhouse.games.hackjack.state import DAYS, RECOVERY, ROUGHEST
from cardhouse.games.hackjack.wounds.schema import Wound, is_dice
from cardhouse.lab.questions.proof import Divergence, face_of

DAMAGE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?|([1-9]\d{0,3})")

DamageDice = Annotated[
    str, msgspec.Meta(max_length=20, description="damage of a hit: a number, or dice such as 1d8 or 2d6+1")
]
C7Policy = Literal["first", "lower_blood", "lower_trauma", "best"]
"""How to choose between two wounds (HJ-22).

Dice count as their mean. Ties go to the wound with less of the other harm, then to the one drawn first. `best`
maximises expected survival.
"""

LIVES, OUTRIGHT, MASSIVE, BLED_OUT, BY_CARDS = range(5)
"""Fates: alive, killed outright (HJ-3), by massive damage, by Blood, by the cards alone.

Massive damage includes the hit that sends the character down (HJ-4, HJ-8). Blood is the cause if the hit would not have
killed without it (HJ-11).
"""

D20 = 20
MOST_HITS = 40
NEVER_DOWN = MOST_HITS + 1
"""The hits survived by a character that never went down."""
DEAD_TRAUMA = max(RECOVERY) + 1
"""The Trauma of the dead, above any Trauma of the living."""
MOST_FOR_GOOD = 40
DEAD_FOR_GOOD = MOST_FOR_GOOD + 1
"""The permanent wounds of the dead, above the maximum of the living."""
DEAD_WEEKS = 79
"""The weeks of recovery of the dead; the living need at most 77 (HJ-17)."""
WEEK = DAYS["weeks"]
MOST_CARDS = 400
"""A fight that draws more cards than this counts as drawing this many."""
MOST_BLOOD = 99
"""Blood above this counts as this much."""


def nearest_weeks(days: int) -> int:
    """Return the whole weeks next to `days`. Kernels compile this.

    The dice of each recovery time (HJ-17) are symmetric about whole weeks, so no mean moves. Rounding up added 0.15.
    """
    return (days + WEEK // 2) // WEEK


class Damage(NamedTuple):
    """A damage roll: `dice` dice of `sides` sides plus `plus`, at least 1 in all. 0 dice make it a constant."""

    dice: int
    sides: int
    plus: int

    @property
    def least(self) -> int:
        """The minimum."""
        return max(1, self.dice + self.plus)

    @property
    def most(self) -> int:
        """The maximum."""
        return max(1, self.dice * self.sides + self.plus)

    def of(self, faces: Sequence[int]) -> int:
        """Return the damage of these faces."""
        return max(1, sum(faces) + self.plus)


def read_damage(text: str) -> Damage:
    """Return the damage written as `1d8`, `2d6+1` or `7`.

    Raises CardhouseError for any other format, or if it can exceed the maximum of the Damage action.
    """
    match = DAMAGE.fullmatch(text)
    if match is None:
        raise CardhouseError(f'Damage is a number or dice such as 1d8 or 2d6+1, not "{text[:40]}".')
    count, sides, plus, number = match.groups()
    damage = Damage(0, 0, int(number)) if number else Damage(int(count), int(sides), int(plus or 0))
    if damage.most > ROUGHEST:
        raise CardhouseError(f'Damage is {ROUGHEST} at most, and "{text}" may be {damage.most}.')
    return damage


def is_critical(face: int, critical: int) -> bool:
    """Return whether this face of a d20 is a critical hit, with `critical` critical faces (HJ-29)."""
    return face > D20 - critical


def cost_of_wound(wound: Wound, c7: C7Policy) -> int:
    """Return the cost of a wound under this policy. The lower one is chosen; ties go to the first."""
    if is_dice(wound.blood):
        count, sides = Roll(str(wound.blood)).count_and_sides()
        twice_blood = count * (sides + 1)
    else:
        twice_blood = 2 * int(wound.blood)
    if c7 == "lower_blood":
        return twice_blood * 100 + wound.trauma
    return wound.trauma * 1000 + twice_blood if c7 == "lower_trauma" else 0


def roll_damage(damage: Damage, chance: Iterator[int]) -> int:
    """Roll a hit's damage from the trial's chance.

    Raises Divergence if the chance is exhausted.
    """
    faces = [face_of(chance, damage.sides) for _ in range(damage.dice)]
    if 0 in faces:
        raise Divergence("There is another hit by the rules, and none by the kernel.")
    return damage.of(faces)
