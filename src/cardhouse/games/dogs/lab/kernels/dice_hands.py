"""Hands of dice for the kernel, and the dice that See a Raise (DICE-4, DICE-5).

A hand is a row of `count`: the number of dice that show 0 (none do), 1, 2, up to FACES - 1.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogs.bots.bold import GOOD, OUT
from cardhouse.games.dogs.lab.dice.policies import A_DIE, BLOW, TO_RAISE
from cardhouse.lab.kernels.bits import lowest
from cardhouse.lab.kernels.compiled import part

Numbers = NDArray[np.int64]
Whole = Any
"""An int64, or an int that is one in machine code."""

FACES = 11
MOST_STEPS = 32
"""More than a side has, with its opening, all its things, and the arenas."""
MOST_POOL = 1024
"""More dice than both sides have."""
MOST_TAKEN = 32
"""More dice than any See takes: a Raise is at most 20."""
HANDS = 4
"""The two hands of a conflict, and two scratch hands."""
LEFT_OVER, OWN = 2, 3
ONE_DIE, BLOW_DICE = np.int64(1), np.int64(BLOW)
"""Not plain ints: Numba would compile a separate version of every function called with such a literal."""

STEP, ENTERED, TIMES, ESCALATED, TRIED, USED, ROLLED, MOVES = range(8)
"""Indices of `people`.

The next step; the pile of the arena entered last; the number of desperate improvisations; whether the side escalated,
or improvised, for the Raise or See being prepared; dice played; dice rolled; the number of escalations.
"""
ABOUT = 8


class Play(Protocol):
    """The state of a conflict, reused for each trial.

    `count` and `size` belong to hands, `people` and `blows` (by pile) to the two sides. `wanted` is the range of dice
    in the pool that a side wants to roll; `taken` has the dice of the last See found, by face. The rest is scratch
    space.
    """

    count: Numbers
    size: Numbers
    people: Numbers
    blows: Numbers
    wanted: Numbers
    taken: Numbers
    sums: Numbers
    gave: int


PLAY = np.dtype(
    [
        ("count", np.int64, (HANDS, FACES)),
        ("size", np.int64, (HANDS,)),
        ("people", np.int64, (2, ABOUT)),
        ("blows", np.int64, (2, 4)),
        ("wanted", np.int64, (2,)),
        ("taken", np.int64, (FACES,)),
        ("sums", np.int64, (FACES, MOST_TAKEN)),
        ("gave", np.int64),
    ]
)


class Plan(Protocol):
    """The constants of a conflict, shared by all trials.

    `pool` has the sides of all dice that may be rolled. `steps` has, per side, opening first: the first die, the end,
    and the pile of the arena entered, or -1. `arenas` has the number of arenas a side could still enter, by the number
    entered. `severities` is indexed by the sum of two fallout dice; `fear` is the bold policy's.
    """

    pool: Numbers
    steps: Numbers
    sides: Numbers
    arenas: Numbers
    rules: Numbers
    fallout: Numbers
    severities: Numbers
    fear: Numbers


PLAN = np.dtype(
    [
        ("pool", np.int64, (MOST_POOL,)),
        ("steps", np.int64, (2, MOST_STEPS, 3)),
        ("sides", np.int64, (2, 4)),
        ("arenas", np.int64, (2, 8)),
        ("rules", np.int64, (5,)),
        ("fallout", np.int64, (4,)),
        ("severities", np.int64, (2 * FACES,)),
        ("fear", np.int64, (4,)),
    ]
)


@part
def clear_table(play: Play) -> None:
    """Reset to a conflict with nothing rolled."""
    play.gave = -1
    for side in range(2):
        clear_hand(play, side)
        for pile in range(4):
            play.blows[side, pile] = 0
        for column in range(ABOUT):
            play.people[side, column] = 0


@part
def clear_hand(play: Play, hand: Whole) -> None:
    """Empty a hand."""
    for face in range(FACES):
        play.count[hand, face] = 0
    play.size[hand] = 0


@part
def copy_hand(play: Play, hand: Whole, to: Whole) -> None:
    """Copy a hand."""
    for face in range(FACES):
        play.count[to, face] = play.count[hand, face]
    play.size[to] = play.size[hand]


@part
def take_out(play: Play, hand: Whole, face: Whole, number: Whole) -> None:
    """Remove dice with this face from a hand."""
    play.count[hand, face] -= number
    play.size[hand] -= number


@part
def remove_taken(play: Play, hand: Whole) -> None:
    """Remove the `taken` dice from a hand."""
    for face in range(1, FACES):
        take_out(play, hand, face, play.taken[face])


@part
def highest_of(play: Play, hand: Whole) -> Whole:
    """Return the highest face of a hand that isn't empty."""
    face = np.int64(FACES - 1)
    while not play.count[hand, face]:
        face -= 1
    return face


# Seeing.


@part
def fewest(play: Play, hand: Whole, value: Whole, at_least: Whole) -> Whole:
    """Return the fewest dice, at least `at_least`, that total `value`, or 0; sets `taken`.

    Among sets of equal size, the smallest sum wins, then the one that comes first, written from high to low.
    """
    number = total = np.int64(0)
    for face in range(FACES - 1, 0, -1):
        play.taken[face] = 0
        for _ in range(play.count[hand, face]):
            if number >= at_least and total >= value:
                break
            number += 1
            total += face
    if number < at_least or total < value:
        return np.int64(0)
    if number == 1:
        face = value
        while not play.count[hand, face]:
            face += 1
        play.taken[face] = 1
        return number
    if number == TO_RAISE:
        _pair(play, hand, value)
        return number
    _several(play, hand, value, number)
    return number


