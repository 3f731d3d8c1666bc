"""Showdown's options, characters, card order and view."""

from typing import Annotated, Literal

import msgspec

from cardhouse.cards import RED_JOKER, Card, is_joker, number_of, suit_of
from cardhouse.engine import Options, Person

NERVES = ("d4", "d6", "d8", "d10", "d12")
SUITS_UP = "CDHS"
ACE_HIGH, JOKER = 14, 15
Phase = Literal["between", "cards", "turns"]


def height(card: Card) -> tuple[int, int]:
    """Return a card's height (SD-3): by rank, aces above kings and jokers above all, then by suit."""
    if is_joker(card):
        return JOKER, int(card == RED_JOKER)
    number = number_of(card)
    return ACE_HIGH if number == 1 else number, SUITS_UP.index(suit_of(card))


class ShowdownOptions(Options, frozen=True):
    """The `tokens` of a new character (SD-5), and the `joker_bonus` to rolls (SD-4)."""

    tokens: Annotated[int, msgspec.Meta(ge=0, le=5)] = 2
    joker_bonus: Annotated[int, msgspec.Meta(ge=0, le=5)] = 2


class Character(Person):
    """A character, or `many` extras with one card (SD-9). `nerve` is its die (SD-8).

    `cards` are this round's, the one that counts first. `acted`: its turn has begun. `holds`: it waits (SD-7).
    """

    nerve: str = "d6"
    many: int = 1
    tokens: int = 0
    cards: list[Card] = []
    acted: bool = False
    holds: bool = False

    @property
    def has_joker(self) -> bool:
        """Whether it acts on a joker (SD-4)."""
        return bool(self.cards) and is_joker(self.cards[0])


class ShowdownView(msgspec.Struct, frozen=True):
    """The table. `order` names the characters with a turn to come, in order; during the turns the first is acting."""

    round: int
    phase: Phase
    deck_left: int
    order: list[str]
    characters: list[Character]
