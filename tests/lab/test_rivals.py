"""The C programs of the benchmark play the same as the kernels; otherwise their ratio means nothing."""

import importlib

import pytest

from benchmarks.kernels.bench import FAR, GAMES, apart
from benchmarks.kernels.case import COMPILER, Case

pytestmark = pytest.mark.soak

TRIALS = 100_000
FEW = 200
ALL = [case for game in GAMES for case in importlib.import_module(f"benchmarks.kernels.{game}").cases()]
CASES = [case for case in ALL if case.c]


def test_each_game_has_one():
    assert COMPILER, "they are compiled by gcc or cc"
    assert {case.question.game for case in CASES} == set(GAMES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_kernel_and_its_rival_in_c_tell_the_same(case: Case):
    sums = case.by_c(TRIALS)
    assert len(sums) == len(case.question.measures())
    assert apart(case, sums, TRIALS) < FAR


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_so_do_its_rivals_in_python(case: Case):
    for rival, trials in ((case.plain, FEW), (case.numpy, 100 * FEW)):
        if rival is not None:
            assert apart(case, rival(trials), trials) < FAR
