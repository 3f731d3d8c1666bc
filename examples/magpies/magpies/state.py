"""What Magpies knows: its options, what people may say, and what lies on the table."""

from typing import Annotated

import msgspec
from msgspec import Meta

from cardhouse.cards import Card
from cardhouse.engine import Action, Options

FEWEST, MOST = 3, 6
"""So many play (MP-1)."""


class MagpiesOptions(Options, frozen=True):
    """How long a game is."""

    deals: Annotated[int, Meta(ge=1, le=10)] = 3
    """MP-9: so many deals are played."""
    hand: Annotated[int, Meta(ge=3, le=7)] = 7
    """MP-2: so many cards are dealt to each, which is how many tricks there are."""


class Deal(Action, frozen=True):
    """Deal the cards (MP-2)."""


class Choose(Action, frozen=True):
    """Choose a card of one's hand (MP-4)."""

    card: Card


class Played(msgspec.Struct, frozen=True):
    """A card that somebody played; `cancelled` says that another of its rank was played, too (MP-5)."""

    seat: str
    card: Card
    cancelled: bool


class Trick(msgspec.Struct, frozen=True):
    """A trick as it was revealed: what it was about, and who took that; nobody, if all cards were cancelled."""

    number: int
    prizes: list[Card]
    played: list[Played]
    taker: str | None


class Player(msgspec.Struct, frozen=True):
    """Somebody who plays; `won` are the prizes of this deal, `deals` the points of each, `points` all of them."""

    seat: str
    cards: int
    has_chosen: bool
    won: list[Card]
    deals: list[int]
    points: int


class MagpiesView(msgspec.Struct, frozen=True):
    """The table as one seat sees it: `hand` and `chosen` are its own; `hands` are all, when it is over."""

    deal: int
    trick: int
    prizes: list[Card]
    hand: list[Card]
    chosen: Card | None
    last: Trick | None
    players: list[Player]
    winners: list[str]
    hands: dict[str, list[Card]] = {}
