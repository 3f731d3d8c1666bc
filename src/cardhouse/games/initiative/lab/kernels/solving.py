"""Act or wait, solved: the chance to reach a goal from any state of a round, with optimal choices.

To the hero, cards that compare the same, choose the same way and matter the same to its goal are interchangeable. So a
state is the number of cards of each kind in random order, the aces under them, the waiting card, and the goal's status;
it is encoded as a number that indexes a table of chances. A round never returns to a state, so the table is filled from
the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.initiative import goals
from cardhouse.games.initiative.goals import BEFORE, FIRST, MISSED, REACHED
from cardhouse.games.initiative.lab.kernels.rounds import ACTS_ALONE, ACTS_HIGHER, WAITS_ON
from cardhouse.games.initiative.lab.solved import STATUSES
from cardhouse.lab.kernels.compiled import compiled, in_place, open_part

after_turn = in_place(goals.after_turn)
is_reached = in_place(goals.is_reached)
thumb_acts = in_place(goals.thumb_acts)

Numbers = NDArray[np.int64]
Whole = Any
"""An integer, Python's or NumPy's."""
Chance = Any
"""A number from 0 to 1."""

HELPS, HINDERS, BY_THUMB = 8, 16, 32
"""Policies in addition to the bits of `rounds`: best for the hero's goal, worst for it, or by the rule of thumb."""

RANK, CHOOSES, HERO, FOE, SPENT, MOST, RADIX, JOKER, COLUMNS = range(9)
"""The columns of a kind.

SPENT is the kind of the ace once it has acted, NO_KIND for other cards. There are MOST cards of the kind; each one in
random order adds RADIX to the number of `loose`. JOKER says which joker it is, if any.
"""

NO_JOKER, RED, BLACK = range(3)
NO_KIND = -1
ALONE = 1
"""The lead of a drawn card while none waits: it chooses."""


class Solved(NamedTuple):
    """The kinds of a round, and the chances of its states.

    `sizes` are the number of codes for `loose`, `under` and `waiting`. The red joker is the highest digit of `loose`,
    so that every card leads to a lower number; `persons` is the lowest number with a joker. `under` has one digit per
    card, the next card lowest; `digit_of` maps kinds to digits, `of_digit` back.
    """

    goal: int
    kinds: Numbers
    sizes: Numbers
    digit_of: Numbers
    of_digit: Numbers
    persons: int
    table: NDArray[np.float64]


