"""Rounds of card initiative (IN-5 to IN-16) as machine code.

A character is a number below `red`, which is the red joker; the black joker is one more. The first `left` cards of the
deck are in random order; under them are those of `under`, see `DIGIT`. `waiting` is the waiting card, or NOBODY.
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
"""Bits per card under the deck, packed into one number with the next card lowest.

That allows 52 characters and their four aces.
"""

NOBODY = (1 << DIGIT) - 1
"""A number that no card has, not negative so that it needs no more bits than others."""

ACTS_ALONE, ACTS_HIGHER, WAITS_ON = 1, 2, 4
"""A choice's bits: act if drawn with no card waiting.

Act if drawn and higher than the waiting card; wait on if higher.
"""

BITS: dict[Waits, int] = {"never": ACTS_ALONE | ACTS_HIGHER, "always": WAITS_ON, "lower": ACTS_HIGHER | WAITS_ON}

PASSES = ACTS_ALONE | ACTS_HIGHER | WAITS_ON
"""A character who can't act has no choice (GF-3): drawn, it is up at once; waiting, it waits on."""

PLACE, TURNS_OF_HERO, LOST_BY_HERO, SENT_BACK, LOST, RED, SECONDS, TURNS, CARDS, FIXED = range(10)
"""The columns of a round; the characters' places follow."""

QUIET, BURNED, TOOK_WAITING, TOOK_BOTH, TOOK_ACE = range(5)
"""The fate of the red joker: none; burned; took back the waiting card; that and an ace under the deck; only an ace."""

WHO_LOST, OF_RED, WHO_WENT_BACK, EFFECTS = range(4)
"""Indices of `effects`, where `turn_over` records the effects of the jokers."""

ROOM = NOBODY + 1
"""Room for cards. Loops clear all of it: a bound known to the compiler is faster than the actual number of cards."""


class Round(Protocol):
    """The state of a round, with room for ROOM cards.

    Per character: how its card compares before it acts (`rank`) and now (`now`, IN-3), how it chooses (`bits`, see
    `BITS`), and the place of its turn (`places`), 0 before that.
    """

    deck: Bytes
    rank: Bytes
    now: Bytes
    bits: Bytes
    places: Bytes
    effects: Numbers


ROUND = np.dtype(
    [
        ("deck", np.uint8, (ROOM,)),
        ("rank", np.uint8, (ROOM,)),
        ("now", np.uint8, (ROOM,)),
        ("bits", np.uint8, (ROOM,)),
        ("places", np.uint8, (ROOM,)),
        ("effects", np.int64, (EFFECTS,)),
    ]
)
"""One record for everything: machine code gets a single pointer, and knows that its parts don't overlap."""


@in_place
def turn_up(
    state: State, left: int, under: int, waiting: int, table: Round, red: int, log: Log
) -> tuple[State, int, int, int, int, int]:
    """Turn up the next card (IN-7 to IN-9, IN-15); return the new state, the card (NOBODY for a joker), and who acts.

    That is the waiting character at the deck's end, otherwise NOBODY.
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
    """Turn over the next card (IN-7 to IN-12, IN-15); return the new state, and who acts now, or NOBODY.

    The card of the character that acts is then nowhere; see `put_away`. The round is over when no card is left.
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
    """Apply the red joker: the waiting card goes back, and all cards are shuffled (IN-8)."""
    deck, effects = table.deck, table.effects
    effects[OF_RED] = TOOK_ACE if under else QUIET
    if waiting != NOBODY:
        effects[OF_RED] = TOOK_BOTH if under else TOOK_WAITING
        effects[WHO_WENT_BACK] = waiting
        deck[left] = waiting
        left += 1
    while under:
        deck[left], under = uppermost(under)
        left += 1
    return left, under, NOBODY


@in_place
def burned(state: State, left: int, under: int, red: int, table: Round, log: Log) -> tuple[State, int, int]:
    """Apply the black joker: the next card is lost (IN-9)."""
    if left > 0:
        state, drawn = draw(state, table.deck, left, log)
        left -= 1
        lost = int(np.int64(drawn))
    elif under > 0:
        lost, under = uppermost(under)
    else:
        return state, left, under
    table.effects[OF_RED if lost == red else WHO_LOST] = BURNED if lost == red else lost
    return state, left, under


@in_place
def uppermost(under: int) -> tuple[int, int]:
    """Return the next of the cards under the deck, and the rest of them."""
    return under & NOBODY ^ NOBODY, under >> DIGIT


