"""Who takes a prize: for the rules, for bots and for the lab."""

from collections import Counter
from collections.abc import Iterable, Mapping

from cardhouse.cards import Card, number_of

ACE_HIGH = 14


def worth(card: Card) -> int:
    """What a card is worth (MP-8): 2 to 10 their number, jack, queen and king 11 to 13, and the ace 14."""
    number = number_of(card)
    return ACE_HIGH if number == 1 else number


def points_of(cards: Iterable[Card]) -> int:
    """What prizes are worth together (MP-8)."""
    return sum(map(worth, cards))


def cancelled(played: Mapping[str, Card]) -> set[str]:
    """Whose cards cancel each other, for they are of one rank (MP-5)."""
    ranks = Counter(map(worth, played.values()))
    return {seat for seat, card in played.items() if ranks[worth(card)] > 1}


def taker(played: Mapping[str, Card]) -> str | None:
    """Who takes the prize: the highest card that is not cancelled (MP-6); None if all are (MP-7)."""
    gone = cancelled(played)
    alone = [seat for seat in played if seat not in gone]
    return max(alone, key=lambda seat: worth(played[seat]), default=None)
