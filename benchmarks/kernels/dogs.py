"""Conflicts of Dogs: two characters with Body 3 and Will 2 fight, five cards each, with plain bots.

Then the Fallout.
"""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from benchmarks.kernels.case import Case
from cardhouse.games.dogs.lab.questions import Price

CARDS, BODY, EXPERIENCE, JACK = 5, 3, 10, 11
WORTH = [number if number <= 10 else 14 if number == 13 else 12 for number in range(1, 14)] * 4
NONE, SHORT_TERM, LONG_TERM, INJURED, MORTALLY_WOUNDED, DYING = range(6)
MEASURES = len(Price().measures())


def plain(trials: int) -> Sequence[float]:
    """Play conflicts in code as written in an evening."""
    totals = [0] * MEASURES
    for _ in range(trials):
        for place, number in enumerate(conflict()):
            totals[place] += number
    return totals


def conflict() -> list[int]:
    deck = list(range(52))
    random.shuffle(deck)
    hands = [sorted((WORTH[deck.pop()] for _ in range(CARDS)), reverse=True) for _ in range(2)]
    turn, raises, blows, used = 0, 0, [0, 0], [0, 0]
    while hands[turn]:
        raised = hands[turn].pop(0)
        used[turn] += 1
        raises += 1
        turn = 1 - turn
        cards = see(hands[turn], raised)
        if cards is None:
            break
        for card in cards:
            hands[turn].remove(card)
        used[turn] += len(cards)
        blows[turn] += len(cards) if len(cards) > 1 else 0
    hurt = [fallout([deck.pop() for _ in range(number)], deck) for number in blows]
    suffers = [harm for harm, _, _ in hurt]
    learns, heals = [learns for _, learns, _ in hurt], [heals for _, _, heals in hurt]
    ends = [turn, turn, 6 * turn + suffers[0], raises, *used, *blows, *suffers, suffers[turn], *learns, *heals]
    return [*ends, CARDS, CARDS, 0, 0]  # nobody escalates


def see(hand: list[int], raised: int) -> list[int] | None:
    if hand and hand[0] >= 2 * raised:
        return []
    if blocks := [card for card in hand if card >= raised]:
        return [blocks[-1]]
    for number in range(2, len(hand) + 1):
        if enough := [some for some in combinations(hand, number) if sum(some) >= raised]:
            return list(min(enough, key=lambda some: (sum(some), some)))
    return None


