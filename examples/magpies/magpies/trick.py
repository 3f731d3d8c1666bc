"""The winner of a trick, for the rules, the bots and the lab."""

from collections import Counter
from collections.abc import Iterable, Mapping

from cardhouse.cards import Card, number_of

ACE_HIGH = 14


def worth(card: Card) -> int:
    """Return a card's points (MP-8): 2 to 10 their number, jack, queen and king 11 to 13, and the ace 14."""
    number = number_of(card)
    return ACE_HIGH if number == 1 else number


def points_of(cards: Iterable[Card]) -> int:
    """Return the points of several prizes (MP-8)."""
    return sum(map(worth, cards))


def cancelled(played: Mapping[str, Card]) -> set[str]:
    """Return the seats whose cards cancel each other, because their rank is the same (MP-5)."""
    ranks = Counter(map(worth, played.values()))
    return {seat for seat, card in played.items() if ranks[worth(card)] > 1}


def taker(played: Mapping[str, Card]) -> str | None:
    """Return the seat that takes the prize with the highest card not cancelled (MP-6); None if all are (MP-7)."""
    gone = cancelled(played)
    alone = [seat for seat in played if seat not in gone]
    return max(alone, key=lambda seat: worth(played[seat]), default=None)
