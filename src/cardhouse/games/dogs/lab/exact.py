"""Exact results for conflicts of Dogs Play Cards, Too, by playing every pair of hands.

If nothing is drawn after the opening, the two hands decide everything, because no policy plays at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import comb

from cardhouse.games.dogs.fallout.odds import DECKS
from cardhouse.games.dogs.lab.opponents import MOST_HAND, Setting, Side, plan_of
from cardhouse.games.dogs.state import stats_of
from cardhouse.lab.running.workers import cores

MOST_PAIRS = 20_000_000
"""The most pairs of hands to play; these take a second or two."""
MOST_SOLVED = 2_000_000
"""The same if a side plays the policy `best`."""
MOST_WAYS = 1 << 53
"""The bound on exact sums in a double: deals, times Raises or cards, of which a deal has a few tens at most."""
MOST_OF_A_VALUE = 16
"""The most cards of one value: jacks and queens in two decks."""
KEYS = ("wins", "raises", "cards", "other_cards", "blows", "other_blows")
"""The sums that the kernel counts."""
VALUES = 12
"""The number of different card values, of which a hand is a multiset."""


def odds_of(setting: Setting) -> Mapping[str, float]:
    """Return the exact findings by key; empty if there are too many hands, or something is drawn later."""
    sizes = [_drawn(side, setting) for side in setting.sides]
    if None in sizes:
        return {}
    return _counted(setting, sizes[0] or 0, sizes[1] or 0)


def _drawn(side: Side, setting: Setting) -> int | None:
    """Return how many cards a side draws at the opening; None if it may draw others, or keeps only some of them."""
    later = side.policy != "plain" and not side.dealt
    improvises = side.policy not in ("plain", "thrifty") and setting.improvised
    if side.things or side.fast is not None or later or improvises:
        return None
    return side.dealt or sum(side.stats.of(stat) for stat in stats_of(setting.arena))


@lru_cache(32)
def _counted(setting: Setting, one: int, other: int) -> Mapping[str, float]:
    cards = len(DECKS[setting.decks])
    ways = comb(cards, one) * comb(cards - one, other) if one + other <= cards else MOST_WAYS
    most = MOST_SOLVED if any(side.policy == "best" for side in setting.sides) else MOST_PAIRS
    if hands_of(one) * hands_of(other) > most or ways * (one + other + 1) >= MOST_WAYS:
        return {}
    starters = (0, 1) if setting.starter == 2 else (setting.starter,)
    fought = [_fought(setting, one, other, starter) for starter in starters]
    found = {key: sum(counts[key] for counts in fought) / (ways * len(starters)) for key in KEYS}
    won = [counts["wins"] for counts in fought]
    starter_won = sum(ways - by_one if starter else by_one for starter, by_one in zip(starters, won, strict=True))
    return {**found, "starter_wins": starter_won / (ways * len(starters))}


def _fought(setting: Setting, one: int, other: int, starter: int) -> dict[str, int]:
    """Return the sums over all ways to deal hands of these sizes."""
    import numpy as np

    from cardhouse.games.dogs.lab.kernels.conflicts import duels
    from cardhouse.games.dogs.lab.kernels.hands import PLAY

    plan = plan_of(setting)
    values = sorted(set(plan["facts"][0, 0, : len(DECKS[setting.decks])].tolist()))
    hands, others = (np.array(list(_hands(values, number)), np.uint8) for number in (one, other))
    choose = np.array([[comb(n, k) for k in range(MOST_HAND + 1)] for n in range(MOST_OF_A_VALUE + 1)], np.int64)

    def some(part: int) -> list[int]:
        counts = np.zeros(len(KEYS), np.int64)
        duels(plan, np.zeros(1, PLAY), hands[part :: cores()].copy(), others, choose, starter, counts)
        return [int(number) for number in counts]

    with ThreadPoolExecutor(cores()) as threads:
        found = [sum(column) for column in zip(*threads.map(some, range(cores())), strict=True)]
    return dict(zip(KEYS, found, strict=True))


def hands_of(number: int) -> int:
    """Return the number of hands of this size, by card values."""
    return comb(VALUES + number - 1, number)


def _hands(values: list[int], number: int) -> Iterator[list[int]]:
    """Yield each hand as counts of each value up to 15."""
    counts = [0] * 16

    def from_(place: int, left: int) -> Iterator[list[int]]:
        if place == len(values) - 1:
            counts[values[place]] = left
            yield list(counts)
            return
        for many in range(left + 1):
            counts[values[place]] = many
            yield from from_(place + 1, left - many)

    yield from from_(0, number)
