"""The gunfight as machine code: rounds of card initiative, with Hackjack for those who are hit (GF-1)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.games.gunfight import aiming
from cardhouse.games.gunfight.aiming import AFTER_ALL, BEST, NEXT
from cardhouse.games.gunfight.lab import turn_waits
from cardhouse.games.gunfight.lab.turn_waits import MOST_LONGEST, MOST_TURNED, MOST_WAITED, PARTS
from cardhouse.games.hackjack.lab.damage import MOST_CARDS, Damage
from cardhouse.games.hackjack.lab.kernels.bleeding import (
    ALIVE,
    BLOOD,
    CARDS,
    CHECKS,
    D20,
    DEALT,
    DOWN,
    FLEETING,
    HP,
    PACK,
    PERSON,
    PREVENTS,
    SCORE,
    SHUFFLES,
    TOO_LONG,
    Book,
    begin_round,
    declare,
    exert,
    hit,
    is_critical,
    is_idle,
    join,
    open_deck,
    pain_roll,
    roll_damage,
    take_checks,
)
from cardhouse.games.hackjack.lab.kernels.wounds import Cards, Numbers, Whole
from cardhouse.games.hackjack.lab.policies import Policy
from cardhouse.games.initiative.lab.kernels.rounds import (
    BURNED,
    NOBODY,
    OF_RED,
    PASSES,
    QUIET,
    ROUND,
    WHO_LOST,
    Bytes,
    Round,
    put_away,
    put_under,
    set_up,
    turn_over,
    uppermost,
)
from cardhouse.games.initiative.state import FRESH_ACE
from cardhouse.lab.kernels.chance import Log, State, roll, stream
from cardhouse.lab.kernels.compiled import compiled, in_place, part
from cardhouse.lab.kernels.records import first_of
from cardhouse.lab.questions.cards_used import MOST_SHUFFLES

Sides = NDArray[np.uint8]

MINE, THEIRS = 0, 1

SIDE_HP, NEEDS, WAITS, AIMS, HIT_DIE, KIND, NUMBER, DICE, FACES, PLUS = range(10)
"""Columns of `sides`: HP, lowest d20 roll that hits, waiting (`BITS`), aim, hit die, `Policy`, damage."""

ENDED, ROUNDS, OPENED, DEAD, ABLE, HITS, WAITED, LONGEST, TURNED, DEALT_OUT, SHUFFLED = (
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    9,
    10,
    11,
    12,
)
"""Columns of a fight; DEAD and ABLE have one column per side."""

ALL_TURNS, TIMES, IN_ALL, LONGEST_WAIT = range(4)
"""Indices of `waits`: all turns; my side's waits between two turns of a character, their sum, and the longest."""

LOST, UNDECIDED, WON = range(3)
"""The result of a fight for my side."""

target_key: Any = in_place(aiming.target_key)
shooting_chance: Any = in_place(aiming.shooting_chance)

rounded: Any = in_place(turn_waits.rounded)

A_TURN = 1 << 6
"""The key of a target is its `target_key` times this, plus its place: among equals, the higher card is shot first."""
NEVER = 1 << 40


class Fight(NamedTuple):
    """The state of a fight."""

    sides: Numbers
    """A row for my side, one for theirs."""
    theirs: int
    """The first character of their side; all before it are on mine."""
    side: Sides
    """Each character's row of `sides`."""
    people: Numbers
    """Each character's row in Hackjack's kernel."""
    bits: Bytes
    """Each character's choices when its card is drawn."""
    turn: Numbers
    """Each character's key as a target; the lowest is shot first."""
    able: Numbers
    """The number of characters per side who can act."""
    rank: Numbers
    """Each character's card."""
    hits: Numbers
    """A row per side: its hits to take out a character, by HP.

    From `all_up` on, by death-score plus Blood.
    """
    all_up: int
    pain: int


@in_place
def gather(table: Round, red: int, people: Numbers) -> int:
    """Gather the cards of the living and the two jokers (IN-5, GF-1); return their number."""
    left = 0
    for who in range(red):
        table.now[who] = table.rank[who]
        table.deck[left] = who
        left += people[who, ALIVE]
    table.deck[left], table.deck[left + 1] = red, red + 1
    table.effects[WHO_LOST], table.effects[OF_RED] = NOBODY, QUIET
    return left + 2


