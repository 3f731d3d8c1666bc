"""What a wound is: the vocabulary in which a table writes its wounds file (HJ-30)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cardhouse.cards import Card

Ability = Literal["STR", "DEX", "CON", "INT", "WIS", "CHA"]
ABILITIES: tuple[Ability, ...] = ("STR", "DEX", "CON", "INT", "WIS", "CHA")

Ends = Literal["round", "check", "hours", "week", "cleared", "healed", "rest", "comfort", "recovery", "permanent"]
"""How a wound ends (HJ-18).

`round`: when the next round begins. `check`: when its check succeeds. `hours`, `week`: when that time is over.
`cleared`: when somebody sees to it (eyes are washed). `healed`: with 1 HP or more. `rest`: after eight hours of it;
`comfort`: if they were comfortable. `recovery`: when the recovery time is over. `permanent`: never, but for strong
magic.
"""

Special = Literal["choose", "both", "another", "peek", "again", "first_card", "red_cards", "chronic"]
"""Wounds that bend the flow.

`choose` HJ-22, `both` HJ-23, `another` HJ-24, `peek` HJ-25, `again` HJ-26, `first_card` HJ-27, `red_cards` HJ-13,
`chronic` HJ-12.
"""

Condition = Literal[
    "prone", "knocked_back", "drops_held", "arm_useless", "arms_useless", "leg_useless", "legs_useless", "slow",
    "limps", "blind", "mute", "no_smell", "confused", "dazed", "staggers", "unconscious", "helpless", "no_food",
    "woozy", "fear", "no_peaceful_rest", "unless_masked", "scar", "marked", "finger_lost", "limb_lost", "eye_lost",
]  # fmt: skip
"""What a wound does that is no number. `unconscious` and `helpless` make a character pass its turns (HJ-5, SK)."""

SLIGHT: tuple[Condition, ...] = ("scar", "marked", "finger_lost")
"""What hinders nobody, even for good."""

Change = Annotated[int, msgspec.Meta(ge=-20, le=20)] | Literal["half"]
"""What becomes of an ability score: so much more (or less), or half of it, rounded down."""

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
    """A d20 that must come up over the death-score. `failed` is what happens if it doesn't.

    With `each_round` it may be tried again every round.
    """

    failed: Condition
    each_round: bool = False


class Detail(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is rolled when the wound is suffered: `what` it is, and what each face means.

    Without `means` the number itself is meant (hours, say).
    """

    what: Name
    dice: Dice
    means: tuple[Name, ...] = ()

    def has(self, face: int) -> bool:
        """Whether a face, or what is left of a number, means something here."""
        return not self.means or 1 <= face <= len(self.means)


class Lasting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stays for good once the wound itself has ended (HJ-19)."""

    text: Sentences
    abilities: dict[Ability, Change] = {}
    to_hit: Bonus = 0
    to_hit_ranged: Bonus = 0
    conditions: tuple[Condition, ...] = ()


class Wound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One card's wound.

    `name` is two or three words, `text` all that a player needs to be told. `blood` is a number or dice (HJ-9),
    `trauma` 0 to 6 (HJ-14). While it lasts: `conditions`, `abilities`, a change to all `rolls`, to all rolls `to_hit`.
    `drops` are abilities that fall by dice at once and come back with rest, `wears` what each falls by in every round
    that one faces what did this (HJ-18). `max_hp` is lost from the maximum for good.
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
    def stays(self) -> bool:
        """Whether anything of it stays for good (HJ-18, HJ-19)."""
        return self.ends == "permanent" or self.lasting is not None or bool(self.max_hp)

    @property
    def hinders_for_good(self) -> bool:
        """Whether what stays of it for good is more than a scar, or a finger."""
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
        """The wound as a wounds file has it, without what it leaves at its default."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


Scores = dict[Ability, Annotated[int, msgspec.Meta(ge=1, le=99)]]
"""A character's six ability scores, where the group gives them."""

Wounds = dict[Card, Wound]
"""A wound for each card of the standard deck."""

MAX_ANOTHER = 8
"""At most so many wounds of a file may be `another` (HJ-24), so that the odds are there at once."""


def is_dice(amount: int | str) -> bool:
    """Whether an amount is to be rolled."""
    return isinstance(amount, str)
