"""Cause faults while people play, and report what was lost: nothing, if all is well.

    python -m benchmarks.faults [--minutes 20] [--kills 1000] [--only HOUSE:FAULT ...] [--seed N] [--log FILE]
    python -m benchmarks.faults --table FILE ...
    python -m benchmarks.faults --list

Batches of faults run in turn: kills on each store, until there are `--kills` of them, and between them everything else
of `--list`. People play through all of them at new tables of the same store: game masters who answer as fast as
possible, and others who only listen. After each batch every table is ended and its history checked
(tests/server/history.py): every acknowledged answer is in the log once, at the reported number; the log can be
replayed, dealt from the committed seed; and each seat received at each entry what the rules let it know. Each batch
prints its seed: `--only HOUSE:FAULT --seed N` repeats it, with the same tables, answers and moments, as far as
processes and a network allow.

The output is a table of all faults and errors. With `--log` each batch adds a line to a file, and `--table` prints the
table of such files. Exit status 1 if anything was wrong.
"""

import argparse
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import cycle
from pathlib import Path
from typing import Self

import msgspec

from benchmarks.faults.batch import Batch, Came
from benchmarks.faults.houses import House
from benchmarks.faults.kinds import FAULTS, HOUSES, left_out, wait_for_starts
from tests.server.history import DOUBLED, LOST

KILLED = "killed"
STORES = ("SQLite", "PostgreSQL")
"""The setups for which kills are counted."""
ROUNDS_APART = 2
"""The number of batches of kills on each store between two other batches."""
HEAD = "| house | fault | times | answers acknowledged | views checked | lost | doubled | else wrong | minutes |"
Pair = tuple[str, str]


class Line(msgspec.Struct):
    """A batch in a file."""

    house: str
    fault: str
    seed: int
    came: Came


class Houses:
    """The open setups, closed at the end of the block."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[AbstractContextManager[House], House]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self._open):
            self.close(name)

    def get(self, name: str) -> House:
        """Return the setup of this name."""
        if name not in self._open:
            made = HOUSES[name]()
            self._open[name] = made, made.__enter__()
        return self._open[name][1]

    def close(self, name: str) -> None:
        """Close it; the next one will be new."""
        wait_for_starts()
        made, _ = self._open.pop(name)
        made.__exit__(None, None, None)


def pairs() -> list[Pair]:
    """Return every fault, with every setup in which it is possible."""
    return [(house, fault.name) for fault in FAULTS.values() for house in fault.houses]


def possible() -> list[Pair]:
    """Return those that are possible here."""
    without = left_out()
    return [(house, fault) for house, fault in pairs() if house not in without]


def in_turn(totals: dict[Pair, Came], kills: int) -> Iterator[Pair]:
    """Yield the next fault, without end."""
    stores = [(store, KILLED) for store in STORES]
    others = cycle(pair for pair in possible() if pair not in stores)
    while True:
        for _ in range(ROUNDS_APART):
            yield from (pair for pair in stores if totals.get(pair, Came()).faults < kills)
        yield next(others)


def run(minutes: float, kills: int, only: list[Pair], seed: int | None, log: Path | None) -> dict[Pair, Came]:
    """Run faults for this long; return the results."""
    totals: dict[Pair, Came] = {}
    until = time.monotonic() + minutes * 60
    chosen = iter(only if seed is not None else cycle(only)) if only else in_turn(totals, kills)
    for house, why in left_out().items():
        print(f"{house}: left out, for {why}.")
    with Houses() as houses:
        for house, name in chosen:
            enough = only and (house, name) == (only[0][0], KILLED) and totals.get(only[0], Came()).faults >= kills
            if enough or time.monotonic() > until:
                break
            own = random.getrandbits(32) if seed is None else seed
            came = Batch(houses.get(house), own).run(FAULTS[name])
            totals.setdefault((house, name), Came()).add(came)
            print(_told(house, name, own, came), flush=True)
            if log is not None:
                with log.open("ab") as file:
                    file.write(msgspec.json.encode(Line(house, name, own, came)) + b"\n")
            if came.wrong:
                houses.close(house)
    return totals


def _told(house: str, name: str, seed: int, came: Came) -> str:
    wrong = "".join(f"\n  {says}" for says in came.says)
    kinds = ", ".join(f"{times} {kind}" for kind, times in came.wrong.items()) or "nothing wrong"
    return (
        f"{house}: {came.faults} {name}, seed {seed}: {came.acknowledged} acknowledged, {came.logged} logged, "
        f"{came.unsaved} told not saved, {came.seen} views, {came.seconds:.0f} s: {kinds}{wrong}"
    )


def read(files: list[Path]) -> dict[Pair, Came]:
    """Return the results of the batches in these files."""
    totals: dict[Pair, Came] = {}
    for file in files:
        for text in file.read_bytes().splitlines():
            line = msgspec.json.decode(text, type=Line)
            totals.setdefault((line.house, line.fault), Came()).add(line.came)
    return totals


def table(totals: dict[Pair, Came]) -> Iterator[str]:
    """Yield the lines of the table, as Markdown."""
    yield HEAD
    yield "| --- | --- |" + " ---: |" * (HEAD.count("|") - 3)
    whole = Came()
    for house, name in sorted(totals, key=(pairs()).index):
        whole.add(totals[house, name])
        yield _row(house, name, totals[house, name])
    yield _row("all", "", whole)


def _row(house: str, name: str, came: Came) -> str:
    elsewise = sum(times for kind, times in came.wrong.items() if kind not in (LOST, DOUBLED))
    return (
        f"| {house} | {name} | {came.faults:,} | {came.acknowledged:,} | {came.seen:,} | {came.wrong.get(LOST, 0)} "
        f"| {came.wrong.get(DOUBLED, 0)} | {elsewise} | {came.seconds / 60:.0f} |"
    )


def main() -> int:
    """Run it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description="Faults on purpose.")
    parser.add_argument("--minutes", type=float, default=20.0, help="how long it goes on")
    parser.add_argument("--kills", type=int, default=1000, help="so many on each store")
    parser.add_argument("--only", nargs="*", default=[], metavar="HOUSE:FAULT", help="these, and nothing else")
    parser.add_argument("--seed", type=int, help="that of a batch which is to be done again")
    parser.add_argument("--log", type=Path, help="a file to which each batch adds a line")
    parser.add_argument("--table", type=Path, nargs="+", help="print the table of such files, and do nothing")
    parser.add_argument("--list", action="store_true", help="say what there is and do nothing")
    chosen = parser.parse_args()
    for how in (signal.SIGINT, signal.SIGTERM):  # stop what was started, even if these signals were ignored
        signal.signal(how, lambda number, _: sys.exit(128 + number))
    if chosen.list:
        print("\n".join(map(":".join, pairs())))
        return 0
    only = [(house, name) for text in chosen.only for house, _, name in (text.partition(":"),)]
    if unknown := [pair for pair in only if pair not in pairs()]:
        parser.error(f"there is no {':'.join(unknown[0])}; --list says what there is")
    again = chosen.table or []
    totals = read(again) if again else run(chosen.minutes, chosen.kills, only, chosen.seed, chosen.log)
    print(*table(totals), sep="\n")
    return 1 if any(came.wrong for came in totals.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
