"""A kernel, and the same trials written in other ways."""

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from cardhouse.lab.questions.question import Question
from cardhouse.lab.statistics.histogram import in_batches

HERE = Path(__file__).parent
COMPILER = shutil.which("gcc") or shutil.which("cc")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=c11", "-Wall")
TOLD_BY = 1_000_000
"""The number of a kernel's trials behind its means."""

Sums = Callable[[int], Sequence[float]]
"""Plays this many trials; returns the sums of the measures it knows, in the order of the question's measures."""


@dataclass
class Case:
    """A question with its settings, and its rivals.

    `c` is a file next to this one with `void trials(int64_t n, uint64_t seed, int64_t *sums)`, compiled with `defines`;
    `plain` is a loop as a user would write it, `numpy` the same with arrays, `rules` the coroutine rules: by default
    they replay the kernel's trials. None means not written.
    """

    name: str
    question: Question
    c: str | None = None
    defines: Mapping[str, int] = field(default_factory=dict)
    plain: Sums | None = None
    numpy: Sums | None = None
    rules: Sums | None = None

    def kernel(self, trials: int, first: int = 0) -> None:
        """Play this many trials with the kernel, as a study does, without counting."""
        for _ in in_batches(1, first, trials, self.question):
            pass

    @cached_property
    def told(self) -> list[tuple[float, float]]:
        """The kernel's mean and standard deviation of each measure."""
        rows = self.question.rows(1, 0, TOLD_BY).astype(float)
        return list(zip(rows.mean(axis=0), rows.std(axis=0), strict=True))

    def by_c(self, trials: int) -> Sequence[float]:
        """Play this many trials with the C program."""
        assert self.c is not None
        sums = np.zeros(len(self.question.measures()), np.int64)
        made(self.c, tuple(sorted(self.defines.items())))(
            trials, 1, sums.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
        )
        return [float(total) for total in sums]

    def by_rules(self, trials: int) -> Sequence[float]:
        """Play this many trials with the rules."""
        if self.rules is not None:
            return self.rules(trials)
        rows = [self.question.row_of(self.question.played(1, trial)) for trial in range(trials)]
        return [float(sum(column)) for column in zip(*rows, strict=True)]


@cache
def made(file: str, defines: tuple[tuple[str, int], ...]) -> Callable[..., None]:
    """Return the compiled C program."""
    library = Path(mkdtemp()) / "trials.so"
    given = [f"-D{name}={value}" for name, value in defines]
    assert COMPILER is not None
    subprocess.run([COMPILER, *FLAGS, *given, "-o", str(library), str(HERE / file)], check=True)
    program = ctypes.CDLL(str(library)).trials
    program.argtypes = (ctypes.c_int64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64))
    program.restype = None
    return program
