"""Results that take long and are the same for all tests of a run: the first test that needs one makes it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from filelock import FileLock

_FOLDER = "CARDHOUSE_TEST_RUN"
"""The environment's word for the run's own folder, in which its processes find each other's work."""


def begin_run() -> None:
    """Make the run's folder, before its other processes are started."""
    os.environ[_FOLDER] = mkdtemp(prefix="cardhouse-tests-")


def end_run() -> None:
    """Remove it, when they have ended."""
    shutil.rmtree(os.environ.pop(_FOLDER))


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name, which `make` fills when somebody first asks for it; others wait, and only read in it."""
    folder = Path(os.environ[_FOLDER]) / name
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            begun = folder.with_name(f"{name}-begun")
            shutil.rmtree(begun, ignore_errors=True)  # of one who failed
            begun.mkdir()
            make(begun)
            begun.rename(folder)
    return folder
