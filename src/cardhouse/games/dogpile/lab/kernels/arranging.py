"""Arranging the numbers and suits of a deck to meet wanted chances of contact, as machine code.

A card is two bit sets, its numbers and its suits: one of each for an ordinary card, several for a card that is several
at once, all for a wild one. Whether two cards may lie side by side or one above the other is then a shift and an `and`,
and the effect of changing a card is counted in one pass. The search is simulated annealing: it changes a card's number
or suit, or swaps the suits of two cards, and accepts worse decks less and less often. Every count is exact.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.bits import how_many
from cardhouse.lab.kernels.chance import State, Whole, below, stream
from cardhouse.lab.kernels.compiled import compiled, in_place

Masks = NDArray[np.int64]
Counts = NDArray[np.int64]

WHOLE = 1 << 30
"""The resolution of the probability of accepting a worse deck."""
CHANGES = 3
"""The kinds of moves: change a number, change a suit, swap two cards' suits."""
COPY = 1000.0
"""The weight of a card with too many duplicates."""
FIRST = 10.0
"""The weight of the chances for side by side and one above the other, relative to that for both ways."""


class Goal(NamedTuple):
    """The wanted number of pairs that may touch. Below 0 any number will do."""

    beside: float
    """Pairs that may lie side by side."""
    above: float
    """Pairs that may lie one above the other."""
    both: float
    """Pairs that may lie both ways."""
    slack: float
    """The tolerance of these numbers."""
    plain: int
    """The number of plain cards, which come first, can be changed and should differ; the others are wild."""
    least: int
    """The number of others each card should be able to touch in either way."""
    lack: float
    """The weight of touching one fewer; it grows with the square."""
    alike: int
    """The most plain cards with the same numbers and suits."""


BESIDE, ABOVE, BOTH, LACK, ALIKE = range(5)
"""The counts of a deck: pairs that may touch, the squared shortfalls of cards, duplicates beyond the bound."""


@compiled
def arrange(
    numbers: Masks, suits: Masks, many: tuple[int, int], goal: Goal, steps: int, heat: float, seed: int
) -> float:
    """Change the plain cards, in place, to approach the goal.

    `many` is the number of numbers and of suits. A card keeps its number of each, except when two swap suits. Returns
    the distance from the goal, 0 if it is met.
    """
    state = stream(seed, 0)
    counts, reach = np.zeros(5, np.int64), np.zeros(numbers.size, np.int64)
    for card in range(numbers.size):
        _enter(card, numbers, suits, reach, counts, goal)
    now = _distance(counts, goal)
    best, best_numbers, best_suits = now, numbers.copy(), suits.copy()
    for step in range(steps):
        if best == 0:
            break
        state, one = below(state, goal.plain)
        state, change = below(state, CHANGES)
        state, other = below(state, goal.plain)
        was = numbers[one], suits[one], suits[other]
        if change == 0:
            state, number = _moved(state, numbers[one], many[0])
            _change(one, number, suits[one], numbers, suits, reach, counts, goal)
        elif change == 1:
            state, suit = _moved(state, suits[one], many[1])
            _change(one, numbers[one], suit, numbers, suits, reach, counts, goal)
        else:
            _change(one, numbers[one], was[2], numbers, suits, reach, counts, goal)
            _change(other, numbers[other], was[1], numbers, suits, reach, counts, goal)
        then = _distance(counts, goal)
        state, luck = below(state, WHOLE)
        warmth = heat * (1 - step / steps) ** 2
        if then <= now or (warmth > 0 and luck < WHOLE * exp((now - then) / warmth)):
            now = then
            if now < best:
                best = now
                best_numbers[:] = numbers
                best_suits[:] = suits
        else:
            if change == 2:
                _change(other, numbers[other], was[2], numbers, suits, reach, counts, goal)
            _change(one, was[0], was[1], numbers, suits, reach, counts, goal)
    numbers[:] = best_numbers
    suits[:] = best_suits
    return best


