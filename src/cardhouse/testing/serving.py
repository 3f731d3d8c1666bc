"""Runs `cardhouse serve` for a test, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def serving_house(
    *arguments: str, command: str = "serve", env: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server on a free port; yield its process and output, with the address at the end of the first line."""
    typed = [sys.executable, "-m", "cardhouse", command, "--port", "0", *arguments]
    # Otherwise each test's server would start compiling kernels, which takes minutes, and abandon it.
    env = {"CARDHOUSE_LAB_AHEAD": "0", **(os.environ if env is None else env)}
    server = subprocess.Popen(typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        output = ""
        while "Ctrl-C" not in output:
            line = server.stdout.readline()
            assert line, server.stderr.read()
            output += line
        yield server, output
    finally:
        server.kill()
        server.communicate()
