"""What a choice matters: the best answer beside the second best and beside any, in worlds it was not chosen by."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from cardhouse.engine import Table
from cardhouse.engine.chance.sample_answers import Answer
from cardhouse.player.determinization import Worlds
from cardhouse.player.monte_carlo import Weighing
from cardhouse.player.rollouts import starts, value_of
from cardhouse.player.selfplay import open_answers


class Compared(NamedTuple):
    """In how many of so many worlds the best answer came to more than another, and in how many to less."""

    worlds: int
    more: int
    less: int


class Mattering(NamedTuple):
    """The best answer beside the second best, and beside one picked by chance of all that are open."""

    second: Compared
    any: Compared


def what_it_matters(table: Table, seat: str, rng: Random, playouts: int, worlds: int, by: str = "") -> Mattering | None:
    """How much a seat's choice matters here, if this bot plays on, or the usual one; None if nobody can say.

    Which answers are the best two is found by so many games played on; then they are compared in so many other worlds,
    all with the same chance, so that an answer which only had luck when it was chosen has none any more.
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
    return Mattering(_compared(seconds), _compared(others))


def _in_another_world(sampler: Worlds, seat: str, answers: list[Answer], rng: Random, by: str) -> list[float] | None:
    world = sampler.another(rng)
    if world is None:
        return None
    start, seed = starts(world), rng.getrandbits(64)
    found = [value_of(start, world, seat, answer, Random(seed), lambda: False, by) for answer in answers]
    values = [value for value in found if value is not None]
    return values if len(values) == len(answers) else None


def _compared(more: list[float]) -> Compared:
    return Compared(len(more), sum(one > 0 for one in more), sum(one < 0 for one in more))
