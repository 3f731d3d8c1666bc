"""Means of what was measured, and how far they can be trusted; samples taken on every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from math import sqrt
from typing import TypeVar

import msgspec

NINETY_FIVE = 1.959964
"""So many standard errors to each side hold the true mean 95 times in 100."""

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


def on_all_cores(work: Callable[[Task], Result], tasks: Iterable[Task], workers: int | None = None) -> Iterator[Result]:
    """What comes of each task, in the tasks' order, worked on by so many processes, as many as there are cores if None.

    Whoever stops it has what came before.
    """
    workers = workers or os.cpu_count() or 1
    if workers == 1:
        yield from map(work, tasks)
        return
    with ProcessPoolExecutor(workers) as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        finally:
            with suppress(RuntimeError):
                pool.shutdown(wait=False, cancel_futures=True)
