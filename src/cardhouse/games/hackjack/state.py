"""The data of Hackjack: constants of the rulebook, options, characters, and the actions players can take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec

from cardhouse.cards import Card, is_joker, number_of
from cardhouse.engine import GM, Action, Options
from cardhouse.engine.values.whole_numbers import Whole
from cardhouse.games.hackjack.wounds.chains import Suffered
from cardhouse.games.hackjack.wounds.schema import Ability, Lasting, Scores

RECOVERY: dict[int, tuple[str, str]] = {
    1: ("2d6", "days"),
    2: ("1d6", "weeks"),
    3: ("2d6", "weeks"),
    4: ("1d6", "months"),
    5: ("2d6", "months"),
    6: ("3d6", "months"),
}
"""HJ-17: by Trauma, the dice of the recovery time and their unit. Row 3 is the source's; the others are ours."""

DAYS = {"days": 1, "weeks": 7, "months": 30}

EACH_OLD_WOUND = 2
"""HJ-12, HJ-27: what each such old wound adds in a later time down, in Blood or death-score."""

HitDie = Literal["d4", "d6", "d8", "d10", "d12"]
HIT_DICE: tuple[HitDie, ...] = get_args(HitDie)

ROUGHEST = 1000
"""The largest amount of damage, healing or HP in one action."""


def card_value(card: Card) -> int:
    """HJ-2: return a card's value for the death-score: ace 1, 2 to 10 their number, faces 10, joker 0 (HJ-29)."""
    return 0 if is_joker(card) else min(number_of(card), 10)


WoundsFile = Annotated[
    dict[str, Any], msgspec.Meta(extra_json_schema={"format": "file", "contentMediaType": "application/toml"})
]


# The values of the options.

Massive = Annotated[int, msgspec.Meta(ge=10, le=ROUGHEST)]
Limit = Annotated[int, msgspec.Meta(ge=11, le=ROUGHEST)]
Judged = Literal["at_end", "each_step"]
JackOfClubs = Literal["lower", "lower_given"]
Pain = Literal["off", "trauma", "death_score"]
Strikes = Literal["off", "d4", "d6", "d8", "d10", "d12"]


class HackjackOptions(Options, frozen=True):
    """The options of Hackjack, and the table's own wounds."""

    once_yes_no: ClassVar[Mapping[str, tuple[str, str]]] = {"pain": ("off", "trauma")}

    draw_at_zero: bool = False
    """HJ-1: reaching exactly 0 HP draws a card, too."""
    massive_damage: Massive = 13
    """HJ-8: damage above this replaces the card's value; 10 or more."""
    limit: Limit = 21
    """HJ-6: above it a character dies; at exactly this death-score it returns to 0."""
    judged: Judged = "at_end"
    """HJ-6: when the death-score is judged: once at the end, or after the Blood moves and after each value."""
    standing_blood: bool = False
    """HJ-11: damage moves the pool of a character who is up, too, including the damage that sends it down."""
    jack_of_clubs: JackOfClubs = "lower"
    """HJ-23: how a card without Blood or Trauma compares with one that has some: as 0, or not at all."""
    return_cards: bool = False
    """HJ-20: drawn cards go back into the deck at once."""
    critical_draw: bool = False
    """HJ-29: a critical hit draws a card even at positive HP."""
    jokers: bool = False
    """HJ-29: two jokers in the deck, lucky breaks."""
    pain: Pain = "off"
    """HJ-29: exertion may make a character pass out: with Trauma 3 or more, by the hit die; or while down, by a d20."""
    strikes: Strikes = "off"
    """HJ-33: the damage die of strikes; `off` if the game master deals the damage."""
    wounds: WoundsFile = {}
    """HJ-30: the wounds this table has rewritten, by card, as in a wounds file."""


USUAL = HackjackOptions()
"""The default options."""


