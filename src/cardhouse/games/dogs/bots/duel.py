"""Two open hands with no more draws, solved exactly.

Having more or higher cards is never worse, because they can be played as if they were the others. So a player reverses
if possible (DV-19), Blocks with the cheapest card that can (DV-17), and in a blow (DV-18) plays no unnecessary card and
finishes with the lowest sufficient one. That leaves few moves to try, and positions repeat often.

A hand is one integer here, with a digit of WIDTH bits for the number of cards of each value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cardhouse.cards import RANKS
from cardhouse.games.dogs.state import to_reverse, worth

WIDTH: Final = 4
MOST: Final = (1 << WIDTH) - 1
"""The most cards of one value in a solvable hand."""
SUIT: Final = tuple(worth(f"C{rank}") for rank in RANKS)
"""The values of the cards of a suit."""
MOST_SOLVED: Final = 20
"""The most cards in both hands together; more would take too long to solve."""
REMEMBERED: Final = 1 << 17
"""The most positions in the cache."""

_known: dict[tuple[int, int], bool] = {}
"""For two hands, whether the first wins when it is to Raise."""


def hand_of(cards: Iterable[int]) -> int:
    """Return the hand with these card values."""
    return sum(map(card, cards))


def card(value: int) -> int:
    """Return the hand of one card."""
    return 1 << WIDTH * value


def count(hand: int, value: int) -> int:
    """Return the number of cards with this value."""
    return hand >> WIDTH * value & MOST


def wins(own: int, other: int) -> bool:
    """Return whether `own` wins when it must Raise."""
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
    """Return whether `own` wins by raising with a card of this value, which it holds (DV-16)."""
    return not sees(other, without(own, value), value)


def sees(own: int, other: int, raised: int) -> bool:
    """Return whether `own` wins when it must See a Raise of this value."""
    if own >> WIDTH * to_reverse(raised):
        return wins(own, other)
    return any(wins(own - hand_of(way), other) for way in ways(own, raised))


def ways(own: int, raised: int) -> Iterator[tuple[int, ...]]:
    """Yield the values to See with, high to low, if reversing isn't possible.

    Ways no better than others are left out.
    """
    if value := _lowest_from(own, raised):
        yield (value,)
    yield from _finishing(own, raised, raised - 1)


def _finishing(own: int, needed: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield completions of a blow: cards worth at least `needed` together, none worth more than `most`."""
    value = _lowest_from(own, needed)
    if value and value <= most:
        yield (value,)
    for value in values(own & (1 << WIDTH * min(needed, most + 1)) - 1):
        for more in _finishing(without(own, value), needed - value, value):
            yield (value, *more)


def without(hand: int, value: int) -> int:
    """Return the hand left after playing a card of this value."""
    return hand - card(value)


def values(hand: int) -> Iterator[int]:
    """Yield the distinct values of a hand, high to low."""
    while hand:
        value = (hand.bit_length() - 1) // WIDTH
        yield value
        hand &= (1 << WIDTH * value) - 1


def _lowest_from(hand: int, least: int) -> int:
    """Return the lowest value of a hand that is at least `least`; 0 if there is none."""
    high_enough = hand >> WIDTH * least
    return least + ((high_enough & -high_enough).bit_length() - 1) // WIDTH if high_enough else 0
