"""Hackjack: numbers of the rulebook, characters and what befell them, and what people may say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec

from cardhouse.cards import Card, is_joker, number_of
from cardhouse.engine import GM, Action, Options
from cardhouse.games.hackjack.wound import Ability, Lasting, Scores
from cardhouse.games.hackjack.wound_chains import Suffered

RECOVERY: dict[int, tuple[str, str]] = {
    1: ("2d6", "days"),
    2: ("1d6", "weeks"),
    3: ("2d6", "weeks"),
    4: ("1d6", "months"),
    5: ("2d6", "months"),
    6: ("3d6", "months"),
}
"""HJ-17: by Trauma, the dice of the recovery time and what they count. Row 3 is the source's, the others are ours."""

DAYS = {"days": 1, "weeks": 7, "months": 30}

EACH_OLD_WOUND = 2
"""HJ-12, HJ-27: what each such wound brings to a later time down, so much Blood or so much death-score."""

HitDie = Literal["d4", "d6", "d8", "d10", "d12"]
HIT_DICE: tuple[HitDie, ...] = get_args(HitDie)

ROUGHEST = 1000
"""The most damage, healing or hit points that can be named at once."""


def card_value(card: Card) -> int:
    """HJ-2: what a card adds to the death-score: an ace 1, 2 to 10 their number, faces 10; a joker nothing (HJ-29)."""
    return 0 if is_joker(card) else min(number_of(card), 10)


WoundsFile = Annotated[
    dict[str, Any], msgspec.Meta(extra_json_schema={"format": "file", "contentMediaType": "application/toml"})
]


# What the switches may be.

Massive = Annotated[int, msgspec.Meta(ge=10, le=ROUGHEST)]
Limit = Annotated[int, msgspec.Meta(ge=11, le=ROUGHEST)]
Judged = Literal["at_end", "each_step"]
JackOfClubs = Literal["lower", "lower_given"]
Pain = Literal["off", "trauma", "death_score"]
Strikes = Literal["off", "d4", "d6", "d8", "d10", "d12"]


class HackjackOptions(Options, frozen=True):
    """The switches of Hackjack, and the table's own wounds."""

    once_yes_no: ClassVar[Mapping[str, tuple[str, str]]] = {"pain": ("off", "trauma")}

    draw_at_zero: bool = False
    """HJ-1: reaching exactly 0 HP draws a card, too."""
    massive_damage: Massive = 13
    """HJ-8: more than this in one go counts instead of the card; 10 or more."""
    limit: Limit = 21
    """HJ-6: above it a character dies, exactly there the death-score returns to 0."""
    judged: Judged = "at_end"
    """HJ-6: when the death-score is looked at: once, or after the blood has moved and after each value."""
    standing_blood: bool = False
    """HJ-11: damage moves the pool also of one on its feet, and that which fells it does."""
    jack_of_clubs: JackOfClubs = "lower"
    """HJ-23: what a card without Blood or Trauma counts beside one that has some: 0, or nothing at all."""
    return_cards: bool = False
    """HJ-20: drawn cards go back into the deck at once."""
    critical_draw: bool = False
    """HJ-29: a critical hit draws a card even at positive HP."""
    jokers: bool = False
    """HJ-29: two jokers in the deck, lucky breaks."""
    pain: Pain = "off"
    """HJ-29: exertion may make one pass out: with Trauma 3 or more, by the hit die; or while down, by a d20."""
    strikes: Strikes = "off"
    """HJ-33: the die of damage for those who strike; off where the game master says who is hurt."""
    wounds: WoundsFile = {}
    """HJ-30: the wounds this table has rewritten, by card, as a wounds file has them."""


USUAL = HackjackOptions()
"""The switches of a table that sets none."""


class WoundTaken(msgspec.Struct):
    """A wound somebody has.

    `found` is what was rolled for its details, in the wound's order, `drops` what each ability fell by, `check` where
    its d20 stands. `let` says that its Trauma was let through (HJ-18). It has worn one down for so many rounds, `worn`,
    and for this one already if it has `faced` it.
    """

    card: Card
    found: list[int] = []
    drops: dict[Ability, int] = {}
    check: Literal["open", "failed"] | None = None
    let: bool = True
    worn: int = 0
    faced: bool = False


