"""What the kernels are measured beside in C plays the same, and measures all of it: else the ratio says nothing."""

import importlib

import pytest

from benchmarks.kernels.bench import FAR, GAMES, apart
from benchmarks.kernels.case import COMPILER, Case

TRIALS = 100_000
CASES = [case for game in GAMES for case in importlib.import_module(f"benchmarks.kernels.{game}").cases() if case.c]


def test_each_game_has_one():
    assert COMPILER, "they are compiled by gcc or cc"
    assert {case.question.game for case in CASES} == set(GAMES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_kernel_and_its_rival_in_c_tell_the_same(case: Case):
    sums = case.by_c(TRIALS)
    assert len(sums) == len(case.question.measures())
    assert apart(case, sums, TRIALS) < FAR
