"""Showdown: its switches, its characters, how cards compare, and what is shown."""

from typing import Annotated, Literal

import msgspec

from cardhouse.cards import RED_JOKER, Card, is_joker, number_of, suit_of
from cardhouse.engine import Options, Person

NERVES = ("d4", "d6", "d8", "d10", "d12")
SUITS_UP = "CDHS"
ACE_HIGH, JOKER = 14, 15
Phase = Literal["between", "cards", "turns"]


def height(card: Card) -> tuple[int, int]:
    """How high a card is (SD-3): its rank, aces above kings and jokers above all, then its suit."""
    if is_joker(card):
        return JOKER, int(card == RED_JOKER)
    number = number_of(card)
    return ACE_HIGH if number == 1 else number, SUITS_UP.index(suit_of(card))


class ShowdownOptions(Options, frozen=True):
    """With how many `tokens` a character comes (SD-5); what a joker adds to rolls, `joker_bonus` (SD-4)."""

    tokens: Annotated[int, msgspec.Meta(ge=0, le=5)] = 2
    joker_bonus: Annotated[int, msgspec.Meta(ge=0, le=5)] = 2


class Character(Person):
    """Somebody in it, or `many` extras who share a card (SD-9). Its `nerve` is the die it rolls (SD-8).

    `cards` are those of this round, the one it goes by first; `acted` says that its turn has begun, `holds` that it
    waits for a moment of its own (SD-7).
    """

    nerve: str = "d6"
    many: int = 1
    tokens: int = 0
    cards: list[Card] = []
    acted: bool = False
    holds: bool = False

    @property
    def has_joker(self) -> bool:
        """Whether it goes by a joker (SD-4)."""
        return bool(self.cards) and is_joker(self.cards[0])


class ShowdownView(msgspec.Struct, frozen=True):
    """The table. `order` names those who have a turn, or will, as they come; in the turns the first is acting."""

    round: int
    phase: Phase
    deck_left: int
    order: list[str]
    characters: list[Character]
