"""Means of what was measured, and how far they can be trusted; samples taken on every core."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from math import sqrt
from typing import TypeVar

import msgspec

NINETY_FIVE = 1.959964
"""So many standard errors to each side hold the true mean 95 times in 100."""

AHEAD = 4
"""So many tasks wait for each process."""

AHEAD = 4
"""So many tasks a process are given out before the first of them is done."""

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
        return cls(mean, NINETY_FIVE * sqrt(variance / len(samples)))


def on_all_cores(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int | None = None
) -> Generator[Result, None, None]:
    """What comes of each task, in the tasks' order, worked on by so many processes, as many as there are cores if None.

    Whoever closes it has what came before; only a few tasks are ever under way.
    """
    workers = workers or os.cpu_count() or 1
    if workers == 1:
        yield from map(work, tasks)
        return
    left = iter(tasks)
    pool = ProcessPoolExecutor(workers)
    try:
        under_way = deque(pool.submit(work, task) for task in islice(left, workers * AHEAD))
        while under_way:
            result = under_way.popleft().result()
            under_way.extend(pool.submit(work, task) for task in islice(left, 1))
            yield result
    finally:
        pool.shutdown(cancel_futures=True)
