"""`benchmarks.attacks` measures correctly; `make soak` judges its measurements."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.attacks.__main__ import line_of
from benchmarks.attacks.innocent import MAKERS, NEWCOMERS, TABLES_EACH, Window, quantile
from benchmarks.attacks.measuring import Measured, measure, memory_mb, tree_of
from benchmarks.attacks.target import ATTACKS
from tests.server.talking import running

SECONDS = 0.5


def window(milliseconds: float, **more: object) -> Window:
    """What innocents saw to whom every answer took so long."""
    seen = {"unanswered": 0, "lost": 0, "refused": [], "seated": NEWCOMERS, "made": MAKERS * TABLES_EACH, **more}
    return Window([milliseconds] * 100, [milliseconds] * 100, **seen)  # type: ignore[arg-type]


def measured(
    attacked: Window,
    *,
    quiet: float = 10.0,
    peak: float = 90.0,
    log: float = 0.0,
    errors: int = 0,
    served: int = 0,
    refused: int = 0,
    **more: bool | int,
) -> Measured:
    """An attack on a server that took 10 ms in quiet, and 80 MB."""
    tally = {"errors": errors, "served": served, "refused": refused}
    return Measured(window(quiet), attacked, 80.0, peak, log, tally, **{"shared": False, **more})  # type: ignore[arg-type]


@pytest.mark.soak
def test_innocents_are_timed_in_quiet_and_under_attack(tmp_path: Path) -> None:
    """With the usual limits, within which innocents and their newcomers stay."""
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        assert server.process.pid is not None
        found = measure(ATTACKS["renaming"], server, server.process.pid, SECONDS, quiet=SECONDS)
    for seen in (found.quiet, found.attacked):
        assert len(seen.told) == len(seen.acknowledged) > 0
        assert 0 < seen.told[0] <= seen.told[-1]
        assert all(early <= late for early, late in zip(seen.acknowledged, seen.told, strict=True))
        assert (seen.unanswered, seen.lost, seen.refused) == (0, 0, [])
        assert 0 < seen.seated <= NEWCOMERS
        assert 0 < seen.made <= MAKERS * TABLES_EACH
    assert found.tally["asked"] >= found.tally["served"] > 0
    assert 0 < found.before_mb <= found.peak_mb
    assert line_of("renaming", found).startswith("renaming ")


def test_the_memory_of_a_process_is_that_of_all_it_started(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        pid = server.process.pid
        assert pid is not None
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        assert pid in list(tree_of(parent))
        assert memory_mb(parent) > memory_mb(pid) > 0
    assert memory_mb(pid) == 0


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (measured(window(29.0)), []),
        (measured(window(31.0)), ["p99 over 3 times that in quiet"]),
        (measured(window(34.0), quiet=34.0), ["the machine was busy with something else"]),
        (measured(window(101.0)), ["p99 over 100 ms", "p99 over 3 times that in quiet"]),
        (measured(window(10.0, unanswered=2, lost=1)), ["2 unanswered", "1 thrown out"]),
        (measured(window(10.0, refused=["Wait."])), ["1 innocents refused (Wait.)"]),
        (measured(window(10.0), peak=181.0), ["101 MB more"]),
        (measured(window(10.0), log=1.5, errors=3), ["1.5 MB of log", "3 errors of ours"]),
        (measured(window(10.0, seated=18)), [f"2 of {NEWCOMERS} newcomers kept out"]),
        (measured(window(10.0, made=0)), ["24 of 24 tables not made"]),
        (measured(window(10.0, seated=18, made=0), shared=True), []),
        (measured(window(10.0), tracebacks=2), ["2 tracebacks in the log"]),
        (measured(window(10.0), served=9), []),
        (measured(window(10.0), refused=3, must_refuse=True), []),
        (measured(window(10.0), served=1, refused=3, must_refuse=True), ["1 served that had to be refused"]),
        (measured(window(10.0), must_refuse=True), ["nothing refused"]),
    ],
)
def test_what_misses_the_goal_is_told(found: Measured, says: list[str]) -> None:
    assert list(found.problems()) == says


def test_a_quantile_is_a_value_that_was_measured() -> None:
    values = [float(value) for value in range(1, 201)]
    assert quantile(values, 0.5) == 101
    assert quantile(values, 0.99) == 199
    assert quantile(values[:1], 0.99) == 1
    assert quantile([], 0.99) == 0


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="there is no such scheduling")
def test_attackers_take_only_what_others_leave_of_the_cores() -> None:
    told = "import os; from benchmarks.attacks.target import step_back; step_back(); print(os.sched_getscheduler(0))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert int(done.stdout) == os.SCHED_IDLE
