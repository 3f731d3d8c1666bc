"""The data of Magpies: its options, its actions, and what each seat sees."""

from typing import Annotated

import msgspec
from msgspec import Meta

from cardhouse.cards import Card
from cardhouse.engine import Action, Options

FEWEST, MOST = 3, 6
"""The number of players (MP-1)."""


class MagpiesOptions(Options, frozen=True):
    """The length of a game."""

    deals: Annotated[int, Meta(ge=1, le=10)] = 3
    """MP-9: the number of deals."""
    hand: Annotated[int, Meta(ge=3, le=7)] = 7
    """MP-2: the cards in each hand, and so the number of tricks."""


class Deal(Action, frozen=True):
    """Deal the cards (MP-2)."""


class Choose(Action, frozen=True):
    """Choose a card of your hand (MP-4)."""

    card: Card


class Played(msgspec.Struct, frozen=True):
    """A player's card in a trick; `cancelled` if another player chose the same rank (MP-5)."""

    seat: str
    card: Card
    cancelled: bool


class Trick(msgspec.Struct, frozen=True):
    """A revealed trick: its prizes, and the player who took them; None if all cards were cancelled."""

    number: int
    prizes: list[Card]
    played: list[Played]
    taker: str | None


class Player(msgspec.Struct, frozen=True):
    """A player: the prizes `won` in this deal, the points of each of the `deals`, and all `points`."""

    seat: str
    cards: int
    has_chosen: bool
    won: list[Card]
    deals: list[int]
    points: int


class MagpiesView(msgspec.Struct, frozen=True):
    """The table as one seat sees it: `hand` and `chosen` are its own; `hands` are all hands, after the end."""

    deal: int
    trick: int
    prizes: list[Card]
    hand: list[Card]
    chosen: Card | None
    last: Trick | None
    players: list[Player]
    winners: list[str]
    hands: dict[str, list[Card]] = {}
