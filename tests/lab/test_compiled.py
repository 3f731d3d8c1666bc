"""One process makes machine code, even if several want it; its indices are never below 0."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError

from cardhouse.lab.kernels.compiled import compiled

KERNEL = """
import numpy as np
from cardhouse.lab.kernels.compiled import compiled, part

@part
def doubled(number):
    return 2 * number

@compiled
def lowest(many):
    return np.sort(-np.arange(many))[0] - doubled(many)
"""
ASKS = """
import kernel
print(flush=True)
input()
found, stats = kernel.lowest(5), kernel.lowest.stats
print(found, sum(stats.cache_misses.values()), sum(stats.cache_hits.values()))
"""


@pytest.mark.soak
def test_two_processes_that_want_the_same_kernel_make_it_once(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL)
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", ASKS]
    with (
        subprocess.Popen(command, env=new, stdin=pipe, stdout=pipe, text=True) as one,
        subprocess.Popen(command, env=new, stdin=pipe, stdout=pipe, text=True) as other,
    ):
        for process in (one, other):
            assert process.stdout
            process.stdout.readline()
        for process in (one, other):
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
        told = [process.communicate()[0].split() for process in (one, other)]
    assert sorted(told) == [["-14", "0", "1"], ["-14", "1", "0"]], (
        "what comes out, and how often it was made and loaded"
    )


BEFORE_THE_FIRST = """
import numpy as np
from cardhouse.lab.kernels.compiled import compiled

@compiled
def before(many, place):
    return many[place - 1]

print(before(np.arange(3), 3))
print(before(np.arange(3), 0))
"""


def test_the_last_place_of_an_array_isnt_written_as_one_below_0() -> None:
    @compiled
    def last(many):
        return many[-1]

    with pytest.raises(TypingError, match="count the places of an array from its front"):
        last(np.arange(3))


def test_an_index_below_0_is_out_of_bounds(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(BEFORE_THE_FIRST)
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, tmp_path / "kernel.py"], env=new, capture_output=True, text=True)
    assert done.stdout == "2\n"
    assert done.stderr.endswith("IndexError: index is out of bounds\n")