@in_place
def leave(card: int, left: int, under: int, waiting: int, deck: Bytes) -> tuple[int, int, int]:
    """Remove a dead character's card, wherever it is (IN-17, GF-1)."""
    for place in range(left):
        if deck[place] == card:
            left -= 1
            deck[place] = deck[left]
            return left, under, waiting
    kept = 0
    while under:
        other, under = uppermost(under)
        if other != card:
            kept = put_under(kept, other)
    return left, kept, NOBODY if waiting == card else waiting


@in_place
def update_ability(who: int, fight: Fight) -> None:
    """Update whether a character can act; one who can't has no choices (GF-3)."""
    one, its_side = fight.people[who], np.int64(fight.side[who])
    could, can = fight.turn[who] != NEVER, not is_idle(one)
    fight.able[its_side] += np.int64(can) - np.int64(could)
    fight.bits[who] = fight.sides[its_side, WAITS] if can else PASSES
    fight.turn[who] = turn_of(who, one, its_side, fight) if can else NEVER


@in_place
def begin_turns(who: int, fight: Fight, wounds: Cards, pack: Numbers, book: Book) -> None:
    """Begin a round for a character."""
    its_side = np.int64(fight.side[who])
    if fight.people[who, FLEETING]:
        begin_round(fight.people[who], book)
        update_ability(who, fight)
    preventing = fight.people[who, PREVENTS]
    policy = Policy(fight.sides[its_side, KIND], fight.sides[its_side, NUMBER])
    declare(fight.people[who], policy, wounds, pack, book)
    if fight.people[who, PREVENTS] != preventing:
        update_ability(who, fight)


@in_place
def before_shooting(state: State, who: int, fight: Fight, hit_die: Whole, book: Book, log: Log) -> State:
    """Roll a character's checks (GF-5) and, if it is going to shoot, for its pain (HJ-29)."""
    if fight.people[who, CHECKS]:
        state = take_checks(state, fight.people[who], book, log)
        update_ability(who, fight)
    if book.pain and fight.turn[who] != NEVER and not fight.people[who, PREVENTS]:
        state = exert(state, fight.people[who], hit_die, book, log)
        update_ability(who, fight)
    return state


@part
def turn_of(who: int, one: Numbers, side: Whole, fight: Fight) -> Whole:
    """Return the target key of a character who can act."""
    shooters = side ^ 1
    aim, preventing = fight.sides[shooters, AIMS], one[PREVENTS]
    hits: Whole = np.int64(0)
    shoots: Whole = np.int64(0)
    blood = np.int64(0) if preventing else one[BLOOD]
    if aim == BEST:
        most = fight.hits.shape[1] - 1
        hits = fight.hits[shooters, min(fight.all_up + one[SCORE] + blood, most) if one[DOWN] else one[HP]]
        sides, over = pain_roll(one, fight.sides[side, HIT_DIE], fight.pain)
        shoots = shooting_chance(preventing, sides, over)
    ace = fight.rank[who] == FRESH_ACE
    return target_key(aim, one[DOWN], one[HP], one[SCORE], blood, ace, preventing, hits, shoots) * A_TURN + who


@in_place
def target_of(shooters: Whole, fight: Fight, left: int, under: int, waiting: int, deck: Bytes) -> Whole:
    """Return the target of this side."""
    begin, end = (fight.theirs, fight.turn.size) if shooters == MINE else (0, fight.theirs)
    if fight.sides[shooters, AIMS] == NEXT:
        return target_to_come(begin, end, fight, left, under, waiting, deck)
    first = fight.turn[begin]
    for other in range(begin + 1, end):
        first = min(first, fight.turn[other])
    return first % A_TURN


@part
def target_to_come(begin: int, end: int, fight: Fight, left: int, under: int, waiting: int, deck: Bytes) -> Whole:
    """Return the first target, preferring those whose card is still to come this round."""
    to_come: Whole = 1 << waiting
    first: Whole = np.int64(NEVER)
    for place in range(left):
        to_come |= 1 << np.int64(deck[place])
    while under:
        card, under = uppermost(under)
        to_come |= 1 << card
    for other in range(begin, end):
        later = np.int64(0) if to_come >> other & 1 else np.int64(AFTER_ALL * A_TURN)
        first = min(first, fight.turn[other] + later)
    return first % A_TURN


@in_place
def count_turn(who: int, fight: Fight, since: Numbers, waits: Numbers) -> None:
    """Count the turn of a character who can act; for my side also the wait since its last turn, if any."""
    waits[ALL_TURNS] += 1
    between = waits[ALL_TURNS] - since[who] - 1
    if since[who] and fight.side[who] == MINE:
        waits[TIMES] += 1
        waits[IN_ALL] += between
        waits[LONGEST_WAIT] = max(waits[LONGEST_WAIT], between)
    since[who] = waits[ALL_TURNS]


