"""Who somebody is: Stats, things, and what a conflict left behind (DV-1, DV-2)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cardhouse.cards import Card

Stat = Literal["acuity", "body", "heart", "will"]
STATS: tuple[Stat, ...] = ("acuity", "body", "heart", "will")

MOST_POINTS = 9
"""DV-1, DV-33: the sum of the Stats is never above it."""

Group = Literal["trait", "relationship", "belonging"]
GROUPS: tuple[Group, ...] = ("trait", "relationship", "belonging")

Kind = Literal["-", "o", "+"]
KINDS: tuple[Kind, ...] = ("-", "o", "+")
"""DV-2: troublesome, regular, strong."""


def mark_of(kind: Kind, significant: bool) -> str:
    """How a thing of this kind is spoken of: `-`, `o`, `+`, with a star if it is significant."""
    return kind + "*" * significant


class Stats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four Stats (DV-1)."""

    acuity: int
    body: int
    heart: int
    will: int

    @property
    def total(self) -> int:
        """Their sum."""
        return self.acuity + self.body + self.heart + self.will

    def of(self, stat: Stat) -> int:
        """One of them."""
        return int(getattr(self, stat))

    def changed(self, stat: Stat, by: int) -> Stats:
        """The same with one of them higher or lower."""
        return msgspec.structs.replace(self, **{stat: self.of(stat) + by})


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A trait, a relationship or a belonging (DV-2). A `gun` draws once more when it is drawn for (DV-11)."""

    name: str
    group: Group = "trait"
    kind: Kind = "o"
    significant: bool = False
    gun: bool = False

    @property
    def mark(self) -> str:
        """Its mark as it is spoken of."""
        return mark_of(self.kind, self.significant)


Owed = Literal["experience", "long_term", "short_term"]
"""A choice somebody has to make of one of the three lists (DV-32)."""

Condition = Literal["well", "injured", "mortally_wounded", "dying", "dead"]
"""How somebody is: the second and third need a healing conflict (DV-29), the last two are done."""

NEEDS_HEALING: tuple[Condition, ...] = ("injured", "mortally_wounded")

FastType = Literal["A", "B", "C", "D"]


class Later(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short-term choice that lasts for the next conflict (DV-32).

    `thing` is a new troublesome trait's name, or the thing that counts troublesome.
    """

    effect: Literal["troublesome_trait", "counts_troublesome", "fewer_cards"]
    thing: str = ""


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a sheet's history: in which conflict, by its stakes, and what was told of it then.

    Of a `healing` conflict the stakes are who was to be healed.
    """

    stakes: str
    rule: str
    key: str
    about: dict[str, Any] = {}
    healing: bool = False


class Sheet(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Somebody, as a roster file holds it.

    `kept` are cards for a follow-up conflict (DV-24), `wounds` those of the Fallout pile of somebody who needs healing
    (DV-30). `away` says that it has left the scene (DV-32), `proposed` that its Stats come out of dice and may still be
    changed (DV-5). A Fast NPC has a `fast` type and so many further `members` (DV-34, DV-35).
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
    """Somebody at the table."""

    controller: str

    def change_thing(self, name: str, **changes: Any) -> None:
        """Its thing of this name is otherwise from now on."""
        self.things = [
            msgspec.structs.replace(thing, **changes) if thing.name == name else thing for thing in self.things
        ]

    def things_for_now(self) -> list[Thing]:
        """Its things as they count in its next conflict, with what it chose for that (DV-32)."""
        troubled = {later.thing for later in self.later if later.effect == "counts_troublesome"}
        extra = [Thing(later.thing, kind="-") for later in self.later if later.effect == "troublesome_trait"]
        counted = [
            msgspec.structs.replace(thing, kind="-") if thing.name in troubled else thing for thing in self.things
        ]
        return [*counted, *extra]

    @property
    def can_be_healed(self) -> bool:
        """Whether it needs a healing conflict (DV-29)."""
        return self.condition in NEEDS_HEALING

    @property
    def can_act(self) -> bool:
        """Whether it can take part in conflicts, but as a patient: it is well and has made its choices (DV-29)."""
        return self.condition == "well" and not self.owed
