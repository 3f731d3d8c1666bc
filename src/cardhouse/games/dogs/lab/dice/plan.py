"""The kernel's plan of a conflict with dice: each side's rolls, in order."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from cardhouse.games.dogs.bots.bold import FEAR
from cardhouse.games.dogs.fallout.odds import SEVERITIES
from cardhouse.games.dogs.lab.dice.pools import STAT_DIE, Dice
from cardhouse.games.dogs.lab.dice.rules import UP_TO
from cardhouse.games.dogs.lab.dice.sides import FALLOUT_DICE, Setting, Side, strength
from cardhouse.games.dogs.state import ARENAS, PILES, Pile


class Steps(NamedTuple):
    """A side's rolls: the opening, its things (`at_once` of them together), and other arenas with their dice.

    `arenas` has the number of arenas it could still enter after none, one, two.
    """

    opening: Dice
    things: list[Dice]
    at_once: int
    others: list[tuple[Dice, Pile]]
    arenas: list[int]


def steps_of(side: Side, arena: Pile) -> Steps:
    """Return a side's rolls in its policy's order: things as listed for plain, otherwise best first (DICE-7)."""
    plain = side.policy == "plain"
    things = list(side.things) if plain else sorted(side.things, key=strength, reverse=True)
    rolled = list(ARENAS[arena])
    opening = (STAT_DIE,) * sum(side.stats.of(stat) for stat in rolled)
    left = [pile for pile in PILES if pile != arena]
    others: list[tuple[Dice, Pile]] = []
    arenas: list[int] = []
    while True:
        numbers = {pile: sum(side.stats.of(stat) for stat in ARENAS[pile] if stat not in rolled) for pile in left}
        may = [pile for pile in left if numbers[pile]]
        arenas.append(len(may))
        if not may or plain:
            return Steps(opening, things, len(things) if plain else 0, others, arenas)
        chosen = max(may, key=numbers.__getitem__)
        others.append(((STAT_DIE,) * numbers[chosen], chosen))
        left.remove(chosen)
        rolled += ARENAS[chosen]


@lru_cache(64)
def plan_of(setting: Setting) -> Any:
    """Return the kernel's record of the setting, shape (1,)."""
    import numpy as np

    from cardhouse.games.dogs.lab.kernels import conflicts as kernel
    from cardhouse.games.dogs.lab.kernels.dice_hands import PLAN

    plan = np.zeros(1, PLAN)
    policies = {"plain": kernel.PLAIN, "thrifty": kernel.THRIFTY, "bold": kernel.BOLD}
    pool = list(setting.desperate)
    for place, side in enumerate(setting.sides):
        steps = steps_of(side, setting.arena)
        rolled = [(steps.opening, -1), *((dice, -1) for dice in steps.things)]
        rolled += [(dice, PILES.index(pile)) for dice, pile in steps.others]
        for step, (dice, pile) in enumerate(rolled):
            plan["steps"][0, place, step] = len(pool), len(pool) + len(dice), pile
            pool += dice
        plan["arenas"][0, place, : len(steps.arenas)] = steps.arenas
        plan["sides"][0, place] = policies[side.policy], steps.at_once, len(steps.things), side.stats.body
    plan["pool"][0, : len(pool)] = pool
    arena, guns = PILES.index(setting.arena), PILES.index("guns")
    plan["rules"][0] = setting.starter, arena, setting.improvised, len(setting.desperate), guns
    plan["fallout"][0] = [FALLOUT_DICE[pile] for pile in PILES]
    plan["fear"][0] = [FEAR[pile] for pile in PILES]
    plan["severities"][0] = [severity_of(total) for total in range(plan["severities"].shape[1])]
    return plan


def severity_of(total: int) -> int:
    """Return the number of the severity for two fallout dice, 1 the mildest (DICE-9).

    Impossible totals get the worst.
    """
    return next((at for at, severity in enumerate(SEVERITIES, 1) if total <= UP_TO[severity]), len(SEVERITIES))
