"""Rounds of card initiative (IN-5 to IN-16) as machine code.

A character is a number below `red`, which is the red joker's; the black joker's is one more. Of the deck the first
`left` cards lie in no order, and under them those of `under`, see `DIGIT`; `waiting` is who waits, or NOBODY.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.initiative.lab.sides import Waits
from cardhouse.games.initiative.state import FRESH_ACE, SPENT_ACE
from cardhouse.lab.kernels.bits import highest
from cardhouse.lab.kernels.chance import Log, State, draw, stream
from cardhouse.lab.kernels.compiled import compiled, in_place
from cardhouse.lab.kernels.records import first_of

Rows = NDArray[np.int16]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

DIGIT = 6
"""Each card under the deck is so many bits of a number, the next one the lowest; there its bits are turned over.

So 52 characters fit, and their four aces.
"""

NOBODY = (1 << DIGIT) - 1
"""No card has this number, and it is none below 0, so that it takes no more bits than others."""

ACTS_ALONE, ACTS_HIGHER, WAITS_ON = 1, 2, 4
"""What one says: if it is drawn with none waiting; if it is drawn and outranks who waits; if it waits and outranks."""

BITS: dict[Waits, int] = {"never": ACTS_ALONE | ACTS_HIGHER, "always": WAITS_ON, "lower": ACTS_HIGHER | WAITS_ON}

PASSES = ACTS_ALONE | ACTS_HIGHER | WAITS_ON
"""One who can do nothing has nothing to choose (GF-3): drawn, it is up at once; waiting, it goes on waiting."""

PLACE, TURNS_OF_HERO, LOST_BY_HERO, SENT_BACK, LOST, RED, SECONDS, TURNS, CARDS, FIXED = range(10)
"""The columns of a round; behind them are the places of the characters."""

QUIET, BURNED, TOOK_WAITING, TOOK_BOTH, TOOK_ACE = range(5)
"""What became of the red joker: nothing; it was burned; it took the waiting card, an ace from under the deck, both."""

WHO_LOST, OF_RED, WHO_WENT_BACK, TOLD = range(4)
"""What the jokers did to whom, as `turn_over` tells it."""

ROOM = NOBODY + 1
"""So much room there is for cards. All of it is made ready: that is sooner done than so many as there are, as the
compiler knows the number."""


class Round(Protocol):
    """What lies on the table in a round, with room for ROOM cards.

    Of each character how its card compares before it has acted (`rank`) and at this moment (`now`, IN-3), how it
    chooses (`bits`, see `BITS`), and the `places` of those whose turn has come, 0 of the others.
    """

    deck: Bytes
    rank: Bytes
    now: Bytes
    bits: Bytes
    places: Bytes
    told: Numbers


ROUND = np.dtype(
    [
        ("deck", np.uint8, (ROOM,)),
        ("rank", np.uint8, (ROOM,)),
        ("now", np.uint8, (ROOM,)),
        ("bits", np.uint8, (ROOM,)),
        ("places", np.uint8, (ROOM,)),
        ("told", np.int64, (TOLD,)),
    ]
)
"""One record holds it all: machine code gets a single pointer, and knows that no part of it lies on another."""


@in_place
def turn_up(
    state: State, left: int, under: int, waiting: int, table: Round, red: int, log: Log
) -> tuple[State, int, int, int, int, int]:
    """The next card (IN-7 to IN-9, IN-15): what has changed, whose it is, NOBODY's if it is a joker's, and who acts.

    That is the one that waited, at the deck's end, and NOBODY otherwise.
    """
    if left > 0:
        state, drawn = draw(state, table.deck, left, log)
        left -= 1
        card = int(np.int64(drawn))
    elif under > 0:
        card, under = uppermost(under)
    else:
        return state, left, under, NOBODY, NOBODY, waiting
    if card == red:
        left, under, waiting = shuffled(left, under, waiting, table)
        card = NOBODY
    elif card > red:
        state, left, under = burned(state, left, under, red, table, log)
        card = NOBODY
    return state, left, under, waiting, card, NOBODY


@in_place
def turn_over(
    state: State, left: int, under: int, waiting: int, table: Round, red: int, log: Log
) -> tuple[State, int, int, int, int]:
    """Turn over the next card (IN-7 to IN-12, IN-15): what has changed, and who acts, NOBODY if nobody does for now.

    The card of the one that acts is then nowhere; see `again`. The round is over when there is no card any more.
    """
    state, left, under, waiting, card, acts = turn_up(state, left, under, waiting, table, red, log)
    if card == NOBODY:
        return state, left, under, waiting, acts
    now, bits, new, old = table.now, table.bits, np.uint64(card), np.uint64(waiting)
    if waiting == NOBODY:
        if bits[new] & ACTS_ALONE or left + under == 0:
            return state, left, under, NOBODY, card
        return state, left, under, card, NOBODY
    lead = np.int64(now[new]) - np.int64(now[old])
    acts_higher, waits_on = bits[new] & ACTS_HIGHER, bits[old] & WAITS_ON
    new_acts = acts_higher if lead > 0 else waits_on
    acts = card if new_acts or lead == 0 else waiting
    return state, left, under, card + waiting - acts, acts


@in_place
def shuffled(left: int, under: int, waiting: int, table: Round) -> tuple[int, int, int]:
    """The red joker: the waiting card goes back, and all is shuffled (IN-8)."""
    deck, told = table.deck, table.told
    told[OF_RED] = TOOK_ACE if under else QUIET
    if waiting != NOBODY:
        told[OF_RED] = TOOK_BOTH if under else TOOK_WAITING
        told[WHO_WENT_BACK] = waiting
        deck[left] = waiting
        left += 1
    while under:
        deck[left], under = uppermost(under)
        left += 1
    return left, under, NOBODY


@in_place
def burned(state: State, left: int, under: int, red: int, table: Round, log: Log) -> tuple[State, int, int]:
    """The black joker: the next card goes with it (IN-9)."""
    if left > 0:
        state, drawn = draw(state, table.deck, left, log)
        left -= 1
        lost = int(np.int64(drawn))
    elif under > 0:
        lost, under = uppermost(under)
    else:
        return state, left, under
    table.told[OF_RED if lost == red else WHO_LOST] = BURNED if lost == red else lost
    return state, left, under


@in_place
def uppermost(under: int) -> tuple[int, int]:
    """The next of the cards whose order is known, and what is then left of them."""
    return under & NOBODY ^ NOBODY, under >> DIGIT


@in_place
def put_under(under: int, card: int) -> int:
    """The cards whose order is known, with another under them."""
    digits = np.uint64(highest(under) + DIGIT) // np.uint64(DIGIT)  # no digit is 0
    return under | (card ^ NOBODY) << int(np.int64(digits) * DIGIT)


@in_place
def again(who: int, under: int, now: Bytes) -> int:
    """Whoever has acted is put away: an ace, the first time, under the deck (IN-14)."""
    if now[who] == FRESH_ACE:
        now[who] = SPENT_ACE
        under = put_under(under, who)
    return under


@in_place
def note_place(who: int, turns: int, places: Bytes) -> None:
    """Somebody's turn has come, the first or the second: which it is needs no branch that can't be foreseen."""
    before = places[who]
    places[who] = before or np.uint8(turns)


@in_place
def seat(rank: Numbers, bits: Numbers | None, table: Round) -> None:
    """Who plays, and how they choose, if that is the same all the time; it stays for all rounds."""
    for who in range(ROOM):
        table.rank[who] = table.bits[who] = 0
    for who in range(rank.size):
        table.rank[who] = rank[who]
        if bits is not None:
            table.bits[who] = bits[who]


@in_place
def gather(table: Round, red: int) -> int:
    """All cards and the two jokers together (IN-5, IN-6); how many there are."""
    for card in range(ROOM):
        table.deck[card] = card
    for card in range(ROOM):
        table.now[card] = table.rank[card]
    for card in range(ROOM):
        table.places[card] = 0
    table.told[WHO_LOST] = table.told[WHO_WENT_BACK] = NOBODY
    table.told[OF_RED] = QUIET
    return red + 2


@in_place
def tell_row(row: Rows, turns: int, hero: int, column: Numbers, table: Round) -> None:
    """What is counted of a round."""
    told, places = table.told, table.places
    lost = 0
    if told[WHO_LOST] != NOBODY:
        lost = 2 if table.now[told[WHO_LOST]] == FRESH_ACE else 1
    row[PLACE] = places[hero]
    # An ace that has acted does so again, unless it goes with the black joker.
    row[TURNS_OF_HERO] = (places[hero] > 0) + (table.now[hero] == SPENT_ACE and told[WHO_LOST] != hero)
    row[LOST_BY_HERO] = lost if told[WHO_LOST] == hero else 0
    row[SENT_BACK] = told[WHO_WENT_BACK] == hero
    row[LOST] = lost
    row[RED] = told[OF_RED]
    row[TURNS] = seconds = turns
    # Both jokers, each card that acts, one that goes back and is turned over once more, and one that is burned.
    sent_back = told[OF_RED] == TOOK_WAITING or told[OF_RED] == TOOK_BOTH
    row[CARDS] = 2 + turns + sent_back + (told[WHO_LOST] != NOBODY)
    for who in range(column.size):
        seconds -= places[who] > 0
        if column[who] >= 0:
            row[FIXED + column[who]] = places[who]
    row[SECONDS] = seconds


@compiled
def order(rank: Numbers, bits: Numbers, column: Numbers, hero: int, seed: int, first: int, out: Rows, log: Log) -> None:
    """One round in each row of `out`, which comes as zeros.

    The place of each character goes into its `column` behind the fixed ones, if that is not negative.
    """
    table, red = first_of(np.empty(1, ROUND)), rank.size
    seat(rank, bits, table)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        left, under, waiting, turns = gather(table, red), 0, NOBODY, 0
        while True:
            state, left, under, waiting, who = turn_over(state, left, under, waiting, table, red, log)
            if who == NOBODY:
                if left + under == 0 and waiting == NOBODY:  # asked of few, not of each card, which takes longer
                    break
                continue
            turns += 1
            note_place(who, turns, table.places)
            under = again(who, under, table.now)
        tell_row(out[row], turns, hero, column, table)


WITHIN, FIRST_WAIT = range(2)
"""The columns of `waits`: how long the hero waits for its second turn of a round; behind it all waits."""


@compiled
def waits(
    rank: Numbers, bits: Numbers, column: Numbers, hero: int, most: int, seed: int, first: int, out: Rows, log: Log
) -> None:
    """Rounds until everybody has waited from the last turn of one to the first turn of a later one; a trial a row.

    So many turns others had in between, `most` at most, and one more goes into the `column` of each behind the fixed
    ones, if that is not negative; `out` comes as zeros. The hero's WITHIN is from its first to its second turn in the
    round from whose last it waits, if it had two.
    """
    table, red = first_of(np.empty(1, ROUND)), rank.size
    since, during = np.empty(rank.size, np.int64), np.empty(rank.size, np.int64)
    seat(rank, bits, table)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        still, number, turns = 0, 0, 0
        for who in range(rank.size):
            since[who] = during[who] = 0
            still += column[who] >= 0
        while still > 0:
            number += 1
            left, under, waiting = gather(table, red), 0, NOBODY
            while left + under > 0 or waiting != NOBODY:
                state, left, under, waiting, who = turn_over(state, left, under, waiting, table, red, log)
                if who == NOBODY:
                    continue
                turns += 1
                under = again(who, under, table.now)
                if column[who] < 0 or out[row, FIRST_WAIT + column[who]]:
                    continue
                between = min(turns - since[who] - 1, most) + 1
                if during[who] == 0 or during[who] == number:
                    if during[who] and who == hero:
                        out[row, WITHIN] = between
                    since[who], during[who] = turns, number
                else:
                    out[row, FIRST_WAIT + column[who]] = between
                    still -= 1
