"""The approximate number of hits to take a character out, for the policy that weighs hits against turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from cardhouse.cards import JOKERS, STANDARD
from cardhouse.engine import Roll
from cardhouse.games.gunfight.aiming import FINE
from cardhouse.games.hackjack import thresholds
from cardhouse.games.hackjack.lab.damage import D20, MOST_BLOOD, Damage
from cardhouse.games.hackjack.state import HackjackOptions, card_value
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import is_dice


class Outcome(NamedTuple):
    """An effect of a wound card.

    `out` means that it leaves a character helpless or unconscious, `checks` that failing its check does.
    """

    chance: float
    value: int
    blood: int
    out: bool
    checks: bool


@lru_cache(8)
def hits_it_takes(options: bytes, damage: Damage, most_hp: int) -> tuple[NDArray[np.int64], int]:
    """Return the approximate hits to take a character out, in parts of a hit, and the first place of the downed.

    Before that place there is a number for each count of HP from 0; from there on, for each death-score plus the Blood
    that the next hit adds. `options` are Hackjack's, as JSON. Every card is as likely as in a full deck; for cards that
    draw others only their own value, Blood and Trauma count.
    """
    rules = msgspec.json.decode(options, type=HackjackOptions)
    cards, limit = list(outcomes(rules)), rules.limit
    chances = np.array([card.chance for card in cards])
    values, bloods = np.array([card.value for card in cards]), np.array([card.blood for card in cards])
    out = np.array([card.out for card in cards])
    checks = np.array([card.checks for card in cards])
    down = np.ones(limit + MOST_BLOOD + 1)
    sure = len(down) - 1
    hard = [each for each in damages(damage) if thresholds.is_massive(each[0], rules.massive_damage)]
    soft = 1 - sum(chance for _, chance in hard)

    def after(score: NDArray[np.int64]) -> float:
        """Return the mean number of further hits after a card that leaves each of these death-scores."""
        left = np.where(score == limit, 0, score)
        stays = np.where((score > limit) | out, 0.0, 1 - checks * np.minimum(left, D20) / D20)
        return float((chances * stays * down[np.minimum(left + bloods, sure)]).sum())

    was = 0.0
    while abs(down[0] - was) > 1 / FINE / 10:
        was = down[0]
        for total in range(limit - 1, -1, -1):
            massive = sum(chance * after(np.full(len(cards), total + amount)) for amount, chance in hard)
            down[total] = 1 + soft * after(total + values) + massive
    up = np.zeros(most_hp + 1)
    for hp in range(most_hp + 1):
        up[hp] = 1
        for amount, chance in damages(damage):
            left = hp - amount
            if not thresholds.goes_down(left, rules.draw_at_zero):
                up[hp] += chance * up[left]
            elif not thresholds.is_outright(-left, limit):
                hurt = thresholds.is_massive(-left, rules.massive_damage)
                up[hp] += chance * after(np.full(len(cards), -left) if hurt else values)
    return np.round(FINE * np.concatenate([up, down])).astype(np.int64), len(up)


def outcomes(options: HackjackOptions) -> Iterator[Outcome]:
    """Yield the effects of each card."""
    wounds = wounds_from(msgspec.to_builtins(options.wounds))
    cards = [*STANDARD, *(JOKERS if options.jokers else ())]
    for card in cards:
        wound = wounds.get(card)
        if wound is None:
            yield Outcome(1 / len(cards), 0, 0, False, False)
            continue
        out = bool({"unconscious", "helpless"} & {*wound.conditions})
        checks = wound.check is not None and wound.check.failed in ("unconscious", "helpless")
        bloods = rolls(str(wound.blood)) if is_dice(wound.blood) else [int(wound.blood)]
        for blood in bloods:
            yield Outcome(1 / len(cards) / len(bloods), card_value(card), blood, out, checks)


def rolls(dice: str) -> Sequence[int]:
    """Return the totals of a roll, one for each way it can fall."""
    count, sides = Roll(dice).count_and_sides()
    return [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]


def damages(damage: Damage) -> list[tuple[int, float]]:
    """Return each possible damage of a hit, with its chance."""
    ways = {0: 1.0}
    for _ in range(damage.dice):
        more: dict[int, float] = {}
        for total, chance in ways.items():
            for face in range(1, damage.sides + 1):
                more[total + face] = more.get(total + face, 0.0) + chance / damage.sides
        ways = more
    found: dict[int, float] = {}
    for total, chance in ways.items():
        amount = max(1, total + damage.plus)
        found[amount] = found.get(amount, 0.0) + chance
    return sorted(found.items())
