"""The kernels of the questions `deadly` and `career`, built on the game's own (see bleeding.py)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.engine import Roll
from cardhouse.games.hackjack.lab import damage as damages
from cardhouse.games.hackjack.lab.damage import (
    DEAD_FOR_GOOD,
    DEAD_TRAUMA,
    DEAD_WEEKS,
    MOST_BLOOD,
    MOST_CARDS,
    MOST_FOR_GOOD,
    NEVER_DOWN,
    Damage,
)
from cardhouse.games.hackjack.lab.kernels.bleeding import (
    ALIVE,
    BLED,
    CARDS,
    D20,
    DEALT,
    DOWN,
    FATE,
    PACK,
    PERSON,
    RESETS,
    SHUFFLES,
    TOO_LONG,
    TRAUMA,
    Book,
    begin_round,
    declare,
    hinders,
    hit,
    is_critical,
    join,
    open_deck,
    permanent_hp_loss,
    permanent_wounds,
    recover_fully,
    roll_all,
    roll_damage,
)
from cardhouse.games.hackjack.lab.kernels.wounds import Cards, Numbers, Whole
from cardhouse.games.hackjack.lab.policies import Policy
from cardhouse.games.hackjack.state import DAYS, RECOVERY
from cardhouse.lab.kernels.chance import Log, State, stream
from cardhouse.lab.kernels.compiled import apart, compiled, in_place
from cardhouse.lab.questions.cards_used import MOST_SHUFFLES

(
    DIED,
    RESET,
    FELL,
    SURVIVED,
    TRAUMA_LEFT,
    WEEKS,
    LOST,
    HOW,
    LIVES_ON,
    STAYING,
    HINDERING,
    CARDS_DEALT,
    TIMES_SHUFFLED,
) = range(13)
"""The columns of a trial of `deadly`."""

END_DEAD, END_RETIRED, LIVED, FIRST, CARRIED, HAMPERED, HP_LOST, IN_BED, GOES_ON = range(9)
"""The columns of a trial of `careers`.

The fight in which the character died, and after which it retired; the number of fights it lived through; the fight that
left the first permanent wound; the number of these, and of those that hinder; HP lost from the maximum; weeks of
recovery; whether it goes on.
"""

nearest_weeks = in_place(damages.nearest_weeks)


def recovery_table() -> Numbers:
    """Return the recovery dice for each Trauma: count, sides, days per point (HJ-17)."""
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
    """Hit one character each round, and then each of the `others` who share its deck.

    `critical` is the number of critical faces of a d20. Returns the number of trials with `TOO_LONG` set.
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
            begin_round(hero, book)
            declare(hero, policy, deck, pack, book)
            if others:
                declare_others(people, policy, deck, pack, book)
            state = rolled_hit(state, hero, damage, critical, deck, pack, book, log)
            if others and hero[ALIVE]:
                state = hit_others(state, people, damage, critical, deck, pack, book, log)
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
        out[row, STAYING] = min(permanent_wounds(hero), MOST_FOR_GOOD) if hero[ALIVE] else DEAD_FOR_GOOD
        out[row, HINDERING] = min(hinders(hero), MOST_FOR_GOOD) if hero[ALIVE] else DEAD_FOR_GOOD
        out[row, CARDS_DEALT] = min(pack[DEALT], MOST_CARDS)
        out[row, TIMES_SHUFFLED] = min(pack[SHUFFLES], MOST_SHUFFLES)
        too_long += pack[TOO_LONG]
    return too_long


@apart
def declare_others(people: Numbers, policy: Policy, deck: Cards, pack: Numbers, book: Book) -> None:
    """Begin a round for the others."""
    for one in range(1, people.shape[0]):
        begin_round(people[one], book)
        declare(people[one], policy, deck, pack, book)


@apart
def hit_others(
    state: State, people: Numbers, damage: Damage, critical: Whole, deck: Cards, pack: Numbers, book: Book, log: Log
) -> State:
    """Hit each of the others who is alive."""
    for one in range(1, people.shape[0]):
        if people[one, ALIVE]:
            state = rolled_hit(state, people[one], damage, critical, deck, pack, book, log)
    return state


@compiled
def careers(
    book: Book,
    recovery: Numbers,
    damage: Damage,
    critical: Whole,
    hp: Whole,
    hits: Whole,
    fights: Whole,
    retire: Whole,
    policy: Policy,
    seed: Whole,
    first: Whole,
    out: NDArray[np.int16],
    log: Log,
) -> Whole:
    """Play fight after fight of `hits` hits for one character, which recovers as far as possible in between.

    It retires with `retire` permanent wounds that hinder, unless that is 0. Returns the number of trials with
    `TOO_LONG` set.
    """
    deck, pack, who = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64), np.empty(PERSON, np.int64)
    too_long = 0
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        open_deck(deck, pack, book)
        join(who, hp)
        lived = days = marked = 0
        retires = False
        while who[ALIVE] and lived < fights and not retires:
            taken = 0
            while taken < hits and who[ALIVE]:
                taken += 1
                begin_round(who, book)
                declare(who, policy, deck, pack, book)
                state = rolled_hit(state, who, damage, critical, deck, pack, book, log)
            if who[ALIVE]:
                lived += 1
                state, more = days_of_recovery(state, who, recovery, log)
                days += more
                recover_fully(who, hp, pack, book)
                marked = lived if permanent_wounds(who) and not marked else marked
                retires = retire > 0 and hinders(who) >= retire
        out[row, END_DEAD] = 0 if who[ALIVE] else lived + 1
        out[row, END_RETIRED] = lived if retires else 0
        out[row, LIVED] = lived
        out[row, FIRST] = marked
        out[row, CARRIED] = min(permanent_wounds(who), MOST_FOR_GOOD) if who[ALIVE] else DEAD_FOR_GOOD
        out[row, HAMPERED] = min(hinders(who), MOST_FOR_GOOD) if who[ALIVE] else DEAD_FOR_GOOD
        out[row, HP_LOST] = min(permanent_hp_loss(who), hp - 1, MOST_FOR_GOOD) if who[ALIVE] else DEAD_FOR_GOOD
        out[row, IN_BED] = nearest_weeks(days)
        out[row, GOES_ON] = 1 if who[ALIVE] and not retires else 0
        too_long += pack[TOO_LONG]
    return too_long


@in_place
def rolled_hit(
    state: State, who: Numbers, damage: Damage, critical: Whole, deck: Cards, pack: Numbers, book: Book, log: Log
) -> State:
    """Hit a living character: roll the damage and, if some faces are critical, a d20."""
    state, amount = roll_damage(state, damage, log)
    state, face = roll_all(state, min(critical, 1), D20, log)
    return hit(state, who, amount, is_critical(face, critical), deck, pack, book, log)


@in_place
def weeks_of_recovery(state: State, who: Numbers, recovery: Numbers, log: Log) -> tuple[State, Whole]:
    """Return a living character's recovery time in whole weeks (HJ-16, HJ-17)."""
    if not who[ALIVE]:
        return state, np.int64(DEAD_WEEKS)
    state, days = days_of_recovery(state, who, recovery, log)
    return state, nearest_weeks(days)


@in_place
def days_of_recovery(state: State, who: Numbers, recovery: Numbers, log: Log) -> tuple[State, Whole]:
    """Return a living character's recovery time in days (HJ-16, HJ-17)."""
    dice = recovery[who[TRAUMA]]
    state, points = roll_all(state, dice[0], dice[1], log)
    return state, points * dice[2]
