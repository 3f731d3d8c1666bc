"""Exact results for conflicts with dice, by playing every pair of hands, weighted by its number of rolls.

This works if no dice are rolled later, or if the plain policy rolls all later dice before any decision, and the other
side doesn't look at them before that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import prod

from cardhouse.games.dogs.lab.dice.plan import plan_of, steps_of
from cardhouse.games.dogs.lab.dice.pools import Dice
from cardhouse.games.dogs.lab.dice.sides import Setting, Side
from cardhouse.games.dogs.lab.exact import KEYS

MOST_PAIRS = 2_000_000
"""The most pairs of hands to play; these take a second or two."""
Shown = tuple[int, ...]
"""A hand as the number of dice that show 0 (none do), 1, 2 and so on."""


def odds_of(setting: Setting) -> Mapping[str, float]:
    """Return the exact findings by key; empty if there are too many hands, or something is rolled later."""
    one_side, other_side = setting.sides
    for side, against in ((one_side, other_side), (other_side, one_side)):
        if side.things and against.policy == "bold":
            return {}
    dice = [_rolled(side, setting) for side in setting.sides]
    if dice[0] is None or dice[1] is None:
        return {}
    return _counted(setting, dice[0], dice[1])


def _rolled(side: Side, setting: Setting) -> Dice | None:
    """Return all dice that a side rolls in any case; None if that depends on play."""
    steps = steps_of(side, setting.arena)
    if side.policy == "plain":
        return (*steps.opening, *(die for dice in steps.things for die in dice))
    later = steps.things or steps.others or (side.policy == "bold" and setting.improvised)
    return None if later else steps.opening


@lru_cache(32)
def _counted(setting: Setting, one: Dice, other: Dice) -> Mapping[str, float]:
    import numpy as np

    from cardhouse.games.dogs.lab.kernels.dice import dice_duels
    from cardhouse.games.dogs.lab.kernels.dice_hands import PLAY

    ways = prod(one) * prod(other)
    if ways >= 1 << 53:
        return {}
    hands, others = hands_of(one), hands_of(other)
    if len(hands) * len(others) > MOST_PAIRS:
        return {}
    rows, other_rows = (np.array(list(each), np.int64) for each in (hands, others))
    counts, other_counts = (np.array(list(each.values()), np.int64) for each in (hands, others))
    found = np.zeros(len(KEYS), np.float64)
    starters = (0, 1) if setting.starter == 2 else (setting.starter,)
    starter_wins = 0.0
    for starter in starters:
        sums = np.zeros(len(KEYS), np.int64)
        dice_duels(plan_of(setting), np.zeros(1, PLAY), rows, other_rows, counts, other_counts, starter, sums)
        mean = sums / ways
        found += mean / len(starters)
        starter_wins += (1 - mean[0] if starter else mean[0]) / len(starters)
    return {**dict(zip(KEYS, map(float, found), strict=True)), "starter_wins": float(starter_wins)}


def hands_of(dice: Dice) -> Counter[Shown]:
    """Return the possible results of a roll, with the number of ways each can come up."""
    from cardhouse.games.dogs.lab.kernels.dice_hands import FACES

    found: Counter[Shown] = Counter({(0,) * FACES: 1})
    for sides in dice:
        after: Counter[Shown] = Counter()
        for hand, ways in found.items():
            for face in range(1, sides + 1):
                after[(*hand[:face], hand[face] + 1, *hand[face + 1 :])] += ways
        found = after
        if len(found) > MOST_PAIRS:
            return found
    return found
