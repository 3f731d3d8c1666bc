"""Trials of the files in deploy/: each runs even if others fail, and a table of the results follows."""

import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec


class Trial(NamedTuple):
    """A trial: `run` gets its own folder, returns what it saw, and raises an exception if anything is wrong."""

    what: str
    run: Callable[[Path], str]


class Result(msgspec.Struct, frozen=True):
    """The result of a trial."""

    name: str
    what: str
    ok: bool
    seconds: float


def each(trials: Mapping[str, Trial], wanted: Sequence[str], at_once: int = 1) -> list[Result]:
    """Run each of these trials that is wanted, or all if none is named, `at_once` in parallel."""
    chosen = [(name, trial) for name, trial in trials.items() if not wanted or name in wanted]
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda one: tried(*one), chosen))


def tried(name: str, trial: Trial) -> Result:
    """Run a trial, and print what it saw, or why it failed."""
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix=f"cardhouse-{name}-") as folder:
            print(f"{name}: {trial.run(Path(folder))}", flush=True)
    except (Exception, SystemExit):  # noqa: BLE001 (a failure is printed, and the next trial runs)
        print(f"{name}: FAILED: {traceback.format_exc()}", flush=True)
        return Result(name, trial.what, False, time.monotonic() - began)
    return Result(name, trial.what, True, time.monotonic() - began)


def failed(trials: Mapping[str, Trial], wanted: Sequence[str]) -> list[Result]:
    """Return the results of trials that couldn't start."""
    return [Result(name, trial.what, False, 0.0) for name, trial in trials.items() if not wanted or name in wanted]


def table(results: Iterable[Result]) -> str:
    """Return a line for each trial: its outcome, its time and its description."""
    lines = [f"{one.name:12} {'ok' if one.ok else 'FAILED':6} {one.seconds:6.0f} s  {one.what}" for one in results]
    return "\n".join(lines)


def status(results: Sequence[Result]) -> int:
    """Return the exit status: 0 if any trial ran and all succeeded."""
    return 0 if results and all(one.ok for one in results) else 1
