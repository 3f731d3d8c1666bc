"""Trials of what lies in deploy/, one after another, whatever becomes of one; and what is told of them at the end."""

import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec


class Trial(NamedTuple):
    """What is tried, and how: `run` gets a folder of its own, says what it saw, and raises where that isn't right."""

    what: str
    run: Callable[[Path], str]


class Result(msgspec.Struct, frozen=True):
    """What became of a trial."""

    name: str
    what: str
    ok: bool
    seconds: float


def each(trials: Mapping[str, Trial], wanted: Sequence[str], at_once: int = 1) -> list[Result]:
    """Try each of these that is wanted, or all if none is named, so many at once."""
    chosen = [(name, trial) for name, trial in trials.items() if not wanted or name in wanted]
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda one: tried(*one), chosen))


def tried(name: str, trial: Trial) -> Result:
    """Try it, and print what was seen, or why it failed."""
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix=f"cardhouse-{name}-") as folder:
            print(f"{name}: {trial.run(Path(folder))}", flush=True)
    except (Exception, SystemExit):  # noqa: BLE001 (what fails is said, and the next is tried)
        print(f"{name}: FAILED: {traceback.format_exc()}", flush=True)
        return Result(name, trial.what, False, time.monotonic() - began)
    return Result(name, trial.what, True, time.monotonic() - began)


def failed(trials: Mapping[str, Trial], wanted: Sequence[str]) -> list[Result]:
    """What is told of trials that could not even begin."""
    return [Result(name, trial.what, False, 0.0) for name, trial in trials.items() if not wanted or name in wanted]


def table(results: Iterable[Result]) -> str:
    """A line for each: whether it went well, how long it took, what was tried."""
    lines = [f"{one.name:12} {'ok' if one.ok else 'FAILED':6} {one.seconds:6.0f} s  {one.what}" for one in results]
    return "\n".join(lines)


def status(results: Sequence[Result]) -> int:
    """The exit status: 0 if something was tried, and all of it went well."""
    return 0 if results and all(one.ok for one in results) else 1
