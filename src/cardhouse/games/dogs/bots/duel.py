"""Two hands that lie open, with nothing more to come, solved to the end: whoever is to Raise has won or lost.

More cards are never worse, nor is a higher card: whoever has them can play as if they were the others. So one reverses
where one can (DV-19), and blocks with the cheapest card that does (DV-17); of a blow (DV-18) one plays no card that it
could do without, and the lowest that finishes it. What is left to try is little, and positions come up again and again.

A hand is one number here, a digit of WIDTH bits for how many cards it has of each value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cardhouse.cards import RANKS
from cardhouse.games.dogs.state import to_reverse, worth

WIDTH: Final = 4
MOST: Final = (1 << WIDTH) - 1
"""So many cards of a value at most has a hand that is solved."""
SUIT: Final = tuple(worth(f"C{rank}") for rank in RANKS)
"""What the cards of a suit are worth."""
MOST_SOLVED: Final = 20
"""Two hands of so many cards together are solved; with more it would take too long."""
REMEMBERED: Final = 1 << 17
"""So many positions are remembered."""

_known: dict[tuple[int, int], bool] = {}
"""For two hands, whether the first wins that is to Raise."""


def hand_of(cards: Iterable[int]) -> int:
    """A hand by what its cards are worth."""
    return sum(map(card, cards))


def card(value: int) -> int:
    """A hand of one card."""
    return 1 << WIDTH * value


def count(hand: int, value: int) -> int:
    """How many cards of a value it has."""
    return hand >> WIDTH * value & MOST


def wins(own: int, other: int) -> bool:
    """Whether `own` wins, if it is to Raise."""
    if not own or not other:
        return own != 0
    found = _known.get((own, other))
    if found is None:
        found = any(wins_with(own, other, value) for value in values(own))
        if len(_known) >= REMEMBERED:
            _known.clear()
        _known[own, other] = found
    return found


def wins_with(own: int, other: int, value: int) -> bool:
    """Whether `own` wins by raising with a card of this value, which it has (DV-16)."""
    return not sees(other, without(own, value), value)


def sees(own: int, other: int, raised: int) -> bool:
    """Whether `own` wins, if it is to See a Raise of this value."""
    if own >> WIDTH * to_reverse(raised):
        return wins(own, other)
    return any(wins(own - hand_of(way), other) for way in ways(own, raised))


def ways(own: int, raised: int) -> Iterator[tuple[int, ...]]:
    """The values, from high, with which one Sees who can't reverse, but for those that are no better than others."""
    if value := _lowest_from(own, raised):
        yield (value,)
    yield from _finishing(own, raised, raised - 1)


def _finishing(own: int, needed: int, most: int) -> Iterator[tuple[int, ...]]:
    """The rest of a blow: cards worth so much together that is `needed`, none of them worth more than `most`."""
    value = _lowest_from(own, needed)
    if value and value <= most:
        yield (value,)
    for value in values(own & (1 << WIDTH * min(needed, most + 1)) - 1):
        for more in _finishing(without(own, value), needed - value, value):
            yield (value, *more)


def without(hand: int, value: int) -> int:
    """What is left of a hand when a card of this value is played."""
    return hand - card(value)


def values(hand: int) -> Iterator[int]:
    """The values a hand has, from high."""
    while hand:
        value = (hand.bit_length() - 1) // WIDTH
        yield value
        hand &= (1 << WIDTH * value) - 1


def _lowest_from(hand: int, least: int) -> int:
    """The lowest value of a hand that is this high; 0 if it has none."""
    high_enough = hand >> WIDTH * least
    return least + ((high_enough & -high_enough).bit_length() - 1) // WIDTH if high_enough else 0
