"""Replays transcripts in a second process, in which sets have another order, as after a server's restart.

Python hashes strings differently in each process. Rules that depend on a set's order pass every test within one
process, and deal different cards in the next.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import combinations
from pkgutil import resolve_name
from typing import Any

import msgspec

from cardhouse.engine import SCREEN, BadGame, CardhouseError, SeededDealer, Table, find_game, played_by
from cardhouse.engine.diagnostics.watchdog import watching
from cardhouse.testing.differing import first_difference, seen

_TRIES = 24
"""Hash seeds tried to reverse the order of every two seats."""
_ORDERS = "import itertools, sys; print(*(next(iter({*two})) for two in itertools.combinations(sys.argv[1:], 2)))"
_NOT_THE_SAME = (
    "A table replayed in another process, as after a restart of the server, differs: rules may depend only on moves "
    "and draws, not on the order of a set."
)


class SecondProcess:
    """A process that replays transcripts with another order of sets; close it after use."""

    def __init__(self, seats: Iterable[str], patience: float = 20.0) -> None:
        """There, any two of these seats are in the opposite order in a set; `patience` is as in `Conformance`."""
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": _other_seed(tuple(seats))}
        command = [sys.executable, "-c", f"from {__name__} import serve; serve({patience})"]
        self._process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self) -> None:
        """End the process."""
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()

    def check(self, table: Table, **what_if: int) -> None:
        """Raises BadGame if a table's transcript leads to a different table there."""
        here = _snapshot(table, what_if)
        task = {"class": f"{table.kind.__module__}:{table.kind.__qualname__}", "what_if": what_if}
        there = self._ask({**task, "transcript": table.transcript()})
        if "error" in there:
            raise BadGame(f"{_NOT_THE_SAME} {there['error']}")
        if apart := first_difference(msgspec.json.decode(here), there):
            raise BadGame(f"{_NOT_THE_SAME} {apart[:1].upper()}{apart[1:]}.")

    def _ask(self, task: Mapping[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise CardhouseError(f"The second process ended with exit status {process.wait()}.")
        return msgspec.json.decode(answer, type=dict[str, Any])


_running: list[SecondProcess] = []


@contextmanager
def second_process(seats: Iterable[str], patience: float = 20.0) -> Iterator[SecondProcess]:
    """Yield a second process for the block, or the one that is already running."""
    if _running:
        yield _running[-1]
        return
    _running.append(SecondProcess(seats, patience))
    try:
        yield _running[-1]
    finally:
        _running.pop().close()


@cache
def _other_seed(names: tuple[str, ...]) -> str:
    """Return a hash seed that reverses the order of as many pairs of these names as possible."""
    here = [next(iter({*two})) for two in combinations(names, 2)]
    turned: dict[str, int] = {}
    for seed in map(str, range(1, _TRIES + 1)):
        command = [sys.executable, "-S", "-c", _ORDERS, *names]
        output = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, check=True)
        turned[seed] = sum(one != other for one, other in zip(here, output.stdout.decode().split(), strict=True))
        if turned[seed] == len(here):
            break
    return max(turned, key=turned.__getitem__)


def _snapshot(table: Table, what_if: Mapping[str, int]) -> bytes:
    """Return the state of a table's game, and everything each seat has been shown."""
    shown = {seat: seen(table, seat, **what_if) for seat in (*table.seats, SCREEN)}
    return msgspec.json.encode(
        {**shown, "state": _sets_sorted(msgspec.to_builtins(table.game, builtin_types=(set, frozenset)))}
    )


def _sets_sorted(value: Any) -> Any:
    """Return plain data with each set sorted, because to keep a set is no mistake."""
    match value:
        case set() | frozenset():
            return sorted(map(_sets_sorted, value), key=str)
        case dict():
            return {str(key): _sets_sorted(one) for key, one in value.items()}
        case list() | tuple():
            return list(map(_sets_sorted, value))
    return value


# In the second process.


def _answer(task: Mapping[str, Any]) -> bytes:
    texts = task["transcript"].splitlines()
    try:
        name = json.loads(texts[0])["game"]
        with played_by(resolve_name(task["class"])) if _is_another(name, task["class"]) else nullcontext():
            return _snapshot(Table.read(texts, SeededDealer(1)), task["what_if"])
    except CardhouseError as error:
        return msgspec.json.encode({"error": error.message})
    except Exception as error:  # noqa: BLE001 (a game's own code)
        return msgspec.json.encode({"error": f"{type(error).__name__}: {error}."})


def _is_another(name: str, named: str) -> bool:
    """Return whether a variant is played instead of the installed game."""
    try:
        kind = find_game(name)
    except CardhouseError:
        return True
    return f"{kind.__module__}:{kind.__qualname__}" != named


def serve(patience: float) -> None:
    """Read tasks, one a line, and answer them, until there are no more."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a game's prints must not mix with the answers
    with watching(patience):
        for line in sys.stdin.buffer:
            answers.write(_answer(msgspec.json.decode(line)) + b"\n")
            answers.flush()
