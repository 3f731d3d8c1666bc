"""Trials a second of each kernel of the lab, compared with the same trials written in other ways.

    python -m benchmarks.kernels.bench [SECONDS] [GAME ...]

Each kernel is measured in one run, on one core and on all, against (a) the coroutine rules, (b) a plain loop as a user
would write it, (c) the same trial written by hand in C, compiled with -O3 and a small fast generator, and a version
with NumPy arrays. Kernel and rival take turns, and the ratio is the median of the turns' ratios. The time to load or
compile the machine code is reported separately. The last figure is the largest distance between both sides' means, in
standard errors. With this many figures, about 3 is expected by chance.
"""

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import sqrt
from statistics import median

from benchmarks.kernels.case import COMPILER, TOLD_BY, Case
from cardhouse.lab.running.workers import cores

GAMES = ("hackjack", "initiative", "dogpile", "dogs", "gunfight")
PIECES = 8
"""The number of pieces of work for each core."""
TURNS = 5
FAR = 6.0
"""In standard errors: equal programs never differ by this much."""


def seconds(work: Callable[[int], object], trials: int) -> float:
    """Return how long this many trials take."""
    begun = time.perf_counter()
    work(trials)
    return time.perf_counter() - begun


def as_many(work: Callable[[int], object], budget: float) -> int:
    """Return how many trials take about this many seconds."""
    trials = 1
    while (taken := seconds(work, trials)) < budget / 4:
        trials *= 4
    return max(1, round(trials * budget / taken))


def on_all_cores(case: Case, trials: int) -> None:
    """Play this many trials in pieces, on threads, as a study does."""
    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(lambda piece: case.kernel(*piece), pieces(trials)))


def on_one_core(case: Case, trials: int) -> None:
    """Play this many trials in the same pieces."""
    for piece in pieces(trials):
        case.kernel(*piece)


def pieces(trials: int) -> list[tuple[int, int]]:
    """Divide this many trials into pieces, each with its length and first trial."""
    size = -(-trials // (PIECES * cores()))
    return [(min(size, trials - first), first) for first in range(0, trials, size)]


def measure(case: Case, budget: float) -> None:
    """Measure, and print the results."""
    one_core, all_cores = partial(on_one_core, case), partial(on_all_cores, case)
    ready = seconds(case.kernel, 1)
    trials = as_many(one_core, budget)
    turns = [(seconds(one_core, trials), seconds(all_cores, trials)) for _ in range(TURNS)]
    rate = trials / median(one for one, _ in turns)
    print(f"{case.name}: {rate:,.0f} trials a second on one core; ready after {ready:.2f} s")
    print(f"  {cores()} cores    {median(one / both for one, both in turns):10.2f} times one core")
    rivals: list[tuple[str, Callable[[int], Sequence[float]] | None]] = [
        ("C", case.by_c if case.c and COMPILER else None),
        ("NumPy", case.numpy),
        ("plain loop", case.plain),
        ("rules", case.by_rules),
    ]
    for name, rival in rivals:
        if rival is not None:
            compare(case, name, rival, trials, budget)
        else:
            print(f"  {name:<10} {'no compiler here' if name == 'C' and case.c else 'not written'}")


def compare(case: Case, name: str, rival: Callable[[int], Sequence[float]], trials: int, budget: float) -> None:
    """Measure a rival, turn by turn with the kernel."""
    rival(1)
    theirs = as_many(rival, budget)
    ratios, sums = [], [0.0]
    for _ in range(TURNS):
        ours = seconds(partial(on_one_core, case), trials) / trials
        begun = time.perf_counter()
        sums = list(rival(theirs))
        ratios.append((time.perf_counter() - begun) / theirs / ours)
    far = apart(case, sums, theirs)
    print(f"  {name:<10} {median(ratios):10.2f} times as fast as it;  {far:.1f} apart")
    if far > FAR:
        raise SystemExit(f"{name} doesn't play what the kernel of {case.name} plays: this ratio says nothing.")


def apart(case: Case, sums: Sequence[float], trials: int) -> float:
    """Return the largest distance of a rival's means from the kernel's, in standard errors."""
    found = [0.0]
    for total, (mean, spread) in zip(sums, case.told[: len(sums)], strict=True):  # a rival may know only the first few
        error = spread * sqrt(1 / trials + 1 / TOLD_BY)
        found.append(abs(total / trials - mean) / error if error else float(total / trials != mean) * 99)
    return max(found)


def main(budget: float = 0.5, *games: str) -> None:
    """Measure the kernels of these games, or all."""
    print("kernels of the lab; medians of ratios, kernel and rival taking turns")
    for game in games or GAMES:
        for case in importlib.import_module(f"benchmarks.kernels.{game}").cases():
            measure(case, budget)


if __name__ == "__main__":
    main(float(next(iter(sys.argv[1:]), 0.5)), *sys.argv[2:])
