"""Conflicts of Dogs Play Cards, Too, counted exactly: every pair of hands is fought out.

Where nothing is drawn after the opening, two hands decide all, for nobody leaves anything to chance.
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
"""So many pairs of hands are fought out in a second or two."""
MOST_SOLVED = 2_000_000
"""So many, where somebody plays best."""
MOST_WAYS = 1 << 53
"""More ways to deal than that are not added up exactly; a Raise or card each way more is a factor of some tens."""
MOST_OF_A_VALUE = 16
"""Of two decks, the jacks and queens."""
KEYS = ("wins", "raises", "cards", "other_cards", "blows", "other_blows")
"""What the kernel counts."""
VALUES = 12
"""So many different values there are, of which a hand is a multiset."""


def odds_of(setting: Setting) -> Mapping[str, float]:
    """The findings that are exact, by their keys; none, if there are too many hands or something is drawn later."""
    sizes = [_drawn(side, setting) for side in setting.sides]
    if None in sizes:
        return {}
    return _counted(setting, sizes[0] or 0, sizes[1] or 0)


def _drawn(side: Side, setting: Setting) -> int | None:
    """How many cards a side draws at the opening; None if it may draw others, or keeps only some of them."""
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
    """The sums over all ways to deal hands of so many cards."""
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
    """How many hands of so many cards there are, by what they are worth."""
    return comb(VALUES + number - 1, number)


def _hands(values: list[int], number: int) -> Iterator[list[int]]:
    """Each of them, as how many cards it has of each value up to 15."""
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
