"""Character sheets: Stats, things, and the effects of past conflicts (DV-1, DV-2)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cardhouse.cards import Card
from cardhouse.engine.values.whole_numbers import Whole

Stat = Literal["acuity", "body", "heart", "will"]
STATS: tuple[Stat, ...] = ("acuity", "body", "heart", "will")

MOST_POINTS = 9
"""DV-1, DV-33: the most points of all Stats together."""

Group = Literal["trait", "relationship", "belonging"]
GROUPS: tuple[Group, ...] = ("trait", "relationship", "belonging")

Kind = Literal["-", "o", "+"]
KINDS: tuple[Kind, ...] = ("-", "o", "+")
"""DV-2: troublesome, regular, strong."""


def mark_of(kind: Kind, significant: bool) -> str:
    """Return the mark of a type: `-`, `o` or `+`, with a star if significant."""
    return kind + "*" * significant


class Stats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four Stats (DV-1)."""

    acuity: Whole
    body: Whole
    heart: Whole
    will: Whole

    @property
    def total(self) -> int:
        """The sum of the four."""
        return self.acuity + self.body + self.heart + self.will

    def of(self, stat: Stat) -> int:
        """Return one Stat."""
        return int(getattr(self, stat))

    def changed(self, stat: Stat, by: int) -> Stats:
        """Return a copy with one Stat raised or lowered."""
        return msgspec.structs.replace(self, **{stat: self.of(stat) + by})


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A trait, a relationship or a belonging (DV-2). A `gun` draws once more when brought into play (DV-11)."""

    name: str
    group: Group = "trait"
    kind: Kind = "o"
    significant: bool = False
    gun: bool = False

    @property
    def mark(self) -> str:
        """The mark of its type and significance."""
        return mark_of(self.kind, self.significant)


Owed = Literal["experience", "long_term", "short_term"]
"""A list from which a character still has to choose (DV-32)."""

Condition = Literal["well", "injured", "mortally_wounded", "dying", "dead"]
"""A character's condition: the second and third need a healing conflict (DV-29), the last two are final."""

NEEDS_HEALING: tuple[Condition, ...] = ("injured", "mortally_wounded")

FastType = Literal["A", "B", "C", "D"]


class Later(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short-term choice that lasts for the next conflict (DV-32).

    `thing` names a new troublesome trait, or the thing that counts as troublesome.
    """

    effect: Literal["troublesome_trait", "counts_troublesome", "fewer_cards"]
    thing: str = ""


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a sheet's history: an event, and the stakes of its conflict.

    For a `healing` conflict, `stakes` is the patient's name.
    """

    stakes: str
    rule: str
    key: str
    about: dict[str, Any] = {}
    healing: bool = False


class Sheet(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A character as stored in a roster file.

    `kept` holds cards for a follow-up conflict (DV-24), `wounds` the Fallout pile of a character who needs healing
    (DV-30). `away` means it has left the scene (DV-32); `proposed` means its Stats come from dice and may still be
    changed (DV-5). A Fast NPC has a `fast` type and additional `members` (DV-34, DV-35).
    """

    name: str
    stats: Stats
    things: list[Thing] = []
    kept: list[Card] = []
    condition: Condition = "well"
    wounds: list[Card] = []
    owed: list[Owed] = []
    later: list[Later] = []
    history: list[Noted] = []
    away: bool = False
    proposed: bool = False
    npc: bool = False
    fast: FastType | None = None
    members: int = 0


class Character(Sheet, kw_only=True):
    """A character at the table."""

    controller: str

    def change_thing(self, name: str, **changes: Any) -> None:
        """Change fields of the thing with this name."""
        self.things = [
            msgspec.structs.replace(thing, **changes) if thing.name == name else thing for thing in self.things
        ]

    def current_things(self) -> list[Thing]:
        """Return the things as they count in the next conflict, with the effects of short-term choices (DV-32)."""
        troubled = {later.thing for later in self.later if later.effect == "counts_troublesome"}
        extra = [Thing(later.thing, kind="-") for later in self.later if later.effect == "troublesome_trait"]
        counted = [
            msgspec.structs.replace(thing, kind="-") if thing.name in troubled else thing for thing in self.things
        ]
        return [*counted, *extra]

    @property
    def can_be_healed(self) -> bool:
        """Whether the character needs a healing conflict (DV-29)."""
        return self.condition in NEEDS_HEALING

    @property
    def can_act(self) -> bool:
        """Whether the character can take part in conflicts, other than as a patient: well, no choices owed (DV-29)."""
        return self.condition == "well" and not self.owed