class Mark(msgspec.Struct, frozen=True):
    """What stays for good of a wound that has ended (HJ-19)."""

    card: Card
    lasting: Lasting


class Recovery(msgspec.Struct, frozen=True):
    """A recovery time (HJ-16): for so much Trauma, so many days, weeks or months.

    `rolled_for` is the Trauma it was rolled for, if that was another: an earlier roll that came out longer.
    """

    trauma: int
    amount: int
    unit: Literal["days", "weeks", "months"]
    rolled_for: int | None = None

    @property
    def days(self) -> int:
        """How long it is, to compare by."""
        return self.amount * DAYS[self.unit]


class Lived(msgspec.Struct, kw_only=True):
    """What a character carries from fight to fight.

    `scores` are its six ability scores without wounds, where the group gives them; `hit_die` is written like `d8`
    (HJ-29), `to_hit` a note for people.
    """

    name: str
    hp: int
    max_hp: int
    scores: Scores = {}
    hit_die: str | None = None
    to_hit: str | None = None
    death_score: int = 0
    blood: int = 0
    trauma: int = 0
    down: bool = False
    alive: bool = True
    unconscious: bool = False
    wounds: list[WoundTaken] = []
    marks: list[Mark] = []
    recovery: Recovery | None = None


class Character(Lived, kw_only=True):
    """Somebody at the table.

    `pile` are the cards that count, oldest first, and `tokens` what of the death-score no card stands for;
    `beside` are cards that add nothing (HJ-20). `drawn` says that it has drawn a card in this time down (HJ-27),
    `last` what it suffered last in it (HJ-26).
    """

    controller: str = GM
    preventing: bool = False
    declared: bool = True
    pile: list[Card] = []
    tokens: int = 0
    beside: list[Card] = []
    drawn: bool = False
    last: Suffered | None = None

    @property
    def cards(self) -> list[Card]:
        """All cards it holds."""
        return [*self.pile, *self.beside]


class Sheet(Lived, kw_only=True, forbid_unknown_fields=True):
    """A character as a roster file holds it."""


class AddCharacter(Action, frozen=True):
    """Somebody new."""

    name: str
    hp: int
    max_hp: int
    controller: str = GM
    scores: Scores = {}
    hit_die: str | None = None
    to_hit: str | None = None


class BringCharacter(Action, frozen=True):
    """Somebody from the roster, as it left an earlier table."""

    sheet: dict[str, Any]
    controller: str = GM


class Damage(Action, frozen=True):
    """Loss of hit points."""

    target: str
    amount: int
    critical: bool = False


class Drain(Action, frozen=True):
    """Poison, or the touch of the undead: straight at the death-score, or as Blood (HJ-28)."""

    target: str
    amount: int
    as_: Literal["death_score", "blood"] = msgspec.field(name="as")


class Heal(Action, frozen=True):
    """Hit points given (HJ-15)."""

    target: str
    amount: int


class DrawFor(Action, frozen=True):
    """A card without damage, for a critical miss, say; `value`: whether its value counts (HJ-29)."""

    target: str
    value: bool


class Rest(Action, frozen=True):
    """Eight hours (HJ-16); `rough` says that they were not comfortable."""

    target: str
    rough: bool = False


class BeginRound(Action, frozen=True):
    """A new round, in which the bleeding declare (HJ-10)."""


class Prevent(Action, frozen=True):
    """Whether one prevents blood loss (HJ-10)."""

    name: str
    yes: bool


class ChooseWound(Action, frozen=True):
    """Which of two wounds to suffer (HJ-22)."""

    name: str
    card: Card


class Check(Action, frozen=True):
    """The d20 of a wound's check."""

    name: str
    wound: Card


class Exert(Action, frozen=True):
    """Anything but walking or crawling, in pain (HJ-29)."""

    name: str


class Face(Action, frozen=True):
    """A round of facing what did this to one, and left it afraid (HJ-18)."""

    target: str
    wound: Card


class Wake(Action, frozen=True):
    """Somebody wakes one who has passed out."""

    target: str


class Recover(Action, frozen=True):
    """The recovery time is over (HJ-18)."""

    target: str


class Cure(Action, frozen=True):
    """One wound ends, as its text says or by strong magic (HJ-18)."""

    target: str
    card: Card


class ClearDead(Action, frozen=True):
    """The cards of one who has died go to the discard (HJ-20)."""

    target: str
