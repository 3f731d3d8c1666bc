"""A fuzzer for a whole server: a million frames and a hundred thousand requests that no real client would send.

    python -m benchmarks.fuzz frames|requests [--count N] [--minutes 60] [--seed N] [--corpus FOLDER]
    python -m benchmarks.fuzz frames|requests --data HEX

The server runs inside this process, as `cardhouse serve` runs it but without rate limits, and is reached over real
sockets. The bytes decide what is sent (tests/server/fuzzing.py). With Atheris (pip install atheris) they are guided by
code coverage; otherwise they are random. Each input must be answered: with no internal error, no status 500, no
traceback in the log, and nothing left waiting. Violations are printed with their bytes, which `--data` sends again.
Exit status 1 if there were any.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

LONGEST = 600
"""The most bytes in one input: about forty frames."""
FIRST = 50
"""The number of initial inputs; otherwise Atheris starts with a single byte."""
TOLD_SECONDS = 30.0
COUNTS = {"frames": 1_000_000, "requests": 100_000}
INSTRUMENTED = ["cardhouse.server", "cardhouse.engine", "websockets"]


class Fuzzing:
    """A run that sends inputs until the number of frames or requests, or the time, is reached."""

    def __init__(self, server: Any, runner: asyncio.Runner, kind: str, count: int, minutes: float) -> None:
        self.server = server
        self.found: dict[str, bytes] = {}
        self._run = runner.run
        self._say = getattr(server, kind)
        self._kind, self._count = kind, count
        self._began = time.monotonic()
        self._until = self._began + 60 * minutes
        self._tell_at = self._began + TOLD_SECONDS

    @property
    def is_over(self) -> bool:
        """Whether the run is over."""
        return self.server.tally[self._kind] >= self._count or time.monotonic() > self._until

    def say(self, data: bytes) -> None:
        """Send an input; violations are printed, once for each kind."""
        try:
            self._run(self._say(data))
        except (AssertionError, TimeoutError) as error:
            said = f"{error!r}"
            kind = said[-200:]
            if kind not in self.found:
                self.found[kind] = data
                print(f"Found, by {data.hex()}:\n{error}", flush=True)
        if time.monotonic() > self._tell_at:
            self._tell_at += TOLD_SECONDS
            self.tell()

    def tell(self) -> None:
        """Print the progress."""
        tally = ", ".join(f"{times:,} {what}" for what, times in sorted(self.server.tally.items()))
        print(f"{time.monotonic() - self._began:.0f} s: {tally}; {len(self.found)} found", flush=True)


def guided(atheris: ModuleType, fuzzing: Fuzzing, seed: int, corpus: str) -> None:
    """Let Atheris choose the inputs. It ends the process when it ends, so this does so before."""

    def say(data: bytes) -> None:
        fuzzing.say(data)
        if fuzzing.is_over:
            fuzzing.tell()
            os._exit(1 if fuzzing.found else 0)

    options = [
        f"-max_len={LONGEST}",
        "-len_control=0",
        f"-seed={seed}",
        "-timeout=600",
        "-rss_limit_mb=0",
        "-verbosity=0",
    ]
    atheris.Setup(["fuzz", *options, corpus], say)
    atheris.Fuzz()


def at_random(fuzzing: Fuzzing, seed: int) -> None:
    """Send random inputs."""
    chance = random.Random(seed)
    while not fuzzing.is_over:
        fuzzing.say(chance.randbytes(chance.randrange(LONGEST)))
    fuzzing.tell()


def open_server(atheris: ModuleType | None, stack: ExitStack) -> tuple[Any, asyncio.Runner]:
    """Return the server and its event loop, with its code instrumented for Atheris."""
    if atheris is None:
        fuzzed = import_module("tests.server.fuzzed").fuzzed
    else:
        with atheris.instrument_imports(include=INSTRUMENTED):
            fuzzed = import_module("tests.server.fuzzed").fuzzed
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cardhouse-fuzz-"))
    runner = stack.enter_context(asyncio.Runner())
    house = fuzzed(f"sqlite:///{folder}/cards.db")
    server = runner.run(house.__aenter__())
    stack.callback(lambda: runner.run(house.__aexit__(None, None, None)))
    return server, runner


def main() -> int:
    """Run it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description="A fuzzer at a whole server.")
    parser.add_argument("kind", choices=COUNTS, help="what is said")
    parser.add_argument("--count", type=int, help="how many; a million frames or 100,000 requests, unless it is said")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long at most")
    parser.add_argument("--seed", type=int, default=1, help="what is chosen first")
    parser.add_argument("--corpus", type=Path, help="a folder in which bytes are kept that reached something new")
    parser.add_argument("--data", help="say these bytes, and nothing else")
    chosen = parser.parse_args()
    atheris = None if chosen.data else found("atheris")
    with ExitStack() as stack:
        server, runner = open_server(atheris, stack)
        count = chosen.count or COUNTS[chosen.kind]
        fuzzing = Fuzzing(server, runner, chosen.kind, count, chosen.minutes)
        if chosen.data is not None:
            fuzzing.say(bytes.fromhex(chosen.data))
        elif atheris is not None:
            print(f"Led by the code that is reached, seed {chosen.seed}", flush=True)
            corpus = chosen.corpus or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            corpus.mkdir(parents=True, exist_ok=True)
            chance = random.Random(chosen.seed)
            for number in range(FIRST):
                (corpus / f"first-{number}").write_bytes(chance.randbytes(LONGEST))
            guided(atheris, fuzzing, chosen.seed, str(corpus))
        else:
            print(f"At random, for want of Atheris; seed {chosen.seed}", flush=True)
            at_random(fuzzing, chosen.seed)
        return 1 if fuzzing.found else 0


def found(name: str) -> ModuleType | None:
    """Return a module, if it is installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


if __name__ == "__main__":
    sys.exit(main())
