"""Everything that takes long to show: growth, losses after failures, malformed input, and delays.

    python -m benchmarks.soak [--hours 1] [--only long faults fuzz agreement tests lowest bounds pages attacks]

Each part has its share of the hours:

- `long`: people play as fast as the server lets them, new tables keep coming, and its memory is printed;
- `faults`: servers, stores and clocks fail while people play, and every history is checked (`faults`);
- `fuzz`: a whole server receives what no client sends (`fuzz`);
- `agreement`: the largest packs of Dogpile are compared with those of a constraint solver;
- `tests`: the second tier, which `make test` leaves out, and every test that usually tries less than it could;
- `lowest`: some of the tests with the lowest versions that `pyproject.toml` allows;
- `bounds`: the lab's tests with kernels that check every index against its array, which is slow;
- `pages`: each game is played in a browser by pressing whatever its pages offer, in its own view and the basic one;
- `attacks`: servers are attacked in every way that `attacks` knows, while innocent tables play.

Exit status 1 if something was lost, a page was wrong, an input caused an internal error, or an attack was noticed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

from benchmarks import agreement
from benchmarks.attacks.__main__ import run as attack
from benchmarks.attacks.measuring import QUIET_SECONDS
from benchmarks.attacks.target import ATTACKS
from benchmarks.faults.__main__ import run as run_faults
from benchmarks.faults.__main__ import table
from cardhouse.engine import BadGame, game_names
from cardhouse.testing.browser import press_whatever_is_offered
from tests.server.talking import FAST, Server, running
from tests.thorough import THOROUGH, many

TABLES = 20
ROUND_SECONDS = 20.0
SHARES = {
    "long": 0.1,
    "faults": 0.35,
    "fuzz": 0.15,
    "agreement": 0.05,
    "tests": 0.05,
    "lowest": 0.02,
    "bounds": 0.05,
    "pages": 0.1,
    "attacks": 0.13,
}
"""Each part's share of the time."""
KILLS = 1000
LEAST_SECONDS, MOST_SECONDS = 2.0, 10.0
"""The minimum and maximum duration of an attack."""
AROUND_SECONDS = QUIET_SECONDS + 6.0
"""The additional time that each attack takes."""
PYTEST = (sys.executable, "-m", "pytest", "--numprocesses", "auto", "--quiet")
PRESSED = 10
"""The answers per minute on the pages of each game."""


def memory_mb(server: Server) -> float:
    """Return the server's memory in megabytes."""
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the server has gone")


def play_long(database: str, folder: Path, seconds: float) -> None:
    """Create tables, play at them, and let them go."""
    end = time.monotonic() + seconds
    with running(database, *FAST, log=folder / "log") as server:
        print(f"at first                {memory_mb(server):7.0f} MB")
        while time.monotonic() < end:
            command = [sys.executable, "benchmarks/load.py", server.address, str(TABLES), str(ROUND_SECONDS)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(f"after {TABLES} tables more    {memory_mb(server):7.0f} MB   {done.stdout.strip()}", flush=True)


def fuzz(minutes: float) -> int:
    """Send frames for two thirds of the time, then requests; return how many runs failed."""
    wrong = 0
    for kind, share in (("frames", 2 / 3), ("requests", 1 / 3)):
        command = [sys.executable, "-m", "benchmarks.fuzz", kind, "--minutes", str(minutes * share)]
        seed = random.randrange(2**31)
        wrong += subprocess.run([*command, "--seed", str(seed)]).returncode != 0
    return wrong


def run_second_tier() -> int:
    """Run the tests that `make test` leaves out or cuts short, in full; return how many runs failed."""
    cut_short = [str(file) for file in Path("tests").rglob("test_*.py") if many.__module__ in file.read_text()]
    env = {**os.environ, THOROUGH: "1"}
    return sum(
        subprocess.run([*PYTEST, "-m", tier, *files], env=env).returncode != 0
        for tier, files in (("soak", ["tests"]), ("not soak", cut_short))
    )


def check_bounds() -> int:
    """Run the lab's tests with kernels that fail on an index out of bounds; return how many runs failed."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": cache}
        return subprocess.run([*PYTEST, "tests/lab"], env=env).returncode != 0


def press_on_pages(answers: int) -> int:
    """Play each game by pressing what its pages offer; return how many went wrong."""
    wrong = 0
    for game, plain in product(game_names(), (False, True)):
        seed = random.randrange(2**32)
        view = f"{game}, {'plain' if plain else 'own'} view, seed {seed}"
        try:
            print(f"{view}: {press_whatever_is_offered(game, seed=seed, answers=answers, plain=plain)}", flush=True)
        except BadGame as error:
            wrong += 1
            print(f"{view}: {error.message} {' '.join(error.__notes__)}", flush=True)
    return wrong


def do(part: str, minutes: float) -> int:
    """Run a part for about this long; return how much was wrong."""
    if part == "long":
        with tempfile.TemporaryDirectory() as folder:
            play_long(f"sqlite:///{folder}/cards.db", Path(folder), minutes * 60)
        return 0
    if part == "faults":
        totals = run_faults(minutes, KILLS, [], None, None)
        print(*table(totals), sep="\n")
        return sum(bool(came.wrong) for came in totals.values())
    if part == "fuzz":
        return fuzz(minutes)
    if part == "agreement":
        agreement.main(minutes)
        return 0
    if part == "tests":
        return run_second_tier()
    if part == "lowest":
        return subprocess.run([sys.executable, "-m", "scripts.lowest"]).returncode != 0
    if part == "bounds":
        return check_bounds()
    if part == "pages":
        return press_on_pages(round(PRESSED * minutes))
    made = sum(1 + one.shared for one in ATTACKS.values())
    return attack([], min(MOST_SECONDS, max(LEAST_SECONDS, minutes * 60 / made - AROUND_SECONDS)))


def main() -> int:
    """Run all parts asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="All that takes long to show.")
    parser.add_argument("--hours", type=float, default=1.0, help="how long it takes, about")
    parser.add_argument("--only", nargs="*", choices=SHARES, default=list(SHARES), help="these parts, in these hours")
    chosen = parser.parse_args()
    whole = sum(SHARES[part] for part in chosen.only)
    wrong = 0
    for part in chosen.only:
        minutes = chosen.hours * 60 * SHARES[part] / whole
        print(f"-- {part}, {minutes:.0f} minutes", flush=True)
        wrong += do(part, minutes)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
