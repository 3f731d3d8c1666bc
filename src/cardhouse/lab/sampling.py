"""Means of what was measured one by one, and how far they can be trusted; samples taken on every core."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from math import sqrt
from typing import TypeVar

import msgspec

from cardhouse.lab.estimate import errors_of
from cardhouse.lab.workers import cores, in_order, workers_for

CONFIDENCE = 0.95
"""So often an interval holds the true mean."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Mean(msgspec.Struct, frozen=True):
    """A mean, and half the width of its 95 % interval; `error` is None of a single sample."""

    mean: float
    error: float | None

    @classmethod
    def of(cls, samples: Sequence[float]) -> Mean:
        """The mean of independent samples.

        Raises ValueError if there is none.
        """
        if not samples:
            raise ValueError("a mean needs a sample")
        mean = sum(samples) / len(samples)
        if len(samples) == 1:
            return cls(mean, None)
        variance = sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1)
        return cls(mean, errors_of(CONFIDENCE) * sqrt(variance / len(samples)))


def on_all_cores(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int | None = None
) -> Generator[Result, None, None]:
    """What comes of each task, in the tasks' order, worked on by so many processes, as many as there are cores if None.

    Whoever closes it has what came before; only a few tasks are ever under way.
    """
    workers = workers or cores()
    if workers == 1:
        yield from map(work, tasks)
        return
    with workers_for(compiled=False, cores=workers, cluster=None) as (executor, number):
        yield from in_order(executor, number, work, tasks)
