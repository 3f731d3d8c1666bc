"""The lab's folders for caches."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

UNUSED_DAYS = 60
"""Cached files unused for this many days are deleted; most belong to an older version."""


def cache_folder() -> Path:
    """Return the folder for everything that Cardhouse can make again at any time.

    A user without a home folder gets one of this run only.
    """
    try:
        home = Path.home()
    except RuntimeError:  # neither the environment nor the system's list of users names one
        home = Path(os.devnull)
        named = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
        os.environ[named] = os.environ.get(named) or _folder_of_this_run()  # workers use the same
    return _caches(sys.platform, os.environ, home) / "cardhouse"


def _folder_of_this_run() -> str:
    """Return a new folder that only this user can read, deleted when the process ends."""
    try:
        folder = mkdtemp(prefix="cardhouse-")
    except OSError:
        return os.devnull  # nothing can be kept
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _caches(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Return a system's cache folder, which it may clear and backups skip."""
    if platform == "win32":
        named, usual = environment.get("LOCALAPPDATA"), home / "AppData" / "Local"
    else:
        named = environment.get("XDG_CACHE_HOME")
        usual = home / "Library" / "Caches" if platform == "darwin" else home / ".cache"
    return Path(named) if named else usual


def mark_used(path: Path) -> None:
    """Mark a cached file as used now."""
    with suppress(OSError):
        os.utime(path)


def is_writable(folder: Path) -> bool:
    """Return whether a folder can be written to; it is created if necessary."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


def limit_size(folder: Path, most: int) -> None:
    """Delete the least recently used files until the rest take at most this many bytes."""
    with suppress(OSError):
        kept = [(file, file.stat()) for file in folder.iterdir()]
        for file, about in sorted(kept, key=lambda one: -one[1].st_mtime):
            most -= about.st_size
            if most < 0:
                file.unlink(missing_ok=True)


def delete_unused(folder: Path) -> None:
    """Delete what hasn't been used for a long time."""
    with suppress(OSError):
        for kept in folder.iterdir():
            if time.time() - kept.stat().st_mtime < UNUSED_DAYS * 24 * 3600:
                continue
            if kept.is_dir():
                shutil.rmtree(kept, ignore_errors=True)
            else:
                kept.unlink(missing_ok=True)
