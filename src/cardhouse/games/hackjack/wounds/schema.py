"""The schema of one wound in a wounds file (HJ-30)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cardhouse.cards import Card

Ability = Literal["STR", "DEX", "CON", "INT", "WIS", "CHA"]
ABILITIES: tuple[Ability, ...] = ("STR", "DEX", "CON", "INT", "WIS", "CHA")

Ends = Literal["round", "check", "hours", "week", "cleared", "healed", "rest", "comfort", "recovery", "permanent"]
"""When a wound ends (HJ-18).

`round`: when the next round begins. `check`: when its check succeeds. `hours`, `week`: after that time. `cleared`: when
it is treated (eyes are washed). `healed`: at 1 HP or more. `rest`: after eight hours of rest; `comfort`: if that rest
was comfortable. `recovery`: at the end of the recovery time. `permanent`: only by strong magic.
"""

Special = Literal["choose", "both", "another", "peek", "again", "first_card", "red_cards", "chronic"]
"""Wounds that change how cards are drawn or counted.

`choose` HJ-22, `both` HJ-23, `another` HJ-24, `peek` HJ-25, `again` HJ-26, `first_card` HJ-27, `red_cards` HJ-13,
`chronic` HJ-12.
"""

Condition = Literal[
    "prone", "knocked_back", "drops_held", "arm_useless", "arms_useless", "leg_useless", "legs_useless", "slow",
    "limps", "blind", "mute", "no_smell", "confused", "dazed", "staggers", "unconscious", "helpless", "no_food",
    "woozy", "fear", "no_peaceful_rest", "unless_masked", "scar", "marked", "finger_lost", "limb_lost", "eye_lost",
]  # fmt: skip
"""A wound's effect that isn't a number. With `unconscious` or `helpless` a character passes its turns (HJ-5, SK)."""

SLIGHT: tuple[Condition, ...] = ("scar", "marked", "finger_lost")
"""Conditions that hinder no action, even when permanent."""

Change = Annotated[int, msgspec.Meta(ge=-20, le=20)] | Literal["half"]
"""A change to an ability score: an amount to add, or `half`, which halves the score and rounds down."""

Dice = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[1-9]d(2|3|4|6|8|10|12|20)$",
        description='dice such as "2d6", one to nine of 2, 3, 4, 6, 8, 10, 12 or 20 sides',
    ),
]
Number = Annotated[int, msgspec.Meta(ge=0, le=20)]
Bonus = Annotated[int, msgspec.Meta(ge=-20, le=20)]
Worn = Annotated[int, msgspec.Meta(ge=1, le=20)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Sentences = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A d20 roll over the death-score. Failing it causes `failed`.

    With `each_round` the character may roll again every round.
    """

    failed: Condition
    each_round: bool = False


class Detail(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A roll made when the wound is suffered: what it decides, and the meaning of each face.

    Without `means` the number itself counts (hours, for example).
    """

    what: Name
    dice: Dice
    means: tuple[Name, ...] = ()

    def has(self, face: int) -> bool:
        """Return whether a face, or a number that has since been reduced, has a meaning here."""
        return not self.means or 1 <= face <= len(self.means)


class Lasting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The permanent effects that a wound leaves when it ends (HJ-19)."""

    text: Sentences
    abilities: dict[Ability, Change] = {}
    to_hit: Bonus = 0
    to_hit_ranged: Bonus = 0
    conditions: tuple[Condition, ...] = ()


class Wound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The wound of one card.

    `name` is two or three words; `text` is all that a player needs to read. `blood` is a number or dice (HJ-9),
    `trauma` 0 to 6 (HJ-14). These apply while the wound lasts: `conditions`, `abilities`, `rolls` (a change to all
    rolls) and `to_hit` (a change to rolls to hit). `drops` lowers abilities by dice at once; rest restores them.
    `wears` lowers each ability by its amount in every round in which the character faces the cause (HJ-18). `max_hp` is
    lost from the maximum for good.
    """

    name: Name
    text: Sentences
    ends: Ends
    blood: Number | Dice = 0
    trauma: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    special: Special | None = None
    conditions: tuple[Condition, ...] = ()
    abilities: dict[Ability, Change] = {}
    rolls: Bonus = 0
    to_hit: Bonus = 0
    drops: dict[Ability, Dice] = {}
    wears: dict[Ability, Worn] = {}
    max_hp: Number | Dice = 0
    check: Check | None = None
    details: Annotated[tuple[Detail, ...], msgspec.Meta(max_length=4)] = ()
    lasting: Lasting | None = None

    @property
    def has_permanent_effect(self) -> bool:
        """Whether any effect of it is permanent (HJ-18, HJ-19)."""
        return self.ends == "permanent" or self.lasting is not None or bool(self.max_hp)

    @property
    def hinders_permanently(self) -> bool:
        """Whether a permanent effect goes beyond the conditions in `SLIGHT`."""
        if self.max_hp:
            return True
        for_good = self if self.ends == "permanent" else self.lasting
        if for_good is None:
            return False
        does = any(getattr(for_good, name, None) for name in ("special", "abilities", "rolls", "to_hit", "wears"))
        return (
            does or any(one not in SLIGHT for one in for_good.conditions) or bool(getattr(for_good, "to_hit_ranged", 0))
        )

    def as_json(self) -> dict[str, Any]:
        """Return the wound as a wounds file writes it, without fields at their defaults."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


Scores = dict[Ability, Annotated[int, msgspec.Meta(ge=1, le=99)]]
"""A character's six ability scores, if the group records them."""

Wounds = dict[Card, Wound]
"""A wound for each card of the standard deck."""

MAX_ANOTHER = 8
"""Maximum number of `another` wounds (HJ-24) in a file, which keeps the odds fast to compute."""


def is_dice(amount: int | str) -> bool:
    """Return whether an amount has to be rolled."""
    return isinstance(amount, str)
