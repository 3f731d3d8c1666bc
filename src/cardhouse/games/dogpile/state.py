"""Dogpile: its options, what lies on the grid, what is remembered of a round, and what people may say."""

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from cardhouse.cards import Card, Cell, Placed
from cardhouse.engine import Action, Options

MOST_PLAYERS = 8
"""DG-2: so many play; whoever sits at the table besides looks on."""

PACK_LEADER: Cell = (0, 0)
"""DG-4: where the Pack Leader lies."""


# What the switches may be.

DeckFile = Annotated[
    dict[str, Any],
    Meta(extra_json_schema={"format": "file", "contentMediaType": "application/toml", "ready": "decks"}),
]
Jokers = Literal[0, 1, 2]
MOST_JOKERS = max(get_args(Jokers))
HandSize = Annotated[int, Meta(ge=1, le=10)]
Rounds = Annotated[int, Meta(ge=1, le=100)]
LoneLeader = Literal["strays", "joins"]
Passing = Literal["ends_laying", "skips"]


class DogpileOptions(Options, frozen=True):
    """The switches of Dogpile."""

    deck: DeckFile = {}
    """DG-20: a deck of one's own, as the data of its file; the standard deck if empty."""
    jokers: Jokers = 2
    """DG-1: so many of the deck's cards that are wild in everything are played, its first ones."""
    hand_size: HandSize = 5
    """DG-2."""
    minutes: Annotated[int, Meta(ge=1, le=180)] = 15
    """DG-18: how long until the timer rings."""
    rounds: Annotated[Rounds | None, Meta(extra_json_schema={"insteadOf": "minutes", "examples": [10]})] = None
    """DG-18: play so many rounds instead, with no timer."""
    touching: bool = False
    """DG-5: each card must touch one laid before it."""
    lone_leader: LoneLeader = "strays"
    """DG-15: what becomes of a Pack Leader that nobody laid a card to."""
    passing: Passing = "ends_laying"
    """DG-7: what laying nothing does: it ends the laying, or only one's own turn."""
    gm_plays: bool = False
    """DG-2: the game master is a player, too."""


USUAL = DogpileOptions()
"""The switches of a table that sets none."""


class Laid(msgspec.Struct, frozen=True):
    """A card that a player laid face down."""

    seat: str
    x: int
    y: int
    card: Card

    @property
    def cell(self) -> Cell:
        """Where it lies."""
        return self.x, self.y


class Round(msgspec.Struct, frozen=True):
    """A round that has been judged (DG-9): who was Player One, the pack, which rule decided, and all hands before it.

    `size` is the number of cards in the pack, the Pack Leader included.
    """

    number: int
    player_one: str
    leader: Card
    size: int
    joined: bool
    rule: str
    open_cards: list[Card]


class Begin(Action, frozen=True):
    """The game starts, with this seat as Player One (DG-3), the first seat if nobody says.

    `players` are the seats that are dealt in, and Player One is among them (DG-2); every seat if nobody says.
    """

    first: str | None = None
    players: list[str] | None = None


class DealIn(Action, frozen=True):
    """A seat that was empty when the game started is dealt in when hands are next filled (DG-2)."""

    seat: str


class Lay(Action, frozen=True):
    """Lay cards face down, in this order (DG-5)."""

    cards: list[Placed]


class Pass(Action, frozen=True):
    """Lay nothing, which ends the laying, or where so played only one's turn (DG-7)."""


class NextRound(Action, frozen=True):
    """Enough looked at the reveal (DG-16)."""


class Ring(Action, frozen=True):
    """The timer rings (DG-18)."""
