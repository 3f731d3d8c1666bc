"""Starts servers that have Cardhouse loaded already, because a start takes a second and a test may need thirty.

Each is a process of its own, forked off one that has loaded everything and done nothing else. From there on it is what
`python -m cardhouse.server` is.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TextIO

from cardhouse.cli import main as command
from cardhouse.server.__main__ import main
from cardhouse.server.persistence.repository import Store

_processes = get_context("forkserver")
_processes.set_forkserver_preload([__name__, "tests.server.loaded"])


def start(
    options: Sequence[str], log: Path, env: Mapping[str, str], prepare: Callable[[], None] | None = None
) -> tuple[ForkServerProcess, str]:
    """Start a server with these options, which writes its stderr behind this log; the first line that it prints.

    The line is empty if it would not start. `env` is what its environment has besides. The new process calls `prepare`
    before it starts.
    """
    process, printed = _begin(_serve, (tuple(options), log, dict(env), prepare))
    with printed:
        return process, printed.readline().strip()


def start_command(options: Sequence[str], log: Path) -> tuple[ForkServerProcess, str]:
    """Start `cardhouse serve` with these options; all that it prints until it is ready, or until it gives up."""
    process, printed = _begin(_run_command, (("serve", *options), log))
    said = ""
    with printed:
        while "Ctrl-C" not in said and (line := printed.readline()):
            said += line
    return process, said


def _begin(target: Callable[..., None], options: tuple[object, ...]) -> tuple[ForkServerProcess, TextIO]:
    """Fork a process that runs this, and what it prints."""
    told, response_of = _processes.Pipe(duplex=False)
    process = _processes.Process(target=target, args=(*options, response_of))
    process.start()
    response_of.close()
    with told:
        return process, os.fdopen(os.dup(told.fileno()))


def cut_power(process: ForkServerProcess) -> None:
    """End a server and its workers in one moment: a worker that outlives it may still complain in its log."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.join()


def open_at_once(database: str, count: int) -> list[int | None]:
    """Have so many programs open a database at once; their exit statuses."""
    ready = _processes.Barrier(count)
    programs = [_processes.Process(target=_open, args=(database, ready)) for _ in range(count)]
    for one in programs:
        one.start()
    for one in programs:
        one.join()
    return [one.exitcode for one in programs]


def _open(database: str, ready: Barrier) -> None:
    ready.wait()
    Store(database).close()


def _serve(
    options: Sequence[str],
    log: Path,
    env: Mapping[str, str],
    prepare: Callable[[], None] | None,
    response_of: Connection,
) -> None:
    os.environ.update(env)
    _leave_the_tests(log, response_of)
    if prepare is not None:
        prepare()
    sys.argv[1:] = options
    sys.exit(main())


def _run_command(arguments: Sequence[str], log: Path, response_of: Connection) -> None:
    os.environ["CARDHOUSE_LAB_AHEAD"] = "0"
    _leave_the_tests(log, response_of)
    sys.exit(command(arguments))


def _leave_the_tests(log: Path, response_of: Connection) -> None:
    """Become a process group of its own, which writes to the log and to whoever started it."""
    os.setpgid(0, 0)
    with log.open("ab") as stderr:
        os.dup2(stderr.fileno(), sys.stderr.fileno())
    os.dup2(response_of.fileno(), sys.stdout.fileno())
    response_of.close()