@in_place
def put_under(under: int, card: int) -> int:
    """Return the cards under the deck with another at the bottom."""
    digits = np.uint64(highest(under) + DIGIT) // np.uint64(DIGIT)  # no digit is 0
    return under | (card ^ NOBODY) << int(np.int64(digits) * DIGIT)


@in_place
def put_away(who: int, under: int, now: Bytes) -> int:
    """Put away a card that has acted; an ace goes under the deck after its first action (IN-14)."""
    if now[who] == FRESH_ACE:
        now[who] = SPENT_ACE
        under = put_under(under, who)
    return under


@in_place
def record_place(who: int, turns: int, places: Bytes) -> None:
    """Record the place of a turn unless it is a second one, without an unpredictable branch."""
    before = places[who]
    places[who] = before or np.uint8(turns)


@in_place
def set_up(rank: Numbers, bits: Numbers | None, table: Round) -> None:
    """Set the characters, and their fixed choices if any, for all rounds."""
    for who in range(ROOM):
        table.rank[who] = table.bits[who] = 0
    for who in range(rank.size):
        table.rank[who] = rank[who]
        if bits is not None:
            table.bits[who] = bits[who]


@in_place
def gather(table: Round, red: int) -> int:
    """Gather all cards and both jokers (IN-5, IN-6); return their number."""
    for card in range(ROOM):
        table.deck[card] = card
    for card in range(ROOM):
        table.now[card] = table.rank[card]
    for card in range(ROOM):
        table.places[card] = 0
    table.effects[WHO_LOST] = table.effects[WHO_WENT_BACK] = NOBODY
    table.effects[OF_RED] = QUIET
    return red + 2


@in_place
def write_row(row: Rows, turns: int, hero: int, column: Numbers, table: Round) -> None:
    """Write the measures of a round."""
    effects, places = table.effects, table.places
    lost = 0
    if effects[WHO_LOST] != NOBODY:
        lost = 2 if table.now[effects[WHO_LOST]] == FRESH_ACE else 1
    row[PLACE] = places[hero]
    # An ace that has acted acts again, unless the black joker burns it.
    row[TURNS_OF_HERO] = (places[hero] > 0) + (table.now[hero] == SPENT_ACE and effects[WHO_LOST] != hero)
    row[LOST_BY_HERO] = lost if effects[WHO_LOST] == hero else 0
    row[SENT_BACK] = effects[WHO_WENT_BACK] == hero
    row[LOST] = lost
    row[RED] = effects[OF_RED]
    row[TURNS] = seconds = turns
    # Both jokers, each turn, a card that goes back and is turned over again, and one that is burned.
    sent_back = effects[OF_RED] == TOOK_WAITING or effects[OF_RED] == TOOK_BOTH
    row[CARDS] = 2 + turns + sent_back + (effects[WHO_LOST] != NOBODY)
    for who in range(column.size):
        seconds -= places[who] > 0
        if column[who] >= 0:
            row[FIXED + column[who]] = places[who]
    row[SECONDS] = seconds


@compiled
def order(rank: Numbers, bits: Numbers, column: Numbers, hero: int, seed: int, first: int, out: Rows, log: Log) -> None:
    """Play one round per row of `out`, which must be zeros.

    Each character's place goes to its `column` after the fixed ones, unless that is negative.
    """
    table, red = first_of(np.empty(1, ROUND)), rank.size
    set_up(rank, bits, table)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        left, under, waiting, turns = gather(table, red), 0, NOBODY, 0
        while True:
            state, left, under, waiting, who = turn_over(state, left, under, waiting, table, red, log)
            if who == NOBODY:
                if left + under == 0 and waiting == NOBODY:  # checked here, because a check per card is slower
                    break
                continue
            turns += 1
            record_place(who, turns, table.places)
            under = put_away(who, under, table.now)
        write_row(out[row], turns, hero, column, table)


WITHIN, FIRST_WAIT = range(2)
"""The columns of `waits`: the hero's wait for a second turn in a round; then all characters' waits."""


@compiled
def waits(
    rank: Numbers, bits: Numbers, column: Numbers, hero: int, most: int, seed: int, first: int, out: Rows, log: Log
) -> None:
    """Play rounds until each character has waited from its last turn of one to its first of a later one.

    Each row is a trial. A wait is 1 plus the number of others' turns, at most `most`, and goes to the character's
    `column` after the fixed ones, unless that is negative; `out` must be zeros. The hero's WITHIN is measured from its
    first to its second turn of the round after which its wait begins, if it had two.
    """
    table, red = first_of(np.empty(1, ROUND)), rank.size
    since, during = np.empty(rank.size, np.int64), np.empty(rank.size, np.int64)
    set_up(rank, bits, table)
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
                under = put_away(who, under, table.now)
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
