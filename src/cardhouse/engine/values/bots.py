"""Bots: programs that play a seat. They receive what the seat receives, and answer like a person."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec

from cardhouse.engine.values.documents import OfferDoc, QuestionDoc


class Seen(msgspec.Struct, frozen=True):
    """Everything that a bot knows, as the protocol sends it.

    `view` is the seat's view of the game, `asks` the open question, `offers` the seat's possible answers, and `options`
    the table's options. `seats` lists all seats. `story` has the seat's view of the last entries, as many as the caller
    has kept.
    """

    seat: str
    view: dict[str, Any]
    asks: QuestionDoc
    offers: list[OfferDoc]
    options: dict[str, Any]
    seats: list[str] = []
    story: list[dict[str, Any]] = []


Bot = Callable[[Seen, Random], dict[str, Any] | None]
"""A bot: it returns a line of the transcript without `by` and `id`, or None to leave the move to others.

Its answer must depend only on what it sees and on the generator it is given, so that it can be replayed.
"""

STORY = 40
"""The number of last entries that a bot at a table receives."""
HOUSE = "house"
"""The bot that every game has (cardhouse.player), unless it has its own bot of that name."""


def may_play(bots: Mapping[str, Bot], bot: str) -> bool:
    """Return whether a game with these bots has one of this name."""
    return bot == HOUSE or bot in bots
