"""The actions of Dogs Play Cards, Too."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import Action
from cardhouse.games.dogs.people.sheet import FastType, Group, Kind, Stat, Stats, Thing
from cardhouse.games.dogs.state import Demonic, Pile


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An additional member of a group, which counts as one of its traits (DV-35)."""

    name: str
    kind: Kind = "o"
    significant: bool = False

    def as_thing(self) -> Thing:
        """Return the trait for the group's sheet."""
        return Thing(self.name, "trait", self.kind, self.significant)


class Create(Action, frozen=True):
    """Create a character: from a template (DV-3), dice (DV-5), or freely. The default `controller` is the sender."""

    name: str
    template: str | None = None
    stats: Stats | None = None
    things: list[Thing] = []
    dice: str | None = None
    controller: str | None = None
    npc: bool = False


class SetStats(Action, frozen=True):
    """Replace proposed Stats (DV-5)."""

    name: str
    stats: Stats


class Npc(Action, frozen=True):
    """Add a Fast NPC (DV-34) and the additional members of its group (DV-35)."""

    name: str
    type: FastType
    members: list[Member] = []


class BringCharacter(Action, frozen=True):
    """Add a character from the roster, as it left an earlier table."""

    sheet: dict[str, Any]
    controller: str | None = None


class OpenConflict(Action, frozen=True):
    """Open a conflict (DV-14), in one of the arenas or in one of the game master's own (DV-9)."""

    stakes: str
    sides: list[list[str]]
    arena: str | None = None
    stats: list[Stat] | None = None
    pile: Pile | None = None
    starter: str | None = None
    demonic: Demonic | None = None
    follow_up: bool = False
    spare: list[str] = []


class OpenHealing(Action, frozen=True):
    """Open a healing conflict (DV-30)."""

    healer: str
    patient: str
    demonic: Demonic | None = None


class OpenInitiation(Action, frozen=True):
    """Open an initiation of a new character (DV-37)."""

    name: str
    stakes: str
    arena: str = "talking"


class Bring(Action, frozen=True):
    """Bring a thing into play with the next Raise or See (DV-10)."""

    name: str
    thing: str


class Improvise(Action, frozen=True):
    """Improvise with something that is on no sheet (DV-11)."""

    name: str
    desperate: bool = False


class Escalate(Action, frozen=True):
    """Enter another arena (DV-12)."""

    name: str
    arena: str | None = None
    stats: list[Stat] | None = None
    pile: Pile | None = None


class Raise(Action, frozen=True):
    """Push forward one card (DV-16), with what the character says or does, if its player writes it."""

    name: str
    card: Card
    arena: str | None = None
    against: list[str] | None = None
    sideways: Card | None = None
    words: str = ""


class Help(Action, frozen=True):
    """Hand a card to another participant's Raise or See (DV-21)."""

    name: str
    card: Card
    whom: str


class See(Action, frozen=True):
    """Answer a Raise (DV-17 to DV-19)."""

    name: str
    cards: list[Card]
    sideways: Card | None = None
    reverse: bool | None = None


class Give(Action, frozen=True):
    """Leave the conflict (DV-22)."""

    name: str


class FalloutChoice(Action, frozen=True):
    """Choose a short-term or long-term fallout option (DV-32)."""

    name: str
    choice: Literal[
        "leave_scene",
        "troublesome_trait",
        "counts_troublesome",
        "fewer_cards",
        "lower_stat",
        "new_troublesome",
        "lose_belonging",
        "make_troublesome",
        "make_significant",
    ]
    stat: Stat | None = None
    thing: str | None = None
    group: Group | None = None


class ExperienceChoice(Action, frozen=True):
    """Choose an experience option (DV-32). If the Stats total 9, raising one lowers another (DV-33)."""

    name: str
    choice: Literal["raise_stat", "new_regular", "new_troublesome", "new_belonging", "make_significant", "change_kind"]
    stat: Stat | None = None
    lower: Stat | None = None
    thing: str | None = None
    group: Group | None = None
    kind: Kind | None = None


class Float(Action, frozen=True):
    """Give a floating trait to a participant in the conflict (DV-36)."""

    thing: str
    for_: str = msgspec.field(name="for")


class NewTown(Action, frozen=True):
    """Begin a new Town, which brings the floating traits back (DV-36)."""


class DescribeTown(Action, frozen=True):
    """Write the Town's name and the game master's notes; a field left out becomes empty. `shown` shows everyone."""

    town: str = ""
    notes: str = ""
    shown: bool = False


class LetDie(Action, frozen=True):
    """Let a character die who wasn't healed in time (DV-30)."""

    name: str
