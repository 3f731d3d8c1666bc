"""A question for tests whose machine code takes as long to make as a test likes."""

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

import numba
import numpy as np

from cardhouse.engine import CardhouseError
from cardhouse.lab.kernels.compiled import INTERPRETED
from cardhouse.lab.questions.question import Finding, Measure, Question, share

TO_COMPILE = "CARDHOUSE_TEST_TO_COMPILE"
"""The environment may name a file, as long as which is there there is more to compile, in any process."""


class Third(Question, frozen=True, kw_only=True):
    """Every third trial, or which it is of so many; as Python it never comes to a trial that is too `slow` for that."""

    game: ClassVar[str] = "initiative"
    name: ClassVar[str] = "third"
    title: ClassVar[str] = "Is it a third?"
    of: int = 3
    broken: bool = False
    unplayable: bool = False
    slow: int = 1 << 62

    def measures(self) -> Sequence[Measure]:
        return [Measure("third", self.of, "which of so many"), Measure("trial", 50, "its number, of 60")]

    def findings(self) -> Sequence[Finding]:
        return [share("third", "a third", "third", 0, 0)]

    def run(self, seed: int, first: int, out: Any, log: Any) -> None:
        if self.unplayable:
            raise CardhouseError("Nobody can play this.")
        if INTERPRETED:
            print("What a question prints goes nowhere.")
            assert not self.broken
            if first + len(out) > self.slow:
                Event().wait()
        else:
            while (file := os.environ.get(TO_COMPILE)) and Path(file).exists():
                _new_function()(1)
        out[:, 0] = np.arange(first, first + len(out)) % self.of
        out[:, 1] = np.arange(first, first + len(out)) % 60


def _new_function() -> Any:
    @numba.njit  # not as ours, of which the second would be found where the first was kept
    def successor(number: int) -> int:
        return number + 1

    return successor
