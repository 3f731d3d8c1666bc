"""Attack a server with its usual limits, and report what innocent tables notice of each attack.

    python -m benchmarks.attacks [NAME ...] [--seconds 10] [--quiet 6] [--control] [--folder FOLDER] [--list]

Each attack has its own server and database. `innocent` plays in quiet first, and then under attack. The output has:

- how many answers innocents gave, and milliseconds until all four at a table had received one (p50, p99), in quiet and
  under attack; the ratio of both (p99); and milliseconds until an answer was acknowledged;
- megabytes of the server's processes before the attack, and at the peak;
- how many newcomers could join, and how many tables were made, by others than the attackers;
- what the attackers asked, and how much of it was served and refused; `5xx`: internal errors; `closed`: connections
  that the server closed, or on which it sent nothing until the end of the attack;
- megabytes of the server's log.

The attackers have an address of their own, except where it says `shared`: there all innocents have the same one. They
and their processes use only the CPU time that all others leave. With `--control` each attack is repeated on another
server that does the same: what innocents then notice is due to the machine, and not the server.

Tables are kept in memory where the system has a file system there: a disk with other users may stall for half a second
now and then, and an answer is only sent once it is safe. `--folder` is another place for them.

Exit status 1 if an attack misses the goal: p99 within 3 times that in quiet and under 100 ms, at most 100 MB more
memory, no innocent disconnected, refused or kept out, no internal error, at most a megabyte of log, and nothing served
that must be refused.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.attacks import connections, crowd, floods, frames, inputs, malformed, undo, work
from benchmarks.attacks.innocent import MAKERS, NEWCOMERS, TABLES_EACH, quantile
from benchmarks.attacks.measuring import QUIET_SECONDS, Decoy, Measured, RealServer, measure
from benchmarks.attacks.target import ATTACKS, Attack

FAMILIES = (frames, malformed, undo, work, connections, floods, crowd, inputs)
"""Importing these modules adds their attacks to `ATTACKS`."""
MEMORY = "/dev/shm"
SHARED, CONTROL = "shared", "control"
HEAD = (
    f"{'attack':<31}{'answers':>8}{'quiet p50':>10}{'p99':>7}{'attack p50':>12}{'p99':>8}{'times':>7}"
    f"{'ack p99':>9}{'MB':>6}{'peak':>6}{'seated':>8}{'made':>7}{'asked':>12}{'served':>9}{'refused':>8}{'5xx':>6}"
    f"{'closed':>7}{'log MB':>8}"
)


def line_of(name: str, found: Measured) -> str:
    """Return the measurements, as a line under `HEAD`."""
    quiet, attacked, tally = found.quiet.told, found.attacked.told, found.tally
    return (
        f"{name:<31}{len(attacked):>8}{quantile(quiet, 0.5):>10.1f}{quantile(quiet, 0.99):>7.1f}"
        f"{quantile(attacked, 0.5):>12.1f}{quantile(attacked, 0.99):>8.1f}{found.times:>7.1f}"
        f"{quantile(found.attacked.acknowledged, 0.99):>9.1f}{found.before_mb:>6.0f}{found.peak_mb:>6.0f}"
        f"{found.attacked.seated:>5}/{NEWCOMERS}{found.attacked.made:>4}/{MAKERS * TABLES_EACH}"
        f"{tally.get('asked', 0):>12,}{tally.get('served', 0):>9,}{tally.get('refused', 0):>8,}"
        f"{tally.get('errors', 0):>6,}{tally.get('closed', 0):>7,}{found.log_mb:>8.1f}"
    )


def attack_once(attack: Attack, seconds: float, quiet: float, kind: str = "", folder: str = MEMORY) -> bool:
    """Make one attack on its own server, and print the result; return whether the goal was met.

    `kind` is "shared", "control" or empty. The tables are kept in the folder, if it exists.
    """
    name = f"{attack.name}{f' ({kind})' if kind else ''}"
    there = folder if Path(folder).is_dir() else None
    with tempfile.TemporaryDirectory(prefix="cardhouse-attack-", dir=there) as own, ExitStack() as stack:
        server = stack.enter_context(_started(RealServer, own, "cards"))
        decoy = stack.enter_context(_started(Decoy, own, "decoy")) if kind == CONTROL else None
        try:
            found = measure(attack, server, server.pid, seconds, quiet=quiet, shared=kind == SHARED, decoy=decoy)
        except RuntimeError as error:
            print(f"{name:<31}not measured: {error}", flush=True)
            return False
    problems = list(found.problems())
    print(line_of(name, found), "", "missed: " + "; ".join(problems) if problems else "met", flush=True)
    return not problems


@contextmanager
def _started(kind: type[RealServer], folder: str, name: str) -> Iterator[RealServer]:
    options = ("--no-lab-ahead",)  # the lab's kernels would be compiled during some attacks, in 130 MB
    server = kind(f"sqlite:///{folder}/{name}.db", *options, log=Path(folder) / f"{name}.log")
    try:
        yield server
    finally:
        server.kill()


def run(
    names: list[str], seconds: float, quiet: float = QUIET_SECONDS, *, control: bool = False, folder: str = MEMORY
) -> int:
    """Make these attacks, or all; return how many missed the goal."""
    print(HEAD)
    missed = 0
    for attack in [ATTACKS[name] for name in names or ATTACKS]:
        for kind in ("", SHARED) if attack.shared else ("",):
            missed += not attack_once(attack, seconds, quiet, kind, folder)
        if control:
            attack_once(attack, seconds, quiet, CONTROL, folder)
    print(f"{missed} missed the goal" if missed else "all met the goal")
    return missed


def main() -> int:
    """Run it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description="Attacks on a server.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the attacks to make; all, if none is named")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each attack goes on")
    parser.add_argument("--quiet", type=float, default=QUIET_SECONDS, help="how long each is preceded by quiet")
    parser.add_argument("--control", action="store_true", help="attack another server, too, to see what that does")
    parser.add_argument("--folder", default=MEMORY, help="where the tables are kept; in memory, if it isn't said")
    parser.add_argument("--list", action="store_true", help="say what there is and attack nothing")
    chosen = parser.parse_args()
    if chosen.list:
        for attack in ATTACKS.values():
            print(f"{attack.name:<24}{attack.about}")
        return 0
    if unknown := [name for name in chosen.names if name not in ATTACKS]:
        parser.error(f"there is no attack {', '.join(unknown)}; there are {', '.join(ATTACKS)}")
    return 1 if run(chosen.names, chosen.seconds, chosen.quiet, control=chosen.control, folder=chosen.folder) else 0


if __name__ == "__main__":
    sys.exit(main())