@in_place
def place_of(loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Whole:
    """Return the number of a state; `waiting` is a kind, or NO_KIND."""
    return loose + solved.sizes[0] * (under + solved.sizes[1] * (waiting + 1 + solved.sizes[2] * status))


@in_place
def put_under(kind: Whole, under: Whole, solved: Solved) -> Whole:
    """Return `under` with another spent kind at the bottom."""
    power = 1
    while under // power > 0:
        power *= solved.of_digit.size
    return under + power * solved.digit_of[kind]


@in_place
def put_back(kind: Whole, loose: Whole, solved: Solved) -> Whole:
    """Return `loose` with one more of a kind; unchanged if all are there already, which no round can reach."""
    radix, most = solved.kinds[kind, RADIX], solved.kinds[kind, MOST]
    return loose + radix if loose // radix % (most + 1) < most else loose


@in_place
def once_acted(kind: Whole, loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Chance:
    """Return the chance after a turn of this kind, whose card is in neither place (IN-13, IN-14)."""
    one = solved.kinds[kind]
    status = after_turn(solved.goal, status, one[HERO] == 1, one[FOE] == 1)
    if status == REACHED:
        return 1.0
    if status == MISSED:
        return 0.0
    if one[SPENT] != NO_KIND:
        under = put_under(one[SPENT], under, solved)
        if under >= solved.sizes[1]:
            return 0.0  # more aces than there are, which no round can reach
    return solved.table[place_of(loose, under, waiting, status, solved)]


@open_part
def new_one_acts(
    lead: Whole, kind: Whole, waiting: Whole, loose: Whole, under: Whole, status: Whole, solved: Solved
) -> Any:
    """Return whether the drawn card acts, as decided by whichever card chooses; between equals it must.

    `lead` is the number of ranks between it and the waiting card, or ALONE: their kinds may share a rank that they
    don't share at the table. With no card waiting, the deck must not be empty. If both choices are worth the same, the
    chooser acts.
    """
    if lead == 0:
        return True
    is_chooser = lead > 0
    how = solved.kinds[kind if is_chooser else waiting, CHOOSES]
    if how < HELPS:
        return how & (ACTS_ALONE if waiting == NO_KIND else ACTS_HIGHER if is_chooser else WAITS_ON) != 0
    if how == BY_THUMB:
        others = waiting != NO_KIND or loose % solved.persons > 0 or under > 0
        return thumb_acts(solved.goal, status, others) == is_chooser
    if status >= REACHED:
        return is_chooser  # the outcome is already settled
    acts = once_acted(kind, loose, under, waiting, status, solved)
    if waiting == NO_KIND:
        waits = solved.table[place_of(loose, under, kind, status, solved)]
    else:
        waits = once_acted(waiting, loose, under, kind, status, solved)
    if acts == waits:
        return is_chooser
    return (acts > waits) == (how == HELPS)


@in_place
def turned(kind: Whole, loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Chance:
    """Return the chance after a character's card is drawn (IN-10 to IN-12)."""
    lead = ALONE if waiting == NO_KIND else solved.kinds[kind, RANK] - solved.kinds[waiting, RANK]
    if (waiting == NO_KIND and loose + under == 0) or new_one_acts(lead, kind, waiting, loose, under, status, solved):
        return once_acted(kind, loose, under, waiting, status, solved)
    if waiting == NO_KIND:
        return solved.table[place_of(loose, under, kind, status, solved)]
    return once_acted(waiting, loose, under, kind, status, solved)


@in_place
def red(loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Chance:
    """Return the chance after the red joker: the waiting card goes back, and all cards are shuffled (IN-8)."""
    if waiting != NO_KIND:
        loose = put_back(waiting, loose, solved)
    while under > 0:
        loose = put_back(solved.of_digit[under % solved.of_digit.size], loose, solved)
        under //= solved.of_digit.size
    return solved.table[place_of(loose, 0, NO_KIND, status, solved)]


@in_place
def black(loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Chance:
    """Return the chance after the black joker, which loses the next card (IN-9)."""
    if loose == 0:
        return solved.table[place_of(0, under // solved.of_digit.size, waiting, status, solved)]
    chance, cards = 0.0, 0
    for kind in range(solved.kinds.shape[0]):
        radix = solved.kinds[kind, RADIX]
        many = loose // radix % (solved.kinds[kind, MOST] + 1)
        if many > 0:
            cards += many
            chance += many * solved.table[place_of(loose - radix, under, waiting, status, solved)]
    return chance / cards


@in_place
def worth(loose: Whole, under: Whole, waiting: Whole, status: Whole, solved: Solved) -> Chance:
    """Return the chance in a state, from those of its successors (IN-7, IN-15, IN-16)."""
    if loose > 0:
        chance, cards = 0.0, 0
        for kind in range(solved.kinds.shape[0]):
            one = solved.kinds[kind]
            many, left = loose // one[RADIX] % (one[MOST] + 1), loose - one[RADIX]
            if many > 0:
                cards += many
                if one[JOKER] == RED:
                    chance += red(left, under, waiting, status, solved)
                elif one[JOKER] == BLACK:
                    chance += black(left, under, waiting, status, solved)
                else:
                    chance += many * turned(kind, left, under, waiting, status, solved)
        return chance / cards
    if under > 0:
        next_one = solved.of_digit[under % solved.of_digit.size]
        return turned(next_one, 0, under // solved.of_digit.size, waiting, status, solved)
    if waiting != NO_KIND:
        return once_acted(waiting, 0, 0, NO_KIND, status, solved)
    return 1.0 if is_reached(solved.goal, status) else 0.0


@compiled
def fill(order: Numbers, solved: Solved) -> None:
    """Fill the table. `order` has a row (under, waiting) for each combination, successors first."""
    ways_to_stand = 1 if solved.goal in (FIRST, BEFORE) else STATUSES
    for loose in range(solved.sizes[0]):
        for row in range(order.shape[0]):
            under, waiting = order[row]
            if waiting != NO_KIND:
                one = solved.kinds[waiting]
                if loose // one[RADIX] % (one[MOST] + 1) == one[MOST]:
                    continue  # it can't wait while all of its kind are in the deck
            for status in range(ways_to_stand):
                here = place_of(loose, under, waiting, status, solved)
                solved.table[here] = worth(loose, under, waiting, status, solved)
