"""Who will win, if both sides play on as the table's bots would: the conflict is played out, again and again."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Final, TypedDict

import msgspec

from cardhouse.games.dogs.bots.bots import POLICIES
from cardhouse.games.dogs.bots.simulation import Simulation, dealt_by, simulation_of
from cardhouse.games.dogs.choices import ConflictChoices, choices_of
from cardhouse.games.dogs.table import DogsTable

POLICY: Final = "bold"
"""How everybody plays on."""
QUICK: Final = 400
"""So many trials of somebody's part in a conflict take well under a second: 200 between two, 66 among six."""


class SideOdds(TypedDict):
    """Those of a side, the share of the trials that it wins, and the standard error of that."""

    names: list[str]
    wins: float
    error: float


class ConflictOdds(TypedDict, total=False):
    """Each side's chance, in order; of how many trials; and the policy of all who played them. Or nothing of that.

    Of two, `choices` is what comes of each answer, both playing as well as can be.
    """

    sides: list[SideOdds]
    trials: int
    policy: str
    choices: ConflictChoices


def odds_of(game: DogsTable, trials: int = 0) -> ConflictOdds:
    """Each side's chance to win the conflict under way; empty if there is none, or somebody is drawing.

    There are as many trials as are quick if it isn't said. A state has always the same odds.
    """
    if game.under_way is None or game.busy:
        return {}
    sides = game.under_way.sides
    trials = trials or max(1, QUICK // len(game.under_way.participants))
    wins = _wins(simulation_of(game), trials)
    told: ConflictOdds = {
        "sides": [
            {"names": list(names), "wins": won / trials, "error": standard_error(won, trials)}
            for names, won in zip(sides, wins, strict=True)
        ],
        "trials": trials,
        "policy": POLICY,
    }
    if choices := choices_of(game):
        told["choices"] = choices
    return told


def standard_error(won: int, trials: int) -> float:
    """That of the share won; as if one more had been won and one more lost, so that all or nothing isn't certain."""
    share = (won + 1) / (trials + 2)
    return sqrt(share * (1 - share) / (trials + 2))


@lru_cache(maxsize=32)
def _wins(simulation: bytes, trials: int) -> tuple[int, ...]:
    """How often each side wins. All who may see the hands ask for the same, one after the other."""
    deal = dealt_by(Random(sha256(simulation).digest()))
    wins: list[int] = []
    for _ in range(trials):
        played = msgspec.json.decode(simulation, type=Simulation)
        played.policy = POLICIES[POLICY]
        wins += [0] * (len(played.contested.sides) - len(wins))
        wins[played.play_out(deal)] += 1
    return tuple(wins)
