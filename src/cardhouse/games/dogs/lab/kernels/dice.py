"""Conflicts of two with dice (DICE-1 to DICE-11) as machine code, for the lab's comparison with cards.

A `Plan` has both sides: the rolls at the opening, the things and arenas that may follow, in the side's order, and its
policy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.dogs.bots.bold import OVERWHELMED
from cardhouse.games.dogs.lab.dice.policies import BLOW, MANY, TO_RAISE
from cardhouse.games.dogs.lab.kernels.conflicts import (
    AT_ONCE,
    BLOWS,
    BODY,
    BOLD,
    DRAWN,
    DYING,
    ENDING,
    HARMS,
    HEALING,
    IN_TURN,
    INJURED,
    LEARNT,
    LOSER,
    MORTALLY_WOUNDED,
    MOVED,
    NO_FALLOUT,
    PLAIN,
    PLAYED,
    POLICY,
    RAISES,
    STARTER_WON,
    SUFFERS,
    THINGS,
    WON,
)
from cardhouse.games.dogs.lab.kernels.dice_hands import (
    BLOW_DICE,
    ENTERED,
    ESCALATED,
    FACES,
    MOVES,
    ONE_DIE,
    ROLLED,
    STEP,
    TIMES,
    TRIED,
    USED,
    Numbers,
    Plan,
    Play,
    Whole,
    bold_raise,
    bold_see,
    clear_table,
    fewest,
    highest_of,
    no_good_raise,
    remove_taken,
    take_out,
)
from cardhouse.lab.kernels.chance import NO_CHANCE, Log, State, roll, stream
from cardhouse.lab.kernels.compiled import compiled, part
from cardhouse.lab.kernels.records import first_of

Record = NDArray[np.void]

STARTER, ARENA, IMPROVISED, DESPERATE, GUNS = range(5)
"""Indices of `rules`.

The starter (0, 1, or 2 for alternating), the pile of the first arena, desperate improvisations per side, their number
of dice (first in the pool), and the pile that the bold policy treats as deadly.
"""

D6: Whole = np.int64(6)
"""The die for Body (DICE-11). Not a plain int, for which Numba would compile another version of `roll`."""

GIVES, ROLLS, PLAYS = range(3)
"""The possible next actions of a side that must Raise or See."""


@compiled
def dice_conflicts(plans: Record, plays: Record, seed: Whole, first: Whole, out: NDArray[np.int16], log: Log) -> None:
    """Play one conflict per row of `out`, with the columns of `conflicts`; `plans` has shape (1,)."""
    plan, play = first_of(plans), first_of(plays)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        starter = plan.rules[STARTER] if plan.rules[STARTER] < IN_TURN else (first + row) & 1
        clear_table(play)
        state, raises = fight(play, plan, starter, state, log)
        loser = play.gave
        out[row, WON] = loser
        out[row, STARTER_WON] = loser != starter
        out[row, RAISES] = raises
        for side in range(2):
            out[row, PLAYED + side] = play.people[side, USED]
            out[row, DRAWN + side] = play.people[side, ROLLED]
            out[row, MOVED + side] = play.people[side, MOVES]
            out[row, BLOWS + side] = blows_of(play, side)
            state, suffers, learns, needs = resolve_fallout(play, plan, side, state, log)
            out[row, SUFFERS + side], out[row, LEARNT + side], out[row, HEALING + side] = suffers, learns, needs
        out[row, LOSER] = out[row, SUFFERS + loser]
        out[row, ENDING] = HARMS * loser + out[row, SUFFERS]


@compiled
def dice_duels(
    plans: Record,
    plays: Record,
    one: Numbers,
    other: Numbers,
    ways: Numbers,
    others: Numbers,
    starter: Whole,
    sums: Numbers,
) -> None:
    """Play every pair of hands, and add up the results, weighted by how many ways the pair can be rolled.

    Rows of `one` and `other` are hands, as the number of dice that show each face; `ways` and `others` count their
    rolls. `sums` receives the first side's wins, the Raises, the dice played by each, and the fallout dice of each.
    """
    plan, play = first_of(plans), first_of(plays)
    for row in range(one.shape[0]):
        for other_row in range(other.shape[0]):
            clear_table(play)
            for side, hand in enumerate((one[row], other[other_row])):
                play.people[side, STEP] = plan.sides[side, AT_ONCE] + 1
                for face in range(FACES):
                    play.count[side, face] = hand[face]
                    play.size[side] += hand[face]
            _, raises = fight(play, plan, starter, NO_CHANCE, None)
            many = ways[row] * others[other_row]
            sums[0] += many * play.gave
            sums[1] += many * raises
            for side in range(2):
                sums[2 + side] += many * play.people[side, USED]
                sums[4 + side] += many * blows_of(play, side)


@part
def blows_of(play: Play, side: Whole) -> Whole:
    """Return the number of a side's fallout dice."""
    return play.blows[side, 0] + play.blows[side, 1] + play.blows[side, 2] + play.blows[side, 3]


