"""Card initiative: characters, ranks, tiers, options and actions."""

from typing import Annotated, Literal

import msgspec

from cardhouse.cards import STANDARD, Card, number_of, rank_of
from cardhouse.engine import Action, NamedAction, Options

TIERS: dict[str, tuple[str, ...]] = {
    "elite": ("A",),
    "leader": ("K", "Q", "J", "10"),
    "experienced": ("9", "8", "7", "6"),
    "inexperienced": ("5", "4", "3", "2"),
}
"""IN-4: the tiers, each with its ranks from the best down."""

TIER_OF = {rank: tier for tier, ranks in TIERS.items() for rank in ranks}

FRESH_ACE = 14
HIT_DIE = 6
"""IN-22: the sides of the die that decides whether a strike hits."""
SPENT_ACE = 1


RANK = {card: FRESH_ACE if rank_of(card) == "A" else number_of(card) for card in STANDARD}
"""IN-3: how each card compares before it has acted."""


def initiative_rank(card: Card, acted: int) -> int:
    """IN-3: return how a card compares after `acted` actions this round: ace 14, then K 13 to 2, spent ace 1."""
    rank = RANK[card]
    return SPENT_ACE if acted and rank == FRESH_ACE else rank


def actions_owed(card: Card) -> int:
    """Return the number of actions per round: two for an ace (IN-3), one for any other card."""
    return 2 if RANK[card] == FRESH_ACE else 1


class InitiativeOptions(Options, frozen=True):
    """The house rules of card initiative."""

    join_now: bool = False
    """IN-18: a character who joins during a round is shuffled into the undrawn part of the deck at once."""
    hit_from: Annotated[int, msgspec.Meta(ge=0, le=HIT_DIE)] = 0
    """IN-22: the lowest d6 roll with which a strike hits; 0 lets the game master decide who is hit."""


class Character(msgspec.Struct):
    """A character in the fight, with one card of the deck (IN-1).

    `acted` counts its turns this round; `joined` says that its card is in this round's deck; `hidden` that only the
    game master knows about it (IN-21).
    """

    name: str
    card: Card
    side: str | None = None
    controller: str = "gm"
    hidden: bool = False
    acted: int = 0
    joined: bool = False

    @property
    def rank(self) -> int:
        """How its card compares now (IN-3)."""
        return initiative_rank(self.card, self.acted)


class Gone(msgspec.Struct, frozen=True):
    """A character that was removed (IN-17), kept for the roster, with the round; `hidden` if it was never seen."""

    name: str
    card: Card
    side: str | None
    round: int
    hidden: bool


Tier = Literal["elite", "leader", "experienced", "inexperienced"]


class AddCharacter(Action, frozen=True):
    """Add a character, with a card or the best free one of a tier."""

    name: str
    card: Card | None = None
    tier: Tier | None = None
    side: str | None = None
    controller: str = "gm"
    hidden: bool = False


class StartRound(Action, frozen=True):
    """Start a round with all cards, shuffled (IN-6)."""


class Act(NamedAction, frozen=True):
    """Take the turn now (IN-10, IN-12)."""


class Wait(NamedAction, frozen=True):
    """Act later (IN-10, IN-12)."""


class Done(NamedAction, frozen=True):
    """End the turn (IN-13)."""
