"""The settings that Hackjack's questions and the gunfight's have in common, and the table's options they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.games.hackjack import state
from cardhouse.games.hackjack.lab.damage import C7Policy

C7 = Annotated[
    C7Policy,
    msgspec.Meta(
        description="which of two wounds is chosen (HJ-22): the first, the one with the lower Blood or Trauma, or the "
        "best for survival"
    ),
]
Limit = Annotated[state.Limit, msgspec.Meta(description="above it one dies (HJ-6)")]
Massive = Annotated[state.Massive, msgspec.Meta(description="more damage than this counts instead of a card (HJ-8)")]
OwnWounds = Annotated[state.WoundsFile, msgspec.Meta(description="wounds of your own (HJ-30), from a file")]
DrawAtZero = Annotated[bool, msgspec.Meta(description="reaching exactly 0 HP draws a card, too (HJ-1)")]
ReturnCards = Annotated[bool, msgspec.Meta(description="drawn cards go back into the deck at once (HJ-20)")]
Judged = Annotated[
    state.Judged,
    msgspec.Meta(description="when the death-score is judged: once, or after blood and each value (HJ-6)"),
]
StandingBlood = Annotated[bool, msgspec.Meta(description="blood flows on one's feet, and with the fall, too (HJ-11)")]
JackOfClubs = Annotated[
    state.JackOfClubs,
    msgspec.Meta(description="of CJ's two, what a card without Blood or Trauma counts: 0, or nothing at all (HJ-23)"),
]


class WoundSettings(Protocol):
    """A question with these settings; `critical` is so many faces of a d20."""

    @property
    def draw_at_zero(self) -> bool: ...
    @property
    def massive(self) -> int: ...
    @property
    def limit(self) -> int: ...
    @property
    def return_cards(self) -> bool: ...
    @property
    def critical(self) -> int: ...
    @property
    def jokers(self) -> bool: ...
    @property
    def judged(self) -> str: ...
    @property
    def standing_blood(self) -> bool: ...
    @property
    def jack_of_clubs(self) -> str: ...
    @property
    def wounds(self) -> dict[str, Any]: ...


def switches(asked: WoundSettings) -> dict[str, Any]:
    """The options of a table that plays by these settings."""
    return {
        "draw_at_zero": asked.draw_at_zero,
        "massive_damage": asked.massive,
        "limit": asked.limit,
        "return_cards": asked.return_cards,
        "critical_draw": asked.critical > 0,
        "jokers": asked.jokers,
        "judged": asked.judged,
        "standing_blood": asked.standing_blood,
        "jack_of_clubs": asked.jack_of_clubs,
        "wounds": asked.wounds,
    }


def settings_from(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings by which one plays as a table with these options does; on a natural 20 a hit is critical there."""
    renamed = {"massive": options["massive_damage"], "critical": int(options["critical_draw"])}
    return {**options, **renamed}


def check_room(too_long: int) -> None:
    """Raises CardhouseError if so many trials had chains of wounds that a kernel has no room for."""
    if too_long:
        raise CardhouseError(
            "With these wounds one hit can draw such a chain of cards that the lab has no room for it; fewer of "
            'them should be "again" or "both".'
        )
