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
    gather,
    put_away,
    record_place,
    set_up,
    turn_up,
    uppermost,
    write_row,
)
from cardhouse.games.initiative.lab.kernels.solving import (
    ALONE,
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
    status: int,
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
    lead: Whole = ALONE
    waits: Whole = NO_KIND
    if waiting != NOBODY:
        lead, waits = int(np.int64(now[card]) - np.int64(now[waiting])), kind_now(waiting, now, kind, solved)
    return new_one_acts(lead, kind_now(card, now, kind, solved), waits, loose, lies_under, status, solved)


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
    set_up(rank, None, table)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        left, under, waiting, turns = gather(table, red), 0, NOBODY, 0
        status = OPEN
        while left + under > 0 or waiting != NOBODY:
            state, left, under, waiting, card, who = turn_up(state, left, under, waiting, table, red, log)
            if card != NOBODY:
                alone = waiting == NOBODY and left + under == 0
                if alone or new_acts(card, left, under, waiting, status, table, kind, solved):
                    who = card
                else:
                    who, waiting = waiting, card
            if who == NOBODY:
                continue
            turns += 1
            record_place(who, turns, table.places)
            if status < REACHED:
                one = solved.kinds[kind[who]]
                status = after_turn(solved.goal, status, one[HERO] == 1, one[FOE] == 1)
            under = put_away(who, under, table.now)
        write_row(out[row], turns, hero, column, table)
        reached[row] = is_reached(solved.goal, status)