class WoundTaken(msgspec.Struct):
    """A wound that a character has.

    `found` holds the rolls for its details, in the wound's order, `drops` the amount each ability fell by, `check` the
    state of its d20. `let` says that its Trauma counted (HJ-18). `worn` is the number of rounds it has worn the
    character down, and `faced` says whether this round is among them.
    """

    card: Card
    found: list[int] = []
    drops: dict[Ability, int] = {}
    check: Literal["open", "failed"] | None = None
    let: bool = True
    worn: int = 0
    faced: bool = False


class Mark(msgspec.Struct, frozen=True):
    """The permanent effect of a wound that has ended (HJ-19)."""

    card: Card
    lasting: Lasting


class Recovery(msgspec.Struct, frozen=True):
    """A recovery time (HJ-16).

    `trauma` is the Trauma it counts for. `rolled_for` is the Trauma it was rolled for, if that was another: an earlier
    roll that was longer.
    """

    trauma: int
    amount: int
    unit: Literal["days", "weeks", "months"]
    rolled_for: int | None = None

    @property
    def days(self) -> int:
        """The length in days, for comparison."""
        return self.amount * DAYS[self.unit]


class Lived(msgspec.Struct, kw_only=True):
    """The part of a character that carries over to other tables.

    `scores` are its six ability scores without wounds, if the group records them. `hit_die` is written like `d8`
    (HJ-29); `to_hit` is a note for the players.
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
    """A character at the table.

    `pile` holds the cards that count, oldest first; `tokens` is the part of the death-score without a card; `beside`
    holds cards that add nothing (HJ-20). `drawn` says whether it has drawn a card in this time down (HJ-27); `last` is
    the last wound suffered in it (HJ-26).
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
        """All cards the character holds."""
        return [*self.pile, *self.beside]


class Sheet(Lived, kw_only=True, forbid_unknown_fields=True):
    """A character as a roster file holds it."""


class AddCharacter(Action, frozen=True):
    """Add a new character."""

    name: str
    hp: Whole
    max_hp: Whole
    controller: str = GM
    scores: Scores = {}
    hit_die: str | None = None
    to_hit: str | None = None


class BringCharacter(Action, frozen=True):
    """Add a character from the roster, as it left an earlier table."""

    sheet: dict[str, Any]
    controller: str = GM


class Damage(Action, frozen=True):
    """Lose HP."""

    target: str
    amount: Whole
    critical: bool = False


class Drain(Action, frozen=True):
    """Poison, or the touch of the undead: added directly to the death-score, or as Blood (HJ-28)."""

    target: str
    amount: Whole
    as_: Literal["death_score", "blood"] = msgspec.field(name="as")


class Heal(Action, frozen=True):
    """Heal a character (HJ-15)."""

    target: str
    amount: Whole


class DrawFor(Action, frozen=True):
    """Draw a card without damage, for a critical miss say; `value` tells whether its value counts (HJ-29)."""

    target: str
    value: bool


class Rest(Action, frozen=True):
    """Rest for eight hours (HJ-16); `rough` means uncomfortably."""

    target: str
    rough: bool = False


class BeginRound(Action, frozen=True):
    """Begin a round, in which bleeding characters declare (HJ-10)."""


class Prevent(Action, frozen=True):
    """Declare whether the character prevents blood loss (HJ-10)."""

    name: str
    yes: bool


class ChooseWound(Action, frozen=True):
    """Choose which of two wounds to suffer (HJ-22)."""

    name: str
    card: Card


class Check(Action, frozen=True):
    """Roll the d20 for a wound's check."""

    name: str
    wound: Card


class Exert(Action, frozen=True):
    """Do anything but walk or crawl, in pain (HJ-29)."""

    name: str


class Face(Action, frozen=True):
    """Face the cause of a wound for a round (HJ-18)."""

    target: str
    wound: Card


class Wake(Action, frozen=True):
    """Wake a character who has passed out."""

    target: str


class Recover(Action, frozen=True):
    """End the recovery time (HJ-18)."""

    target: str


class Cure(Action, frozen=True):
    """End one wound, by its own text or by strong magic (HJ-18)."""

    target: str
    card: Card


class ClearDead(Action, frozen=True):
    """Discard the cards of a dead character (HJ-20)."""

    target: str