def fallout(cards: list[int], deck: list[int]) -> tuple[int, int, int]:
    if not cards:
        return NONE, 0, 0
    experience = [card for card in cards if card % 13 + 1 >= EXPERIENCE]
    others = [card for card in cards if card % 13 + 1 < EXPERIENCE]
    top = max((card % 13 + 1 for card in others), default=0)
    learns = int(sum(card // 13 in (1, 2) for card in experience) >= 2)
    if top >= 9:
        return MORTALLY_WOUNDED, learns, 1
    if top >= 6:
        copes = any(deck.pop() % 13 + 1 >= top for _ in range(BODY))
        return INJURED, learns, int(not copes)
    return LONG_TERM if top >= 3 else SHORT_TERM, learns, 0


SUBSETS = [places for number in range(2, CARDS + 1) for places in combinations(range(CARDS), number)]
HAS = np.array([[place in subset for place in range(CARDS)] for subset in SUBSETS])


def with_arrays(trials: int) -> Sequence[float]:
    """Play all conflicts at once, Raise by Raise, with NumPy."""
    totals = np.zeros(MEASURES)
    for first in range(0, trials, 20_000):
        totals += _at_once(min(20_000, trials - first))
    return totals.tolist()


def _at_once(n: int) -> np.ndarray:
    rng = np.random.default_rng()
    decks = rng.random((n, 52)).argsort(axis=1)
    worth = np.array(WORTH)[decks[:, : 2 * CARDS]].reshape(n, 2, CARDS)
    hands = -np.sort(-worth, axis=2)  # in descending order; a played card is 0
    every, going, loser = np.arange(n), np.ones(n, bool), np.zeros(n, int)
    blows, used, raises = np.zeros((n, 2), int), np.zeros((n, 2), int), np.zeros(n, int)
    turn = 0
    while going.any():
        hand = hands[:, turn]
        place = hand.argmax(axis=1)
        raised = hand[every, place]
        gives = going & (raised == 0)
        loser[gives], going = turn, going & ~gives
        hand[every[going], place[going]] = 0
        used[going, turn] += 1
        raises += going
        turn = 1 - turn
        hand = hands[:, turn]
        reverses = hand.max(axis=1) >= 2 * raised
        enough = hand >= raised[:, None]
        blocks = going & ~reverses & enough.any(axis=1)
        cheapest = np.where(enough, hand, 99).argmin(axis=1)
        hand[every[blocks], cheapest[blocks]] = 0
        used[blocks, turn] += 1
        rest = np.flatnonzero(going & ~reverses & ~blocks)
        number, played = _blows(hand[rest], raised[rest])
        hand[rest] = np.where(played, 0, hand[rest])
        used[rest, turn] += number
        blows[rest, turn] += number
        gives = rest[number == 0]
        loser[gives], going[gives] = turn, False
    return np.array([np.sum(x) for x in _fallout(decks[:, 2 * CARDS :], blows, loser, raises, used)])


def _blows(hand: np.ndarray, raised: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many cards each blow is taken with, 0 if it can't be, and which."""
    values = hand[:, None, :] * HAS
    total, numbers = values.sum(axis=2), HAS.sum(axis=1)
    allowed = (total >= raised[:, None]) & ((values > 0).sum(axis=2) == numbers)
    ordered = -np.sort(-values, axis=2)
    digits = ordered @ (16 ** np.arange(CARDS - 1, -1, -1))
    key = np.where(allowed, (numbers * 128 + total) * 16**CARDS + digits, np.iinfo(np.int64).max)
    best = key.argmin(axis=1)
    can = allowed.any(axis=1)
    return np.where(can, numbers[best], 0), HAS[best] & can[:, None]


def _fallout(
    rest: np.ndarray, blows: np.ndarray, loser: np.ndarray, raises: np.ndarray, used: np.ndarray
) -> list[np.ndarray]:
    n = len(rest)
    rank, red = rest % 13 + 1, np.isin(rest // 13, (1, 2))
    place, begin = np.arange(rest.shape[1]), np.zeros(n, int)
    harm, learns, heals = np.zeros((n, 2), int), np.zeros((n, 2), int), np.zeros((n, 2), int)
    for side in range(2):
        end = begin + blows[:, side]
        drawn = (place >= begin[:, None]) & (place < end[:, None])
        high = rank >= EXPERIENCE
        top = np.where(drawn & ~high, rank, 0).max(axis=1)
        some = blows[:, side] > 0
        harm[:, side] = np.where(some, np.select([top >= 9, top >= 6, top >= 3], [4, 3, 2], 1), 0)
        learns[:, side] = (drawn & high & red).sum(axis=1) >= 2
        injured = harm[:, side] == INJURED
        body = (place >= end[:, None]) & (place < end[:, None] + BODY)
        copes = (body & (rank >= top[:, None])).any(axis=1)
        heals[:, side] = (harm[:, side] == MORTALLY_WOUNDED) | (injured & ~copes)
        begin = end + BODY * injured
    hurt = harm[np.arange(n), loser]
    won = [loser, loser, 6 * loser + harm[:, 0], raises]
    full, none = np.full(n, CARDS), np.zeros(n)
    return [*won, *used.T, *blows.T, *harm.T, hurt, *learns.T, *heals.T, full, full, none, none]


def cases() -> list[Case]:
    asked = Price(arena="fighting", stats="2 3 2 2", other_stats="2 3 2 2")
    return [Case("dogs price", asked, c="dogs.c", plain=plain, numpy=with_arrays)]
