"""Starts servers that have Cardhouse loaded already, as starting one takes a second and a test may start thirty.

Each is a process of its own, forked off one that has loaded everything and done nothing else. From there on it is what
`python -m cardhouse.server` is.
"""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from cardhouse.server.__main__ import main

_processes = get_context("forkserver")
_processes.set_forkserver_preload([__name__, "tests.server.loaded"])


def start(options: Sequence[str], log: Path, env: Mapping[str, str]) -> tuple[ForkServerProcess, str]:
    """Start a server with these options, which writes its stderr behind this log; the first line that it prints.

    The line is empty if it would not start. `env` is what its environment has besides.
    """
    told, tells = _processes.Pipe(duplex=False)
    process = _processes.Process(target=_serve, args=(tuple(options), log, dict(env), tells))
    process.start()
    tells.close()
    with told, os.fdopen(os.dup(told.fileno())) as printed:
        return process, printed.readline().strip()


def cut_power(process: ForkServerProcess) -> None:
    """End a server and its workers in one moment: a worker that outlives it may still complain in its log."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.join()


def _serve(options: Sequence[str], log: Path, env: Mapping[str, str], tells: Connection) -> None:
    os.environ.update(env)
    os.setpgid(0, 0)  # a process group of its own
    with log.open("ab") as stderr:
        os.dup2(stderr.fileno(), sys.stderr.fileno())
    os.dup2(tells.fileno(), sys.stdout.fileno())
    tells.close()
    sys.argv[1:] = options
    sys.exit(main())
