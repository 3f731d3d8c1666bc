"""Where the lab keeps things between runs."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

UNUSED_DAYS = 60
"""What has not been used for so long is let go of: mostly it was an older version's."""


def cache_folder() -> Path:
    """Where Cardhouse keeps what it can make anew at any time."""
    return _caches(sys.platform, os.environ, Path.home()) / "cardhouse"


def _caches(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where such things are kept on a machine: each system has a place that it may clear and no backup has."""
    if platform == "win32":
        named, usual = environment.get("LOCALAPPDATA"), home / "AppData" / "Local"
    else:
        named = environment.get("XDG_CACHE_HOME")
        usual = home / "Library" / "Caches" if platform == "darwin" else home / ".cache"
    return Path(named) if named else usual


def mark_used(path: Path) -> None:
    """Note that something kept is of use."""
    with suppress(OSError):
        os.utime(path)


def can_be_written(folder: Path) -> bool:
    """Whether something can be kept in a folder, which is made if there is none."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


def keep_within(folder: Path, most: int) -> None:
    """Remove the files that were used longest ago, until the rest takes no more than so many bytes."""
    with suppress(OSError):
        kept = [(file, file.stat()) for file in folder.iterdir()]
        for file, about in sorted(kept, key=lambda one: -one[1].st_mtime):
            most -= about.st_size
            if most < 0:
                file.unlink(missing_ok=True)


def let_go_of_unused(folder: Path) -> None:
    """Remove what nobody has used for a long time."""
    with suppress(OSError):
        for kept in folder.iterdir():
            if time.time() - kept.stat().st_mtime < UNUSED_DAYS * 24 * 3600:
                continue
            if kept.is_dir():
                shutil.rmtree(kept, ignore_errors=True)
            else:
                kept.unlink(missing_ok=True)