@in_place
def write_waits(row: NDArray[np.int16], waits: Numbers) -> None:
    """Write the measures of my side's waits."""
    many = waits[TIMES]
    row[WAITED] = 1 + min(rounded(PARTS * waits[IN_ALL], many), MOST_WAITED) if many else 0
    row[LONGEST] = 1 + min(waits[LONGEST_WAIT], MOST_LONGEST) if many else 0


@compiled
def last(
    book: Book,
    sides: Numbers,
    rank: Numbers,
    side: Sides,
    critical: int,
    rounds: int,
    hits: Numbers,
    all_up: int,
    seed: int,
    first: int,
    out: NDArray[np.int16],
    log: Log,
) -> int:
    """Play one fight per row, of at most `rounds` rounds; return how many ran out of room (see Hackjack's kernel).

    My side comes first, and within each side the highest card.
    """
    wounds, pack = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64)
    table, red = first_of(np.empty(1, ROUND)), rank.size
    set_up(rank, None, table)
    people = np.empty((rank.size, PERSON), np.int64)
    turn, able, too_long = np.empty(rank.size, np.int64), np.empty(2, np.int64), 0
    since, waits = np.empty(rank.size, np.int64), np.empty(LONGEST_WAIT + 1, np.int64)
    fight = Fight(sides, np.sum(side == MINE), side, people, table.bits, turn, able, rank, hits, all_up, book.pain)
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        open_deck(wounds, pack, book)
        able[MINE] = able[THEIRS] = 0
        for who in range(rank.size):
            join(people[who], sides[side[who], SIDE_HP])
            turn[who], since[who] = NEVER, 0
            update_ability(who, fight)
        number, hits_landed, turned = 0, 0, 0
        waits[:] = 0
        opened: Whole = NOBODY
        while number < rounds and able[MINE] and able[THEIRS]:
            number += 1
            for who in range(rank.size):
                begin_turns(who, fight, wounds, pack, book)
            left, under, waiting = gather(table, red, people), 0, NOBODY
            while able[MINE] and able[THEIRS] and (left + under > 0 or waiting != NOBODY):
                turned += left > 0 or under > 0
                state, left, under, waiting, who = turn_over(state, left, under, waiting, table, red, log)
                if who == NOBODY:
                    continue
                shooters = np.int64(side[who])
                opened = shooters if opened == NOBODY else opened
                state = before_shooting(state, who, fight, sides[shooters, HIT_DIE], book, log)
                if turn[who] != NEVER:
                    count_turn(who, fight, since, waits)
                if turn[who] != NEVER and not people[who, PREVENTS]:
                    state, face = roll(state, D20, log)
                    if face >= sides[shooters, NEEDS]:
                        target = target_of(shooters, fight, left, under, waiting, table.deck)
                        damage = Damage(sides[shooters, DICE], sides[shooters, FACES], sides[shooters, PLUS])
                        state, amount = roll_damage(state, damage, log)
                        state = hit(state, people[target], amount, is_critical(face, critical), wounds, pack, book, log)
                        hits_landed += 1
                        update_ability(target, fight)
                        if not people[target, ALIVE]:
                            left, under, waiting = leave(target, left, under, waiting, table.deck)
                under = put_away(who, under, table.now)
            turned += (table.effects[WHO_LOST] != NOBODY) + (table.effects[OF_RED] == BURNED)
        over = not (able[MINE] and able[THEIRS])
        ended = (WON if able[MINE] else LOST) if over else UNDECIDED
        out[row, ENDED] = ended
        out[row, ROUNDS] = number if over else 0
        out[row, OPENED] = opened * (WON + 1) + ended
        out[row, DEAD] = out[row, DEAD + 1] = 0
        for who in range(rank.size):
            out[row, DEAD + side[who]] += 1 - people[who, ALIVE]
        out[row, ABLE], out[row, ABLE + 1] = able[MINE], able[THEIRS]
        out[row, HITS] = hits_landed
        write_waits(out[row], waits)
        out[row, TURNED] = min(turned, MOST_TURNED)
        out[row, DEALT_OUT], out[row, SHUFFLED] = min(pack[DEALT], MOST_CARDS), min(pack[SHUFFLES], MOST_SHUFFLES)
        too_long += pack[TOO_LONG]
    return too_long
