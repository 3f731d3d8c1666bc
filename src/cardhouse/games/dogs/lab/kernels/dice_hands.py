"""Hands of dice, for the kernel of conflicts with dice: how many show what, and which of them See (DICE-4, DICE-5).

A hand is a row of `count`: how many dice show 0 (none do), 1, 2, up to FACES - 1.
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
"""No See takes so many dice: a Raise is 20 at most."""
HANDS = 4
"""The two of a conflict, and two more to think with."""
LEFT_OVER, OWN = 2, 3
ONE_DIE, BLOW_DICE = np.int64(1), np.int64(BLOW)
"""Not plain ints: of a function that is called with one of these Numba makes a version for just that number."""

STEP, ENTERED, TIMES, ESCALATED, TRIED, USED, ROLLED, MOVES = range(8)
"""Of somebody in a conflict: the step that comes next, the pile of the arena entered last, how often it did something
desperate; whether it escalated or did so for the Raise or See that is being put together; dice played, dice rolled; how
often it escalated."""
ABOUT = 8


class Play(Protocol):
    """What lies on the table, for each trial anew.

    `count` and `size` are of hands, `people` and `blows` (by pile) of the two; `begin` and `end` are the dice that
    somebody wants to roll, `taken` the dice of the last See that was looked for, by what they show. The rest is what
    that works on.
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
    """A conflict that is to be played again and again.

    `pool` are the sides of all dice that may be rolled, one after the other. `steps` are each side's, its opening
    first: from which die, to which, and the pile of the arena that is entered with it, or -1. `arenas` are so many that
    each could enter after so many. `severities` is the severity of each sum of two fallout dice, `fear` the bold's.
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
    """Nothing rolled yet."""
    play.gave = -1
    for side in range(2):
        clear_hand(play, side)
        for pile in range(4):
            play.blows[side, pile] = 0
        for column in range(ABOUT):
            play.people[side, column] = 0


@part
def clear_hand(play: Play, hand: Whole) -> None:
    """No dice."""
    for face in range(FACES):
        play.count[hand, face] = 0
    play.size[hand] = 0


@part
def copy_hand(play: Play, hand: Whole, to: Whole) -> None:
    """A hand to think with."""
    for face in range(FACES):
        play.count[to, face] = play.count[hand, face]
    play.size[to] = play.size[hand]


@part
def take_out(play: Play, hand: Whole, face: Whole, number: Whole) -> None:
    """So many dice that show this leave a hand."""
    play.count[hand, face] -= number
    play.size[hand] -= number


@part
def take_taken(play: Play, hand: Whole) -> None:
    """The dice of the See that was found leave a hand."""
    for face in range(1, FACES):
        take_out(play, hand, face, play.taken[face])


@part
def highest_of(play: Play, hand: Whole) -> Whole:
    """What the highest die of a hand shows that isn't empty."""
    face = np.int64(FACES - 1)
    while not play.count[hand, face]:
        face -= 1
    return face


# Seeing.


@part
def fewest(play: Play, hand: Whole, value: Whole, at_least: Whole) -> Whole:
    """How few dice come to this, so many at least, 0 if none do; they are `taken`.

    Of as few those with the smallest sum, among equal sums those that come first, written from high to low.
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
    """Two dice that come to this, which there must be."""
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
    """Whether two of its dice show these."""
    if high == low:
        return play.count[hand, high] > 1
    return play.count[hand, high] > 0 and play.count[hand, low] > 0


@part
def _several(play: Play, hand: Whole, value: Whole, number: Whole) -> None:
    """So many dice that come to this, three or more, which there must be, and fewer don't.

    `sums[f, k]` are the sums, as bits, of k dice that show f at most; with one die more than needed none is above 31.
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


# What the bold think of.


@part
def cost(play: Play, hand: Whole, value: Whole) -> Whole:
    """What it costs a hand to See a Raise with as few dice as it can."""
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
    """What is left of a hand that Sees a Raise so; nothing, if it can't."""
    number = fewest(play, hand, value, ONE_DIE)
    if not number:
        clear_hand(play, hand)
    elif number > 1:
        take_taken(play, hand)


@part
def threat(play: Play, hand: Whole, other: Whole) -> Whole:
    """What the next Raise of a hand costs the other beyond what it costs itself."""
    most = np.int64(-OUT)
    for total in range(TO_RAISE, 2 * FACES - 1):
        for high in range((total + 1) >> 1, min(total, FACES)):
            if has_pair(play, hand, high, total - high):
                most = max(most, cost(play, other, total) - total - TO_RAISE * A_DIE)
                break
    return most


@part
def bold_raise(play: Play, side: Whole) -> Whole:
    """The Raise that costs the other most, the one that would come back thought of: its dice as high * FACES + low."""
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
    """How a Raise is Seen that can be, though not reversed: the two dice that block it as `bold_raise` has them, or 0.

    0 is for a blow, of the dice that are `taken` then.
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
        take_taken(play, own)
        counts = -(A_DIE + fear) * number
        for face in range(1, FACES):
            counts -= face * play.taken[face]
        counts += threat(play, own, other)
        if best < 0 or counts > outlook:
            best = np.int64(0)
            fewest(play, side, raised, BLOW_DICE)
    return best


@part
def nothing_is_good(play: Play, side: Whole) -> Whole:
    """Whether no Raise costs the other much, so that something is brought first."""
    return threat(play, side, np.int64(1 - side)) < GOOD
