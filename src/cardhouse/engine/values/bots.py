"""Bots: programs that play a seat. They are given what the seat is sent, and answer as a person would."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec


class Seen(msgspec.Struct, frozen=True):
    """All that a bot goes by, in the form in which the protocol has it.

    `view` is the game as its seat may see it, `asks` the open question, `offers` what the seat may answer to it, and
    `options` are those of the table. `seats` are all at it; `story` is what the last entries meant, as the seat may
    know it: of so many as whoever asks the bot has kept.
    """

    seat: str
    view: dict[str, Any]
    asks: dict[str, Any]
    offers: list[dict[str, Any]]
    options: dict[str, Any]
    seats: list[str] = []
    story: list[dict[str, Any]] = []


Bot = Callable[[Seen, Random], dict[str, Any] | None]
"""What a bot answers: a line of the transcript without `by` and `id`; None if it leaves that to others.

Whatever it doesn't owe to what it has seen it owes to the generator it is given, so that it can be played again.
"""

STORY = 40
"""So many of the last entries a bot at a table is told."""
HOUSE = "house"
"""The house's own player, which every game has beside its bots (cardhouse.player); one of a game goes before it."""


def may_play(bots: Mapping[str, Bot], bot: str) -> bool:
    """Whether there is such a bot for a game that has these of its own."""
    return bot == HOUSE or bot in bots
