"""A server of several processes compared with one of a single process, at full load.

    python -m benchmarks.processes [SECONDS [TABLES]]

Four people at each table answer as soon as all four have received the previous answer, as in server.py. All processes,
and the load, share the available cores. It measures, on SQLite and on PostgreSQL: acknowledged answers a second;
milliseconds from an answer to its acknowledgement; how many cores the server used, and the load; milliseconds of CPU
time for each answer, and how unevenly the processes share it (the busiest one's share, 1 being even). One process and
two take turns for some rounds, and the figures are medians: no machine is ever quite idle.

If the load occupies a core that the server could use, the answers a second of several processes are too low. The
last column therefore estimates what they would do with a core each: their number divided by the CPU time of an answer,
compared with one process. Waiting for each other's commits affects the milliseconds, but not that.
"""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from typing import NamedTuple

from benchmarks.people import processor_seconds
from benchmarks.server import CARDHOUSE, HERE, databases

WORKERS = (1, 2)
ROUNDS = 3


def family(process: int) -> list[int]:
    """Return a process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has just ended
            continue
        parents.setdefault(parent, []).append(int(status.parent.name))
    found = [process]
    for one in found:
        found += parents.get(one, [])
    return found


class Measured(NamedTuple):
    """The measurements of one round, or the medians of several, as described above."""

    answers: float
    p50_ms: float
    p99_ms: float
    house: float
    load: float
    ms: float
    busiest: float


def measure(workers: int, database: str, tables: int, seconds: float) -> Measured:
    """Measure one round."""
    command = [sys.executable, *CARDHOUSE, database, "--workers", str(workers)]
    with Popen(command, stdout=PIPE, text=True) as house, ExitStack() as at_last:
        at_last.callback(house.terminate)
        assert house.stdout is not None
        address = house.stdout.readline().strip()
        load = [sys.executable, str(HERE / "load.py"), address, str(tables), str(seconds)]
        with Popen(load, stdout=PIPE, stderr=subprocess.PIPE, text=True) as people:
            assert people.stdout is not None
            assert people.stderr is not None
            if not people.stdout.readline():
                raise SystemExit(f"The load failed: {people.stderr.read().strip()}")
            processes = [*family(house.pid), people.pid]
            before = [processor_seconds(one) for one in processes]
            found = json.loads(people.stdout.readline())
            *taken, loading = [processor_seconds(one) - was for one, was in zip(processes, before, strict=True)]
    serving, answers = sorted(taken)[-workers:], found["answers_a_second"]
    return Measured(
        answers,
        found["p50_ms"],
        found["p99_ms"],
        sum(taken) / seconds,
        loading / seconds,
        sum(taken) / seconds / answers * 1000,
        max(serving) * workers / sum(serving),
    )


def main(seconds: float = 5.0, tables: float = 50) -> None:
    """Print a line for each number of processes."""
    print(f"{tables:.0f} tables   processes  answers/s   p50 ms   p99 ms   house    load  ms/answer  busiest   of one")
    with databases() as found:
        for name, *urls in found:
            rounds: list[list[Measured]] = [[] for _ in WORKERS]
            for _ in range(ROUNDS):
                for workers, url, done in zip(WORKERS, urls, rounds, strict=True):
                    done.append(measure(workers, url, int(tables), seconds))
            middle = [Measured(*map(median, zip(*done, strict=True))) for done in rounds]
            for workers, one in zip(WORKERS, middle, strict=True):
                print(
                    f"{name:<12}{workers:10}{one.answers:11,.0f}{one.p50_ms:9.1f}{one.p99_ms:9.1f}{one.house:8.2f}"
                    f"{one.load:8.2f}{one.ms:11.2f}{one.busiest:9.2f}{workers * middle[0].ms / one.ms:9.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
