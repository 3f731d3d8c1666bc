"""Arranging the numbers and suits of a deck so that its cards touch as often as is wanted, as machine code.

A card is two sets, its numbers and its suits, as the bits of a number each: one of each for a card as in an ordinary
deck, several for one that is several things at once, all for one that is wild. Whether two cards may lie side by side
or one above the other is then a shift and an `and`, and what changes when a card changes is counted in one pass.

The search is annealing: a card's number or suit is changed, or two cards change suits, and what makes the deck worse is
kept less and less often. Everything it goes by is counted exactly.
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
"""The chance to keep something worse is a whole number of so many parts."""
CHANGES = 3
"""A move changes a number, or a suit, or has two cards change suits."""
COPY = 1000.0
"""What a card weighs that is the same as too many others."""
FIRST = 10.0
"""What the chance to lie side by side, and one above the other, weigh, where that of both ways weighs 1."""


class Goal(NamedTuple):
    """What is wanted of a deck: so many pairs of cards that may touch; of what is below 0 any number will do."""

    beside: float
    """Pairs that may lie side by side."""
    above: float
    """Pairs that may lie one above the other."""
    both: float
    """Pairs that may lie both ways."""
    slack: float
    """How far off these may be for nothing."""
    plain: int
    """The first so many cards can be changed and should be different; the others are wild."""
    least: int
    """So many others each card should be able to touch, in either way."""
    lack: float
    """What it weighs that one can touch one fewer; of several fewer it is the square."""
    alike: int
    """So many plain cards may have the same numbers and suits."""


BESIDE, ABOVE, BOTH, LACK, ALIKE = range(5)
"""What is counted of a deck: pairs that may touch, the squares of what cards lack, cards alike beyond the bound."""


@compiled
def arrange(
    numbers: Masks, suits: Masks, many: tuple[int, int], goal: Goal, steps: int, heat: float, seed: int
) -> float:
    """Change the plain cards, in place, until they are as wanted.

    `many` is how many numbers and how many suits there are. A card keeps as many of each as it has, but where two
    change suits. Returns how far the deck is from what is wanted: 0 is all of it.
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
        state, what = below(state, CHANGES)
        state, other = below(state, goal.plain)
        was = numbers[one], suits[one], suits[other]
        if what == 0:
            state, number = _moved(state, numbers[one], many[0])
            _change(one, number, suits[one], numbers, suits, reach, counts, goal)
        elif what == 1:
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
            if what == 2:
                _change(other, numbers[other], was[2], numbers, suits, reach, counts, goal)
            _change(one, was[0], was[1], numbers, suits, reach, counts, goal)
    numbers[:] = best_numbers
    suits[:] = best_suits
    return best


@compiled
def count_all(numbers: Masks, suits: Masks, reach: Counts, counts: Counts, goal: Goal) -> None:
    """Count a deck: `counts` by BESIDE and so on, and how many others each card can `reach`; both begin with zeros."""
    for card in range(numbers.size):
        _enter(card, numbers, suits, reach, counts, goal)


@in_place
def _touch(number: Whole, suit: Whole, its_number: Whole, its_suit: Whole) -> tuple[Whole, Whole]:
    """Whether two cards may lie side by side (DG-11), and whether one above the other (DG-12), as 0 or 1."""
    beside = 1 if (number << 1 | number >> 1) & its_number else 0
    return beside, 1 if suit & its_suit else 0


@in_place
def _enter(card: Whole, numbers: Masks, suits: Masks, reach: Counts, counts: Counts, goal: Goal) -> None:
    """Count a card beside those before it."""
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
    """Have a card be something else."""
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
    """A card can touch one more, or one fewer."""
    counts[LACK] -= max(0, goal.least - reach[card]) ** 2
    reach[card] += more
    counts[LACK] += max(0, goal.least - reach[card]) ** 2


@in_place
def _moved(state: State, some: Whole, many: int) -> tuple[State, Whole]:
    """A set with one of its values exchanged for one that it has not; the same if it has all of them."""
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
    """How far a deck is from what is wanted, 0 if it is all of it."""
    found = goal.lack * counts[LACK] + COPY * counts[ALIKE]
    found += FIRST * _missed(counts[BESIDE], goal.beside, goal.slack)
    found += FIRST * _missed(counts[ABOVE], goal.above, goal.slack)
    found += _missed(counts[BOTH], goal.both, goal.slack)
    return float(found)


@in_place
def _missed(count: Whole, wanted: float, slack: float) -> float:
    """The square of how far a count is from what is wanted."""
    missed: float = max(0.0, abs(float(count) - wanted) - slack)
    if wanted < 0:
        return 0.0
    squared: float = missed * missed
    return squared