@compiled
def count_all(numbers: Masks, suits: Masks, reach: Counts, counts: Counts, goal: Goal) -> None:
    """Count a deck into `counts`, by BESIDE and so on, and `reach`, the others each card can touch.

    Both must be zeros.
    """
    for card in range(numbers.size):
        _enter(card, numbers, suits, reach, counts, goal)


@in_place
def _touch(number: Whole, suit: Whole, its_number: Whole, its_suit: Whole) -> tuple[Whole, Whole]:
    """Return whether two cards may lie side by side (DG-11), and one above the other (DG-12), as 0 or 1."""
    beside = 1 if (number << 1 | number >> 1) & its_number else 0
    return beside, 1 if suit & its_suit else 0


@in_place
def _enter(card: Whole, numbers: Masks, suits: Masks, reach: Counts, counts: Counts, goal: Goal) -> None:
    """Count a card against those before it."""
    same: Whole = 0
    counts[LACK] += goal.least**2
    for other in range(card):
        beside, above = _touch(numbers[card], suits[card], numbers[other], suits[other])
        same += card < goal.plain and numbers[card] == numbers[other] and suits[card] == suits[other]
        counts[BESIDE] += beside
        counts[ABOVE] += above
        counts[BOTH] += beside & above
        if beside | above:
            _reach_more(card, 1, reach, counts, goal)
            _reach_more(other, 1, reach, counts, goal)
    counts[ALIKE] += same >= goal.alike


@in_place
def _change(
    card: Whole, number: Whole, suit: Whole, numbers: Masks, suits: Masks, reach: Counts, counts: Counts, goal: Goal
) -> None:
    """Change a card and update the counts."""
    was_number, was_suit = numbers[card], suits[card]
    left, joined = 0, 0
    for other in range(numbers.size):
        if other == card:
            continue
        its_number, its_suit = numbers[other], suits[other]
        if other < goal.plain:
            left += was_number == its_number and was_suit == its_suit
            joined += number == its_number and suit == its_suit
        was_beside, was_above = _touch(was_number, was_suit, its_number, its_suit)
        beside, above = _touch(number, suit, its_number, its_suit)
        counts[BESIDE] += beside - was_beside
        counts[ABOVE] += above - was_above
        counts[BOTH] += (beside & above) - (was_beside & was_above)
        more = (beside | above) - (was_beside | was_above)
        if more:
            _reach_more(card, more, reach, counts, goal)
            _reach_more(other, more, reach, counts, goal)
    counts[ALIKE] += (1 if joined >= goal.alike else 0) - (1 if left >= goal.alike else 0)
    numbers[card], suits[card] = number, suit


@in_place
def _reach_more(card: Whole, more: Whole, reach: Counts, counts: Counts, goal: Goal) -> None:
    """Change the number of others that a card can touch."""
    counts[LACK] -= max(0, goal.least - reach[card]) ** 2
    reach[card] += more
    counts[LACK] += max(0, goal.least - reach[card]) ** 2


@in_place
def _moved(state: State, some: Whole, many: int) -> tuple[State, Whole]:
    """Return a set with one value exchanged for another at random; unchanged if it has all values."""
    has = int(how_many(some))
    if has == 0 or has >= many:
        return state, some
    state, out = below(state, has)
    state, new = below(state, many - has)
    result = some
    for value in range(many):
        if some >> value & 1:
            if out == 0:
                result ^= 1 << value
            out -= 1
        else:
            if new == 0:
                result ^= 1 << value
            new -= 1
    return state, result


@in_place
def _distance(counts: Counts, goal: Goal) -> float:
    """Return the distance from the goal, 0 if it is met."""
    found = goal.lack * counts[LACK] + COPY * counts[ALIKE]
    found += FIRST * _missed(counts[BESIDE], goal.beside, goal.slack)
    found += FIRST * _missed(counts[ABOVE], goal.above, goal.slack)
    found += _missed(counts[BOTH], goal.both, goal.slack)
    return float(found)


@in_place
def _missed(count: Whole, wanted: float, slack: float) -> float:
    """Return the squared excess of a deviation over the tolerance."""
    missed: float = max(0.0, abs(float(count) - wanted) - slack)
    if wanted < 0:
        return 0.0
    squared: float = missed * missed
    return squared
