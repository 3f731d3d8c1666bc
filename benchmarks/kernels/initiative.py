"""Rounds of card initiative: four a side (A K 9 5), everyone who may choose waits; the hero is a 9."""

import random
from collections.abc import Sequence

import numpy as np

from benchmarks.kernels.case import Case
from cardhouse.games.initiative.lab.questions import Order

RANKS = (14, 13, 9, 5, 14, 13, 9, 5)
RED, BLACK, HERO, ACE, SPENT, NOBODY = 8, 9, 2, 14, 1, -1


def plain(trials: int) -> Sequence[float]:
    """Play rounds in code as written in an evening."""
    totals = [0] * 8
    for _ in range(trials):
        for place, number in enumerate(one_round()):
            totals[place] += number
    return totals


def one_round() -> list[int]:
    deck = list(range(10))
    random.shuffle(deck)
    rank = list(RANKS)
    bottom: list[int] = []
    order: list[int] = []
    waiting = NOBODY
    red = lost = lost_by_hero = sent_back = 0
    while deck or bottom or waiting != NOBODY:
        if not deck and not bottom:
            who, waiting = waiting, NOBODY
        else:
            card = deck.pop() if deck else bottom.pop(0)
            if card == RED:
                red = (3 if bottom else 2) if waiting != NOBODY else 4 if bottom else 0
                sent_back = int(waiting == HERO)
                deck += bottom + ([waiting] if waiting != NOBODY else [])
                bottom, waiting = [], NOBODY
                random.shuffle(deck)
                continue
            if card == BLACK:
                if deck or bottom:
                    burned = deck.pop() if deck else bottom.pop(0)
                    if burned == RED:
                        red = 1
                    else:
                        lost = 2 if rank[burned] == ACE else 1
                        lost_by_hero = lost if burned == HERO else 0
                continue
            if waiting == NOBODY:
                if deck or bottom:
                    waiting = card
                    continue
                who = card
            elif rank[card] > rank[waiting]:
                who, waiting = waiting, card
            else:
                who = card
        order.append(who)
        if rank[who] == ACE:
            rank[who] = SPENT
            bottom.append(who)
    place = order.index(HERO) + 1 if HERO in order else 0
    seconds = len(order) - len(set(order))
    return [place, order.count(HERO), lost_by_hero, sent_back, lost, red, seconds, len(order)]


def with_arrays(trials: int) -> Sequence[float]:
    """Play all rounds at once, card by card, with NumPy."""
    totals = np.zeros(8)
    for first in range(0, trials, 20_000):
        totals += _at_once(min(20_000, trials - first))
    return totals.tolist()


def _at_once(n: int) -> np.ndarray:
    rng = np.random.default_rng()
    every = np.arange(n)
    loose = np.ones((n, 10), bool)
    bottom = np.zeros((n, 2), int)  # aces are put there in this order
    under = np.zeros(n, int)
    rank = np.tile(np.array([*RANKS, 0, 0]), (n, 1))
    waiting = np.full(n, NOBODY)
    burning = np.zeros(n, bool)
    turns, place, acted, seconds = (np.zeros(n, int) for _ in range(4))
    red, lost, lost_by_hero, sent_back = (np.zeros(n, int) for _ in range(4))
    while True:
        any_loose = loose.any(axis=1)
        going = any_loose | (under > 0) | (waiting != NOBODY)
        if not going.any():
            break
        random_card = np.where(loose, rng.random((n, 10)), -1.0).argmax(axis=1)
        from_bottom = ~any_loose & (under > 0)
        none = going & ~any_loose & ~from_bottom
        card = np.where(any_loose, random_card, np.where(from_bottom, bottom[:, 0], NOBODY))
        loose[every[any_loose], card[any_loose]] = False
        bottom[from_bottom, 0] = bottom[from_bottom, 1]
        under -= from_bottom
        drawn = going & ~none
        # The card under the black joker.
        burned = drawn & burning
        burning[burned | none] = False
        person = burned & (card < RED)
        actions = np.where(rank[every, card] == ACE, 2, 1)
        lost += person * actions
        lost_by_hero += (person & (card == HERO)) * actions
        red[burned & (card == RED)] = 1
        drawn &= ~burned
        burning |= drawn & (card == BLACK)
        # The red joker.
        shuffles = drawn & (card == RED)
        waits, aces = waiting != NOBODY, under > 0
        red = np.where(shuffles, np.where(waits, np.where(aces, 3, 2), np.where(aces, 4, 0)), red)
        sent_back += shuffles & (waiting == HERO)
        back = shuffles & waits
        loose[every[back], waiting[back]] = True
        waiting[shuffles] = NOBODY
        for place_under in (0, 1):
            those = shuffles & (under > place_under)
            loose[every[those], bottom[those, place_under]] = True
        under[shuffles] = 0
        # A character waits, or acts.
        character = drawn & (card < RED)
        alone = character & (waiting == NOBODY)
        begins = alone & (loose.any(axis=1) | (under > 0))
        higher = character & ~alone & (rank[every, card] > rank[every, waiting])
        who = np.where(none | higher, waiting, card)
        waiting = np.where(begins | higher, card, np.where(none, NOBODY, waiting))
        acts = none | (character & ~begins)
        turns += acts
        hero = acts & (who == HERO)
        place[hero] = turns[hero]
        acted += hero
        second = acts & (rank[every, who] == SPENT)
        seconds += second
        again = acts & (rank[every, who] == ACE)
        rank[every[again], who[again]] = SPENT
        bottom[every[again], under[again]] = who[again]
        under += again
    return np.array([x.sum() for x in (place, acted, lost_by_hero, sent_back, lost, red, seconds, turns)])


def cases() -> list[Case]:
    return [Case("initiative order", Order(), c="initiative.c", plain=plain, numpy=with_arrays)]
