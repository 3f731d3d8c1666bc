"""The gunfight as machine code: rounds of card initiative, and what becomes in Hackjack of those who are hit (GF-1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhouse.lab.kernels.chance import Log, roll, stream
from cardhouse.lab.kernels.compiled import compiled, in_place
from cardhouse.lab.kernels.hackjack import (
    ALIVE,
    CARDS,
    D20,
    DOWN,
    HP,
    PACK,
    PERSON,
    PREVENTS,
    SCORE,
    TOO_LONG,
    Book,
    begin_round,
    declare,
    hit,
    is_idle,
    join,
    open_deck,
    roll_damage,
    take_checks,
)
from cardhouse.lab.kernels.initiative import NOBODY, PASSES, TOLD, again, put_under, turn_over, uppermost
from cardhouse.lab.wounded import Damage

Cards = NDArray[np.uint8]
Numbers = NDArray[np.int64]
People = NDArray[np.int64]

MINE, THEIRS = 0, 1

ENDED, ROUNDS, OPENED, DEAD, ABLE, HITS = 0, 1, 2, 3, 5, 7
"""The columns of a fight; DEAD and ABLE are two, of the one side and the other."""

LOST, UNDECIDED, WON = range(3)
"""How it ended, for my side."""

STANDING, FINISH, FIRST = range(3)
"""Who is shot at: see `cardhouse.lab.questions.gunfight`."""

AFTER_ALL_HP = 1 << 20


class Side(NamedTuple):
    """One side: hit points, the d20 it takes to hit, how they wait (bits), whom they shoot at, what a hit does."""

    hp: int
    needs: int
    bits: int
    aims: int
    damage: Damage


@in_place
def gather(deck: Cards, now: Numbers, rank: Numbers, people: People) -> int:
    """The cards of those who live, and the two jokers (IN-5, GF-1); how many there are."""
    left = 0
    for card in range(rank.size + 2):
        if card >= rank.size or people[card, ALIVE]:
            deck[left] = card
            left += 1
    for who in range(rank.size):
        now[who] = rank[who]
    return left


@in_place
def leave(card: int, left: int, under: int, waiting: int, deck: Cards) -> tuple[int, int, int]:
    """Somebody is dead and leaves the deck at once, wherever the card lies (IN-17, GF-1)."""
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
def target_of(who: int, aims: int, side: Numbers, idle: Numbers, people: People) -> int:
    """Which of the enemies who can still do something is shot at; of equals the higher card."""
    best, least = NOBODY, 0
    for other in range(side.size):
        if side[other] == side[who] or idle[other]:
            continue
        worth = other
        if aims != FIRST:
            worth = people[other, HP]
            if people[other, DOWN]:
                worth = (AFTER_ALL_HP if aims == STANDING else -1) - people[other, SCORE]
        if best == NOBODY or worth < least:
            best, least = other, worth
    return best


@in_place
def see_who_can(
    who: int, people: People, book: Book, idle: Numbers, able: Numbers, side: Numbers, usual: Numbers, bits: Numbers
) -> None:
    """Whether somebody can do anything is looked at anew; who can't has nothing to choose (GF-3)."""
    now = np.int64(is_idle(people[who], book))
    able[side[who]] += idle[who] - now
    idle[who] = now
    bits[who] = PASSES if now else usual[who]


@compiled
def last(
    book: Book,
    mine: Side,
    theirs: Side,
    rank: Numbers,
    side: Numbers,
    critical: int,
    prevents_from: int,
    rounds: int,
    seed: int,
    first: int,
    out: NDArray[np.int16],
    log: Log,
) -> int:
    """A fight in each row, of so many rounds at most; returns how many had no room (see the kernel of Hackjack)."""
    sides = (mine, theirs)
    wounds, pack = np.empty(CARDS, np.uint8), np.empty(PACK, np.int64)
    people = np.empty((rank.size, PERSON), np.int64)
    deck, now, told = np.empty(rank.size + 2, np.uint8), np.empty(rank.size, np.int64), np.empty(TOLD, np.int64)
    bits, idle, able = np.empty(rank.size, np.int64), np.empty(rank.size, np.int64), np.empty(2, np.int64)
    usual, too_long = np.empty(rank.size, np.int64), 0
    for who in range(rank.size):
        usual[who] = sides[side[who]].bits
    for row in range(out.shape[0]):
        state = stream(seed, first + row)
        open_deck(wounds, pack, book)
        able[MINE] = able[THEIRS] = 0
        for who in range(rank.size):
            join(people[who], sides[side[who]].hp)
            idle[who] = 0
            able[side[who]] += 1
        number, opened, hits = 0, NOBODY, 0
        while number < rounds and able[MINE] and able[THEIRS]:
            number += 1
            for who in range(rank.size):
                begin_round(people[who], book)
                declare(people[who], prevents_from)
                see_who_can(who, people, book, idle, able, side, usual, bits)
            left, under, waiting = gather(deck, now, rank, people), 0, NOBODY
            while able[MINE] and able[THEIRS] and (left + under > 0 or waiting != NOBODY):
                state, left, under, waiting, who = turn_over(state, left, under, waiting, deck, now, bits, told, log)
                if who == NOBODY:
                    continue
                opened = side[who] if opened == NOBODY else opened
                state = take_checks(state, people[who], book, log)
                see_who_can(who, people, book, idle, able, side, usual, bits)
                if not idle[who] and not people[who, PREVENTS]:
                    shooter = sides[side[who]]
                    state, face = roll(state, D20, log)
                    if face >= shooter.needs:
                        target = target_of(who, shooter.aims, side, idle, people)
                        state, amount = roll_damage(state, shooter.damage, log)
                        state = hit(state, people[target], amount, bool(face > D20 - critical), wounds, pack, book, log)
                        hits += 1
                        see_who_can(target, people, book, idle, able, side, usual, bits)
                        if not people[target, ALIVE]:
                            left, under, waiting = leave(target, left, under, waiting, deck)
                under = again(who, under, now)
        over = not (able[MINE] and able[THEIRS])
        ended = (WON if able[MINE] else LOST) if over else UNDECIDED
        out[row, ENDED] = ended
        out[row, ROUNDS] = number if over else 0
        out[row, OPENED] = opened * (WON + 1) + ended
        out[row, DEAD] = out[row, DEAD + 1] = 0
        for who in range(rank.size):
            out[row, DEAD + side[who]] += 1 - people[who, ALIVE]
        out[row, ABLE], out[row, ABLE + 1] = able[MINE], able[THEIRS]
        out[row, HITS] = hits
        too_long += pack[TOO_LONG]
    return too_long