@part
def _pair(play: Play, hand: Whole, value: Whole) -> None:
    """Take the lowest pair that totals `value`; there must be one."""
    total = value
    while True:
        for high in range((total + 1) >> 1, min(total, FACES)):
            if has_pair(play, hand, high, total - high):
                play.taken[high] += 1
                play.taken[total - high] += 1
                return
        total += 1


@part
def has_pair(play: Play, hand: Whole, high: Whole, low: Whole) -> Whole:
    """Return whether a hand has two dice with these faces."""
    if high == low:
        return play.count[hand, high] > 1
    return play.count[hand, high] > 0 and play.count[hand, low] > 0


@part
def _several(play: Play, hand: Whole, value: Whole, number: Whole) -> None:
    """Take `number` dice, three or more, that total `value`; there must be some, and fewer must not do.

    `sums[f, k]` has, as bits, the possible sums of k dice with faces up to f. With one die more than needed, no sum is
    above 31.
    """
    sums = play.sums
    for k in range(number + 1):
        sums[0, k] = k == 0
    for die in range(1, FACES):
        for k in range(number + 1):
            found = sums[die - 1, k]
            for same in range(1, min(play.count[hand, die], k) + 1):
                found |= sums[die - 1, k - same] << same * die
            sums[die, k] = found
    left, face, total = number, np.int64(FACES - 1), value + lowest(sums[FACES - 1, number] >> value)
    while left:
        while sums[face - 1, left] >> total & 1:
            face -= 1
        least = np.int64(1)
        while total < least * face or not sums[face - 1, left - least] >> (total - least * face) & 1:
            least += 1
        play.taken[face] = least
        left, total, face = left - least, total - least * face, face - 1


# The bold policy.


@part
def cost(play: Play, hand: Whole, value: Whole) -> Whole:
    """Return the cost to a hand of Seeing a Raise with the fewest dice."""
    number = fewest(play, hand, value, ONE_DIE)
    if not number:
        return np.int64(OUT)
    if number == 1:
        return np.int64(0)
    total = A_DIE * number
    for face in range(1, FACES):
        total += face * play.taken[face]
    return total


@part
def see_cheaply(play: Play, hand: Whole, value: Whole) -> None:
    """Remove the fewest dice that See a Raise from a hand; empty it if there are none."""
    number = fewest(play, hand, value, ONE_DIE)
    if not number:
        clear_hand(play, hand)
    elif number > 1:
        remove_taken(play, hand)


@part
def threat(play: Play, hand: Whole, other: Whole) -> Whole:
    """Return how much more the hand's next Raise costs the other than itself."""
    most = np.int64(-OUT)
    for total in range(TO_RAISE, 2 * FACES - 1):
        for high in range((total + 1) >> 1, min(total, FACES)):
            if has_pair(play, hand, high, total - high):
                most = max(most, cost(play, other, total) - total - TO_RAISE * A_DIE)
                break
    return most


@part
def bold_raise(play: Play, side: Whole) -> Whole:
    """Return the Raise that costs the other most, weighing the Raise in return, as high * FACES + low."""
    best, outlook, other = np.int64(0), np.int64(0), np.int64(1 - side)
    left_over, own = np.int64(LEFT_OVER), np.int64(OWN)
    for total in range(TO_RAISE, 2 * FACES - 1):
        for high in range((total + 1) >> 1, min(total, FACES)):
            if has_pair(play, side, high, total - high):
                copy_hand(play, other, left_over)
                see_cheaply(play, left_over, total)
                copy_hand(play, side, own)
                take_out(play, own, high, ONE_DIE)
                take_out(play, own, total - high, ONE_DIE)
                counts = cost(play, other, total) - total - TO_RAISE * A_DIE - threat(play, left_over, own)
                if not best or counts > outlook:
                    best, outlook = np.int64(high * FACES + total - high), counts
    return best


@part
def bold_see(play: Play, side: Whole, raised: Whole, fear: Whole) -> Whole:
    """Return the two dice that Block, as in `bold_raise`, or 0 for a blow with the `taken` dice.

    The Raise must be possible to See but not to reverse.
    """
    best, outlook, other, own = np.int64(-1), np.int64(0), np.int64(1 - side), np.int64(OWN)
    for total in range(raised, 2 * FACES - 1):
        for high in range((total + 1) >> 1, min(total, FACES)):
            if has_pair(play, side, high, total - high):
                copy_hand(play, side, own)
                take_out(play, own, high, ONE_DIE)
                take_out(play, own, total - high, ONE_DIE)
                counts = threat(play, own, other) - total - TO_RAISE * A_DIE
                if best < 0 or counts > outlook:
                    best, outlook = np.int64(high * FACES + total - high), counts
    number = fewest(play, side, raised, BLOW_DICE)
    if number:
        copy_hand(play, side, own)
        remove_taken(play, own)
        counts = -(A_DIE + fear) * number
        for face in range(1, FACES):
            counts -= face * play.taken[face]
        counts += threat(play, own, other)
        if best < 0 or counts > outlook:
            best = np.int64(0)
            fewest(play, side, raised, BLOW_DICE)
    return best


@part
def no_good_raise(play: Play, side: Whole) -> Whole:
    """Return whether no Raise costs the other much, so that a thing should be brought first."""
    return threat(play, side, np.int64(1 - side)) < GOOD
