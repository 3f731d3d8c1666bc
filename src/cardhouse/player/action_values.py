"""The importance of a choice: the best answer compared with the second best and a random one, on fresh worlds."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from cardhouse.engine import Table
from cardhouse.engine.chance.sample_answers import Answer
from cardhouse.player.determinization import Worlds
from cardhouse.player.monte_carlo import Weighing
from cardhouse.player.rollouts import starts, value_of
from cardhouse.player.selfplay import open_answers


class Comparison(NamedTuple):
    """The number of worlds, and in how many the best answer came to more, and to less, than another."""

    worlds: int
    more: int
    less: int


class ChoiceEffect(NamedTuple):
    """The best answer compared with the second best, and with a random open one."""

    second: Comparison
    any: Comparison


def measure_choice(
    table: Table, seat: str, rng: Random, playouts: int, worlds: int, by: str = ""
) -> ChoiceEffect | None:
    """Estimate the best answer's lead over the second best and a random one; None if unknown. `by` names the bot.

    The two best are found with this many `playouts`. They are then compared on this many fresh `worlds` with common
    random numbers, to avoid selection bias.
    """
    open_to = open_answers(table, seat, rng)
    best, second, *_ = Weighing(table, seat, open_to, rng, by).ranked(lambda played: played >= playouts)
    seconds, others = [], []
    sampler = Worlds(table, seat)
    for _ in range(worlds):
        values = _in_another_world(sampler, seat, [best, second, rng.choice(open_to)], rng, by)
        if values is None:
            return None
        seconds.append(values[0] - values[1])
        others.append(values[0] - values[2])
    return ChoiceEffect(_compare(seconds), _compare(others))


def _in_another_world(sampler: Worlds, seat: str, answers: list[Answer], rng: Random, by: str) -> list[float] | None:
    world = sampler.sample(rng)
    if world is None:
        return None
    start, seed = starts(world), rng.getrandbits(64)
    found = [value_of(start, world, seat, answer, Random(seed), lambda: False, by) for answer in answers]
    values = [value for value in found if value is not None]
    return values if len(values) == len(answers) else None


def _compare(more: list[float]) -> Comparison:
    return Comparison(len(more), sum(one > 0 for one in more), sum(one < 0 for one in more))
