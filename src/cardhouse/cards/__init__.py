"""Cards and decks, without any game's rules."""

from cardhouse.cards.card import (
    BLACK_JOKER,
    JOKERS,
    RANKS,
    RED_JOKER,
    SECOND_DECK,
    STANDARD,
    SUITS,
    Card,
    in_order,
    is_joker,
    is_red,
    number_of,
    rank_of,
    suit_of,
)
from cardhouse.cards.deck import Deck
from cardhouse.cards.placed import Cell, Placed, around, touches

__all__ = [
    "BLACK_JOKER",
    "JOKERS",
    "RANKS",
    "RED_JOKER",
    "SECOND_DECK",
    "STANDARD",
    "SUITS",
    "Card",
    "Cell",
    "Deck",
    "Placed",
    "around",
    "in_order",
    "is_joker",
    "is_red",
    "number_of",
    "rank_of",
    "suit_of",
    "touches",
]
