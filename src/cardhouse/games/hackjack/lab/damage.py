"""What is said of those who are hurt, in Hackjack's questions and the gunfight's: damage, and what they choose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from cardhouse.engine import CardhouseError, Roll
from cardhouse.games.hackjack.state import RECOVERY, ROUGHEST
from cardhouse.games.hackjack.wound import Wound, is_dice
from cardhouse.lab.questions.proof import Divergence, face_of

DAMAGE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?|([1-9]\d{0,3})")

DamageDice = Annotated[
    str, msgspec.Meta(max_length=20, description="damage of a hit: a number, or dice such as 1d8 or 2d6+1")
]
C7Policy = Literal["first", "lower_blood", "lower_trauma", "best"]
"""Which of two wounds is chosen (HJ-22). Dice count as their mean; of equals the one with less of the other harm, then
the one drawn first. Best is with which one may hope to survive longest."""

LIVES, OUTRIGHT, MASSIVE, BLED_OUT, BY_CARDS = range(5)
"""How somebody died: outright (HJ-3); of massive damage, on the way down too (HJ-4, HJ-8); of blood, without which that
hit would not have killed (HJ-11); by the cards alone."""

D20 = 20
MOST_HITS = 40
NEVER_DOWN = MOST_HITS + 1
"""The hits survived by those whom none took down."""
DEAD_TRAUMA = max(RECOVERY) + 1
"""The Trauma of the dead, which is not to be taken for that of those who live."""
MOST_FOR_GOOD = 40
DEAD_FOR_GOOD = MOST_FOR_GOOD + 1
"""The wounds for good of the dead, of whom nobody asks; the living have up to so many."""
DEAD_WEEKS = 79
"""The weeks of recovery of the dead; nobody who lives needs more than 78 (HJ-17)."""
MOST_CARDS = 400
"""A fight that takes more cards of the deck counts as one that takes so many."""
MOST_BLOOD = 99
"""More Blood counts as so much."""


class Damage(NamedTuple):
    """So many dice of so many sides, and so much more (or less), at least 1 in all; 0 dice are a number."""

    dice: int
    sides: int
    plus: int

    @property
    def least(self) -> int:
        """The least it can be."""
        return max(1, self.dice + self.plus)

    @property
    def most(self) -> int:
        """The most it can be."""
        return max(1, self.dice * self.sides + self.plus)

    def of(self, faces: Sequence[int]) -> int:
        """What these dice do."""
        return max(1, sum(faces) + self.plus)


def read_damage(text: str) -> Damage:
    """Damage such as `1d8`, `2d6+1` or `7`.

    Raises CardhouseError if it is not written like that, or more than a game master can name.
    """
    said = DAMAGE.fullmatch(text)
    if said is None:
        raise CardhouseError(f'Damage is a number or dice such as 1d8 or 2d6+1, not "{text[:40]}".')
    count, sides, plus, number = said.groups()
    damage = Damage(0, 0, int(number)) if number else Damage(int(count), int(sides), int(plus or 0))
    if damage.most > ROUGHEST:
        raise CardhouseError(f'Damage is {ROUGHEST} at most, and "{text}" may be {damage.most}.')
    return damage


def is_critical(face: int, critical: int) -> bool:
    """Whether this face of a d20 makes a hit critical, where so many do (HJ-29)."""
    return face > D20 - critical


def dread(wound: Wound, c7: C7Policy) -> int:
    """How much a wound is shunned by those who choose like this: of two the lower is taken, of equals the first."""
    if is_dice(wound.blood):
        count, sides = Roll(str(wound.blood)).count_and_sides()
        twice_blood = count * (sides + 1)
    else:
        twice_blood = 2 * int(wound.blood)
    if c7 == "lower_blood":
        return twice_blood * 100 + wound.trauma
    return wound.trauma * 1000 + twice_blood if c7 == "lower_trauma" else 0


def rolled(damage: Damage, chance: Iterator[int]) -> int:
    """What a hit does, its dice taken from a trial's chance, whose next they are.

    Raises Divergence if there are none left.
    """
    faces = [face_of(chance, damage.sides) for _ in range(damage.dice)]
    if 0 in faces:
        raise Divergence("There is another hit by the rules, and none by the kernel.")
    return damage.of(faces)