@part
def fight(play: Play, plan: Plan, starter: Whole, state: State, log: Log) -> tuple[State, Whole]:
    """Roll both openings and play until one side gives (`gave`); return the number of Raises.

    `value` is the Raise to See, 0 if a Raise is due; the side that Sees Raises next.
    """
    turn, value, raises = starter & 1, np.int64(0), np.int64(0)
    for side in range(2):
        play.people[side, ENTERED] = plan.rules[ARENA]
        if not play.people[side, STEP]:
            _next_step(play, plan, side)
            state = _roll(play, plan, side, state, log)
    while True:
        choice = _choose(play, plan, turn, value)
        if choice == ROLLS:
            state = _roll(play, plan, turn, state, log)
            continue
        if choice == GIVES:
            break
        if value:
            _see(play, plan, turn, value)
            value = np.int64(0)
        else:
            value = _raise(play, plan, turn)
            raises += 1
            turn ^= 1
        play.people[turn, ESCALATED] = play.people[turn, TRIED] = 0
    play.gave = turn
    return state, raises


@part
def _roll(play: Play, plan: Plan, side: Whole, state: State, log: Log) -> State:
    """Roll the wanted dice into a side's hand."""
    for place in range(play.wanted[0], play.wanted[1]):
        state, face = roll(state, plan.pool[place], log)
        play.count[side, face] += 1
        play.size[side] += 1
        play.people[side, ROLLED] += 1
    return state


@part
def _next_step(play: Play, plan: Plan, side: Whole) -> Whole:
    """Bring a thing or enter an arena, and mark its dice as wanted (DICE-7)."""
    step = play.people[side, STEP]
    play.people[side, STEP] += 1
    if plan.steps[side, step, 2] >= 0:
        play.people[side, ENTERED] = plan.steps[side, step, 2]
        play.people[side, MOVES] += 1
    play.wanted[0], play.wanted[1] = plan.steps[side, step, 0], plan.steps[side, step, 1]
    return np.int64(ROLLS)


@part
def _has_things(play: Play, plan: Plan, side: Whole) -> Whole:
    return play.people[side, STEP] <= plan.sides[side, THINGS]


@part
def _arenas(play: Play, plan: Plan, side: Whole) -> Whole:
    """Return how many arenas a side could enter now."""
    if play.people[side, ESCALATED]:
        return np.int64(0)
    return plan.arenas[side, max(0, play.people[side, STEP] - 1 - plan.sides[side, THINGS])]


@part
def _improvises(play: Play, plan: Plan, side: Whole) -> Whole:
    return not play.people[side, TRIED] and play.people[side, TIMES] < plan.rules[IMPROVISED]


@part
def _prepare_or_give(play: Play, plan: Plan, side: Whole) -> Whole:
    """Bring a thing, or else escalate, or else (bold only) improvise, or else give."""
    policy = plan.sides[side, POLICY]
    if policy == PLAIN:
        return np.int64(GIVES)
    if _has_things(play, plan, side):
        return _next_step(play, plan, side)
    if _arenas(play, plan, side):
        play.people[side, ESCALATED] = 1
        return _next_step(play, plan, side)
    if policy == BOLD and _improvises(play, plan, side):
        play.people[side, TRIED] = 1
        play.people[side, TIMES] += 1
        play.wanted[0], play.wanted[1] = 0, plan.rules[DESPERATE]
        return np.int64(ROLLS)
    return np.int64(GIVES)


