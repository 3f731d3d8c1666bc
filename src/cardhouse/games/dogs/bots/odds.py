"""Each side's chance to win if bots play on: the rest of the conflict is simulated many times."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Final, TypedDict

import msgspec

from cardhouse.games.dogs.bots.bots import POLICIES
from cardhouse.games.dogs.bots.simulation import Simulation, random_deal, simulation_of
from cardhouse.games.dogs.choices import ConflictChoices, choices_of
from cardhouse.games.dogs.table import DogsTable

POLICY: Final = "bold"
"""The policy of every simulated participant."""
QUICK: Final = 400
"""Trials times participants that take well under a second: 200 trials for two, 66 for six."""


class SideOdds(TypedDict):
    """A side: its names, the proportion of trials it wins, and that proportion's standard error."""

    names: list[str]
    wins: float
    error: float


class ConflictOdds(TypedDict, total=False):
    """Each side's chance, in order, the number of trials, and the policy of the simulated players; may be empty.

    With two participants, `choices` may hold the chance of each answer under optimal play.
    """

    sides: list[SideOdds]
    trials: int
    policy: str
    choices: ConflictChoices


def odds_of(game: DogsTable, trials: int = 0) -> ConflictOdds:
    """Return each side's chance to win the current conflict; empty if there is none, or cards are being drawn.

    `trials` 0 means as many as are quick. The same state always gives the same odds.
    """
    if game.under_way is None or game.busy:
        return {}
    sides = game.under_way.sides
    trials = trials or max(1, QUICK // len(game.under_way.participants))
    wins = _wins(simulation_of(game), trials)
    odds: ConflictOdds = {
        "sides": [
            {"names": list(names), "wins": won / trials, "error": standard_error(won, trials)}
            for names, won in zip(sides, wins, strict=True)
        ],
        "trials": trials,
        "policy": POLICY,
    }
    if choices := choices_of(game):
        odds["choices"] = choices
    return odds


def standard_error(won: int, trials: int) -> float:
    """Return the standard error of a proportion, with one win and one loss added so that 0 and 1 have an error too."""
    share = (won + 1) / (trials + 2)
    return sqrt(share * (1 - share) / (trials + 2))


@lru_cache(maxsize=32)
def _wins(simulation: bytes, trials: int) -> tuple[int, ...]:
    """Return the number of wins per side. Cached, because everyone who sees the hands asks for the same odds."""
    deal = random_deal(Random(sha256(simulation).digest()))
    wins: list[int] = []
    for _ in range(trials):
        played = msgspec.json.decode(simulation, type=Simulation)
        played.policy = POLICIES[POLICY]
        wins += [0] * (len(played.contested.sides) - len(wins))
        wins[played.play_out(deal)] += 1
    return tuple(wins)
