"""Runs `cardhouse serve` for a test, as a process of its own."""

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
    """A server on a port of its own, and what it has printed: its address at the end of the first line."""
    typed = [sys.executable, "-m", "cardhouse", command, "--port", "0", *arguments]
    # What takes minutes once a machine would be begun by each server of a test, and ended with it.
    env = {"CARDHOUSE_LAB_AHEAD": "0", **(os.environ if env is None else env)}
    server = subprocess.Popen(typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        said = ""
        while "Ctrl-C" not in said:
            line = server.stdout.readline()
            assert line, server.stderr.read()
            said += line
        yield server, said
    finally:
        server.kill()
        server.communicate()
