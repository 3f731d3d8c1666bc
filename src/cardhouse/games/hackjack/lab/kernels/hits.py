"""How deadly is Hackjack: the kernel of the question, over the game's own (see hackjack.py)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.engine import Roll
from cardhouse.games.hackjack.lab.damage import DEAD_TRAUMA, DEAD_WEEKS, MOST_BLOOD, NEVER_DOWN, Damage
from cardhouse.games.hackjack.lab.kernels.bleeding import (
    ALIVE,
    BLED,
    CARDS,
    D20,
    DOWN,
    FATE,
    PACK,
    PERSON,
    RESETS,
    TOO_LONG,
    TRAUMA,
    Book,
    begin_round,
    declare,
    hit,
    is_critical,
    join,
    open_deck,
    roll_all,
    roll_damage,
)
from cardhouse.games.hackjack.lab.kernels.wounds import Numbers, Whole
from cardhouse.games.hackjack.lab.policies import Policy
from cardhouse.games.hackjack.state import DAYS, RECOVERY
from cardhouse.lab.kernels.chance import Log, State, stream
from cardhouse.lab.kernels.compiled import compiled, in_place

DIED, RESET, FELL, SURVIVED, TRAUMA_LEFT, WEEKS, LOST, HOW, LIVES_ON = range(9)
"""The columns of a trial of `deadly`."""

WEEK = DAYS["weeks"]


def recovery_table() -> Numbers:
    """The recovery dice for each Trauma: how many, of how many sides, days for each point (HJ-17)."""
    rows = [(0, 0, 0), *((*Roll(dice).count_and_sides(), DAYS[unit]) for _, (dice, unit) in sorted(RECOVERY.items()))]
    return np.array(rows, np.int64)


@compiled
def deadly(
    book: Book,
    recovery: Numbers,
    damage: Damage,
    critical: Whole,
    hp: Whole,
    hits: Whole,
    others: Whole,
    policy: Policy,
    seed: Whole,
    first: Whole,
    out: NDArray[np.int16],
    log: Log,
) -> Whole:
    """A hit each round for one character, and then for each of so many `others` who share its deck.

    So many faces of a d20, `critical`, make a hit critical. Returns how many trials had no room (see above).
    """
    deck, pack = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64)
    people = np.empty((others + 1, PERSON), np.int64)
    hero = people[0]
    too_long = 0
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        open_deck(deck, pack, book)
        for one in range(others + 1):
            join(people[one], hp)
        taken = fell = reset = 0
        while taken < hits and hero[ALIVE]:
            taken += 1
            for one in range(others + 1):
                begin_round(people[one], book)
                declare(people[one], policy, deck, pack, book)
            for one in range(others + 1):
                if people[one, ALIVE] and hero[ALIVE]:
                    state, amount = roll_damage(state, damage, log)
                    state, face = roll_all(state, min(critical, 1), D20, log)
                    severe = is_critical(face, critical)
                    state = hit(state, people[one], amount, severe, deck, pack, book, log)
            fell = taken if hero[DOWN] and not fell else fell
            reset = taken if hero[RESETS] and not reset else reset
        state, weeks = weeks_of_recovery(state, hero, recovery, log)
        out[row, DIED] = 0 if hero[ALIVE] else taken
        out[row, RESET] = reset
        out[row, FELL] = fell
        out[row, SURVIVED] = taken - fell + hero[ALIVE] if fell else NEVER_DOWN
        out[row, TRAUMA_LEFT] = hero[TRAUMA] if hero[ALIVE] else DEAD_TRAUMA
        out[row, WEEKS] = weeks
        out[row, LOST] = min(hero[BLED], MOST_BLOOD)
        out[row, HOW] = hero[FATE]
        out[row, LIVES_ON] = 1 if fell and hero[ALIVE] else 0
        too_long += pack[TOO_LONG]
    return too_long


@in_place
def weeks_of_recovery(state: State, who: Numbers, recovery: Numbers, log: Log) -> tuple[State, Whole]:
    """The recovery time of one who lives, in weeks, a begun one too (HJ-16, HJ-17)."""
    if not who[ALIVE]:
        return state, np.int64(DEAD_WEEKS)
    dice = recovery[who[TRAUMA]]
    state, points = roll_all(state, dice[0], dice[1], log)
    return state, (points * dice[2] + WEEK - 1) // WEEK
