"""The values of cards, for the rules, the bots and the lab."""

from collections.abc import Iterable

from cardhouse.cards import Card, number_of

HIGHEST = 10


def is_face(card: Card) -> bool:
    """Return whether a card takes the points of the turn (S-3): a jack, queen or king."""
    return number_of(card) > HIGHEST


def points_of(cards: Iterable[Card]) -> int:
    """Return the total value of cards (S-2): an ace is 1, 2 to 10 their number."""
    return sum(number_of(card) for card in cards if not is_face(card))
