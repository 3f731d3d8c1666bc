"""The data of Dogpile: its options, the cards laid, the record of a round, and the actions of players."""

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from cardhouse.cards import Card, Cell, Placed
from cardhouse.engine import Action, Options

MOST_PLAYERS = 8
"""DG-2: the most players. Others at the table are spectators."""

PACK_LEADER: Cell = (0, 0)
"""DG-4: the cell of the Pack Leader."""


# The values of the options.

DeckFile = Annotated[dict[str, Any], Meta(extra_json_schema={"format": "file", "contentMediaType": "application/toml"})]
Jokers = Literal[0, 1, 2]
MOST_JOKERS = max(get_args(Jokers))
HandSize = Annotated[int, Meta(ge=1, le=10)]
Rounds = Annotated[int, Meta(ge=1, le=100)]
LoneLeader = Literal["strays", "joins"]
Passing = Literal["ends_laying", "skips"]


class DogpileOptions(Options, frozen=True):
    """The options of Dogpile."""

    deck: DeckFile = {}
    """DG-20: a custom deck, as the data of its file; the standard deck if empty."""
    jokers: Jokers = 2
    """DG-1: the number of fully wild cards in play, taken from the start of the deck."""
    hand_size: HandSize = 5
    """DG-2: the size of a hand."""
    minutes: Annotated[int, Meta(ge=1, le=180)] = 15
    """DG-18: the timer in minutes."""
    rounds: Annotated[Rounds | None, Meta(extra_json_schema={"insteadOf": "minutes", "examples": [10]})] = None
    """DG-18: play this number of rounds instead, without a timer."""
    touching: bool = False
    """DG-5: each card must touch one laid before it."""
    lone_leader: LoneLeader = "strays"
    """DG-15: the fate of a Pack Leader without any card laid."""
    passing: Passing = "ends_laying"
    """DG-7: the effect of laying nothing: it ends the laying, or only the player's own turn."""
    gm_plays: bool = False
    """DG-2: the game master plays, too."""


USUAL = DogpileOptions()
"""The default options."""


class Laid(msgspec.Struct, frozen=True):
    """A card that a player laid face down."""

    seat: str
    x: int
    y: int
    card: Card

    @property
    def cell(self) -> Cell:
        """The cell of the card."""
        return self.x, self.y


class Round(msgspec.Struct, frozen=True):
    """The record of a judged round (DG-9): Player One, the pack, the rule that decided, and all hands before it.

    `size` is the number of cards in the pack, including the Pack Leader.
    """

    number: int
    player_one: str
    leader: Card
    size: int
    joined: bool
    rule: str
    open_cards: list[Card]


class Begin(Action, frozen=True):
    """Start the game with this seat as Player One (DG-3), by default the first seat.

    `players` are the seats dealt in, always including Player One (DG-2); by default every seat.
    """

    first: str | None = None
    players: list[str] | None = None


class DealIn(Action, frozen=True):
    """Deal in a seat that was empty at the start, when hands are next filled (DG-2)."""

    seat: str


class Lay(Action, frozen=True):
    """Lay cards face down, in this order (DG-5)."""

    cards: list[Placed]


class Pass(Action, frozen=True):
    """Lay nothing, which ends the laying, or with that option only the player's turn (DG-7)."""


class NextRound(Action, frozen=True):
    """Go on after the reveal (DG-16)."""


class Ring(Action, frozen=True):
    """The timer rings (DG-18)."""
