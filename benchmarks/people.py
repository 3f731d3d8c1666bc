"""A server full of people who play at a human pace: how long each of them waits, and what they cost.

    python -m benchmarks.people [TABLES [SECONDS]]

Four people sit at each table; one of them answers once all have received the previous answer and a while has passed,
four seconds on average. It measures, on SQLite: acknowledged answers a second, each on disk before it is acknowledged;
milliseconds from an answer to its acknowledgement, and until all four have received it; and for the server's process,
the share of a core that it uses, its CPU time for each answer, and its memory for each socket, including the tables.
The server has one core to itself and the load another, if there are two.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import PIPE, Popen

from benchmarks.server import CARDHOUSE, HERE, on_core

PACE_SECONDS = 4.0
PEOPLE = 4
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """Return a process's CPU time, in user and kernel mode (proc(5))."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_bytes(process: int) -> int:
    """Return a process's resident memory."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()


def measure(tables: int, seconds: float, database: str) -> None:
    """Measure, and print a line."""
    command = [sys.executable, *CARDHOUSE, database]
    with Popen(command, stdout=PIPE, text=True, preexec_fn=on_core(0)) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            load = [sys.executable, str(HERE / "load.py"), address, str(tables), str(seconds), str(PACE_SECONDS)]
            with Popen(load, stdout=PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=on_core(1)) as people:
                assert people.stdout is not None
                assert people.stderr is not None
                if not people.stdout.readline():
                    raise SystemExit(f"The load failed: {people.stderr.read().strip()}")
                before = processor_seconds(server.pid)
                found = json.loads(people.stdout.readline())
                taken, memory = processor_seconds(server.pid) - before, resident_bytes(server.pid)
        finally:
            server.terminate()
    answers = found["answers_a_second"]
    print(
        f"{tables:6,}{tables * PEOPLE:9,}{answers:12,.0f}{found['p50_ms']:10.1f}{found['p99_ms']:10.1f}"
        f"{found['told_p99_ms']:12.1f}{taken / seconds:8.2f}{taken / seconds / answers * 1000:12.2f}"
        f"{memory / tables / PEOPLE / 1024:12.0f}",
        flush=True,
    )


def main(tables: int = 0, seconds: float = 20.0) -> None:
    """Measure with this many tables, or with some and with many."""
    print("tables   people   answers/s    p50 ms    p99 ms  told p99 ms   core   ms/answer  KiB/socket")
    with tempfile.TemporaryDirectory(prefix="cardhouse-bench-") as folder:
        for count in (tables,) if tables else (1_000, 2_500):
            measure(count, seconds, f"sqlite:///{folder}/{count}.db")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3]))
