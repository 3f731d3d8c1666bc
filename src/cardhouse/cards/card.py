"""A playing card is its short name, a suit letter and a rank: `C7 S10 DJ HA`; jokers are `RJ BJ`.

Cards are plain strings, so that transcripts, database rows and rules all use the same form. If two decks are shuffled
together, the cards of the second end in b: `S10b`.
"""

from collections.abc import Iterable

Card = str

SUITS = "CDHS"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
STANDARD: tuple[Card, ...] = tuple(suit + rank for suit in SUITS for rank in RANKS)
"""The 52 cards in their canonical order: clubs, diamonds, hearts, spades; ace to king."""

RED_JOKER: Card = "RJ"
BLACK_JOKER: Card = "BJ"
JOKERS: tuple[Card, ...] = (RED_JOKER, BLACK_JOKER)

SECOND_DECK: tuple[Card, ...] = tuple(f"{card}b" for card in STANDARD)
"""The cards of a second deck, in canonical order."""

_PLACE = {card: place for place, card in enumerate(STANDARD + JOKERS + SECOND_DECK)}
_NUMBER = {card: RANKS.index(card[1:].removesuffix("b")) + 1 for card in STANDARD + SECOND_DECK}


def is_joker(card: Card) -> bool:
    """Return whether the card is one of the two jokers."""
    return card in JOKERS


def is_red(card: Card) -> bool:
    """Return whether a card is a diamond or a heart; a joker has no suit."""
    return suit_of(card) in "DH"


def suit_of(card: Card) -> str:
    """Return the suit letter of a standard card, one of `C D H S`."""
    return card[0]


def rank_of(card: Card) -> str:
    """Return the rank of a standard card as it is written: `A 2 ... 10 J Q K`."""
    return card[1:].removesuffix("b")


def number_of(card: Card) -> int:
    """Return the rank of a standard card as a number, from 1 for the ace to 13 for the king.

    Raises KeyError for a joker or a card of another deck.
    """
    return _NUMBER[card]


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Return cards in canonical order; those of other decks come last, by name."""
    cards = list(cards)
    try:
        return sorted(cards, key=_PLACE.__getitem__)
    except KeyError:  # a custom deck
        return sorted(cards, key=lambda card: (_PLACE.get(card, len(_PLACE)), card))