@part
def _choose(play: Play, plan: Plan, side: Whole, value: Whole) -> Whole:
    """Return the next action of a side that must See a Raise of this value, or Raise if it is 0."""
    bold, has_things = plan.sides[side, POLICY] == BOLD, _has_things(play, plan, side)
    if play.people[side, STEP] <= plan.sides[side, AT_ONCE]:
        return _next_step(play, plan, side)
    if not value:
        if bold and has_things and no_good_raise(play, side):
            return _next_step(play, plan, side)
        return np.int64(PLAYS) if play.size[side] >= TO_RAISE else _prepare_or_give(play, plan, side)
    number = fewest(play, side, value, ONE_DIE)
    if number and (number < BLOW or not bold):
        return np.int64(PLAYS)
    if bold and has_things:
        return _next_step(play, plan, side)
    if not number or number >= MANY:
        more = _prepare_or_give(play, plan, side)
        if more != GIVES or not number:
            return more
    return np.int64(GIVES if _is_hopeless(play, plan, side, number) else PLAYS)


@part
def _is_hopeless(play: Play, plan: Plan, side: Whole, number: Whole) -> Whole:
    """Return whether a blow of this many dice is pointless for the bold policy."""
    left = (play.size[side] - number) // TO_RAISE + _arenas(play, plan, side) + _improvises(play, plan, side)
    deadly = play.people[1 - side, ENTERED] == plan.rules[GUNS]
    return left == 0 or (deadly and OVERWHELMED * left <= play.size[1 - side] // TO_RAISE)


@part
def _raise(play: Play, plan: Plan, side: Whole) -> Whole:
    """Raise with two dice and return their total (DICE-4)."""
    play.people[side, USED] += TO_RAISE
    if plan.sides[side, POLICY] == BOLD:
        chosen = bold_raise(play, side)
        high, low = chosen // FACES, chosen % FACES
        take_out(play, side, high, ONE_DIE)
    else:
        high = highest_of(play, side)
        take_out(play, side, high, ONE_DIE)
        low = highest_of(play, side)
    take_out(play, side, low, ONE_DIE)
    return high + low


@part
def _see(play: Play, plan: Plan, side: Whole, raised: Whole) -> None:
    """Reverse, Block with two dice, or Take the Blow (DICE-5)."""
    number = fewest(play, side, raised, ONE_DIE)
    if number == 1:
        return
    pile = play.people[1 - side, ENTERED]
    if plan.sides[side, POLICY] == BOLD:
        chosen = bold_see(play, side, raised, plan.fear[pile])
        if chosen:
            take_out(play, side, chosen // FACES, ONE_DIE)
            take_out(play, side, chosen % FACES, ONE_DIE)
            play.people[side, USED] += TO_RAISE
            return
        number = fewest(play, side, raised, BLOW_DICE)
    remove_taken(play, side)
    play.people[side, USED] += number
    if number >= BLOW:
        play.blows[side, pile] += number


@part
def resolve_fallout(play: Play, plan: Plan, side: Whole, state: State, log: Log) -> tuple[State, Whole, Whole, Whole]:
    """Roll the fallout dice; return severity, experience, and the need for healing (DICE-9 to DICE-11)."""
    if not blows_of(play, side):
        return state, np.int64(NO_FALLOUT), np.int64(0), np.int64(0)
    first, second, ones = np.int64(0), np.int64(0), np.int64(0)
    for pile in range(4):
        for _ in range(play.blows[side, pile]):
            state, face = roll(state, plan.fallout[pile], log)
            first, second = max(first, face), max(second, min(first, face))
            ones += face == 1
    total = first + second
    severity = plan.severities[total]
    learns = ones > 0 and severity != DYING
    needs = severity == MORTALLY_WOUNDED
    if severity == INJURED:
        first = second = np.int64(0)
        for _ in range(plan.sides[side, BODY]):
            state, face = roll(state, D6, log)
            first, second = max(first, face), max(second, min(first, face))
        needs = first + second < total
    return state, severity, np.int64(learns), np.int64(needs)
