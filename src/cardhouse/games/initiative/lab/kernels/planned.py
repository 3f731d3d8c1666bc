"""Rounds of card initiative as machine code, where a character chooses by a plan (see `solving`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.initiative.goals import OPEN, REACHED
from cardhouse.games.initiative.lab.kernels.rounds import (
    NOBODY,
    ROUND,
    Bytes,
    Numbers,
    Round,
    Rows,
    again,
    gather,
    note_place,
    seat,
    tell_row,
    turn_up,
    uppermost,
)
from cardhouse.games.initiative.lab.kernels.solving import (
    FOE,
    HERO,
    NO_KIND,
    RADIX,
    SPENT,
    Solved,
    Whole,
    after_turn,
    is_reached,
    new_one_acts,
    put_under,
)
from cardhouse.games.initiative.state import SPENT_ACE
from cardhouse.lab.kernels.chance import Log, stream
from cardhouse.lab.kernels.compiled import compiled, in_place
from cardhouse.lab.kernels.records import first_of


@in_place
def kind_now(card: Whole, now: Bytes, kind: Numbers, solved: Solved) -> Whole:
    """Return the kind of a card as it compares now; `kind` has each card's before it acts, the jokers last."""
    if now[card] == SPENT_ACE:
        return solved.kinds[kind[card], SPENT]
    return kind[card]


@in_place
def new_acts(
    card: int,
    left: int,
    under: int,
    waiting: int,
    stands: int,
    table: Round,
    kind: Numbers,
    solved: Solved,
) -> Whole:
    """Return whether a drawn card acts; otherwise it waits."""
    deck, now = table.deck, table.now
    loose: Whole = 0
    lies_under: Whole = 0
    for place in range(left):
        loose += solved.kinds[kind_now(np.int64(deck[place]), now, kind, solved), RADIX]
    while under > 0:
        other, under = uppermost(under)
        lies_under = put_under(kind_now(other, now, kind, solved), lies_under, solved)
    waits = NO_KIND if waiting == NOBODY else kind_now(waiting, now, kind, solved)
    return new_one_acts(kind_now(card, now, kind, solved), waits, loose, lies_under, stands, solved)


@compiled
def by_plan(
    rank: Numbers,
    kind: Numbers,
    column: Numbers,
    hero: int,
    solved: Solved,
    seed: int,
    first: int,
    out: Rows,
    reached: NDArray[np.int16],
    log: Log,
) -> None:
    """Play one round per row of `out`, as in `rounds.order`; `reached` says whether the hero's goal was reached."""
    table, red = first_of(np.empty(1, ROUND)), rank.size
    seat(rank, None, table)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        left, under, waiting, turns = gather(table, red), 0, NOBODY, 0
        stands = OPEN
        while left + under > 0 or waiting != NOBODY:
            state, left, under, waiting, card, who = turn_up(state, left, under, waiting, table, red, log)
            if card != NOBODY:
                alone = waiting == NOBODY and left + under == 0
                if alone or new_acts(card, left, under, waiting, stands, table, kind, solved):
                    who = card
                else:
                    who, waiting = waiting, card
            if who == NOBODY:
                continue
            turns += 1
            note_place(who, turns, table.places)
            if stands < REACHED:
                one = solved.kinds[kind[who]]
                stands = after_turn(solved.goal, stands, one[HERO] == 1, one[FOE] == 1)
            under = again(who, under, table.now)
        tell_row(out[row], turns, hero, column, table)
        reached[row] = is_reached(solved.goal, stands)
