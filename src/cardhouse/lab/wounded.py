"""What is said of those who are hurt, in Hackjack's questions and the gunfight's: damage, and what they choose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from cardhouse.cards import Card, is_joker
from cardhouse.engine import Ask, CardhouseError, Roll
from cardhouse.games.hackjack.rules import Hackjack
from cardhouse.games.hackjack.state import ROUGHEST
from cardhouse.games.hackjack.wound import Wound, Wounds, is_dice

DAMAGE = r"^([1-9]?\dd[1-9]\d{0,2}([+-]\d{1,3})?|[1-9]\d{0,3})$"
PREVENT = r"^(never|always|at \d{1,3})$"

DamageDice = Annotated[
    str, msgspec.Meta(pattern=DAMAGE, description="damage of a hit: a number, or dice such as 1d8 or 2d6+1")
]
Prevent = Annotated[
    str,
    msgspec.Meta(
        pattern=PREVENT,
        description="who prevents blood loss (HJ-10): never, always, or such as `at 15`, from so much death-score and "
        "pool together",
    ),
]
C7Policy = Literal["first", "lower_blood", "lower_trauma"]
"""Which of two wounds is chosen (HJ-22). Dice count as their mean; of equals the one with less of the other harm, then
the one drawn first."""

NEVER = 1 << 30
"""The score from which one prevents blood loss who never does."""


class Damage(NamedTuple):
    """So many dice of so many sides, and so much more (or less), at least 1 in all; 0 dice are a number."""

    count: int
    sides: int
    plus: int

    @property
    def least(self) -> int:
        """The least it can be."""
        return max(1, self.count + self.plus)

    @property
    def most(self) -> int:
        """The most it can be."""
        return max(1, self.count * self.sides + self.plus)

    def of(self, faces: Sequence[int]) -> int:
        """What these dice do."""
        return max(1, sum(faces) + self.plus)


def read_damage(text: str) -> Damage:
    """Damage such as `1d8`, `2d6+1` or `7`.

    Raises CardhouseError if it is not written like that, or more than a game master can name.
    """
    if not re.fullmatch(DAMAGE, text):
        raise CardhouseError(f'Damage is a number or dice such as 1d8 or 2d6+1, not "{text[:40]}".')
    if "d" not in text:
        damage = Damage(0, 0, int(text))
    else:
        dice, sign, plus = re.fullmatch(r"([^+-]*)([+-]?)(.*)", text).groups()  # type: ignore[union-attr]
        damage = Damage(*Roll(dice).count_and_sides(), int(sign + (plus or "0")))
    if damage.most > ROUGHEST:
        raise CardhouseError(f'Damage is {ROUGHEST} at most, and "{text}" may be {damage.most}.')
    return damage


def read_prevent(text: str) -> int:
    """From which death-score and pool together somebody prevents blood loss.

    Raises CardhouseError if it is not one of the policies.
    """
    if not re.fullmatch(PREVENT, text):
        raise CardhouseError(f'prevent is never, always, or such as "at 15", not "{text[:40]}".')
    return {"never": NEVER, "always": 0}.get(text) or int(text.removeprefix("at ") if text[0] == "a" else 0)


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


def says_prevent(game: Hackjack, name: str, prevents_from: int) -> dict[str, Any]:
    """What this character declares by that policy (HJ-10), as an answer."""
    who = game.named(name)
    return {"do": "prevent", "name": name, "yes": who.death_score + who.blood >= prevents_from}


def says_choose(asked: Ask, wounds: Wounds, c7: C7Policy) -> dict[str, Any]:
    """Which wound is chosen by that policy (HJ-22), as an answer."""
    about: Mapping[str, Any] = asked.about
    one, other = about["cards"]
    chosen = other if _shuns(other, wounds, c7) < _shuns(one, wounds, c7) else one
    return {"do": "choose_wound", "name": about["name"], "card": chosen}


def _shuns(card: Card, wounds: Wounds, c7: C7Policy) -> int:
    return 0 if is_joker(card) else dread(wounds[card], c7)
