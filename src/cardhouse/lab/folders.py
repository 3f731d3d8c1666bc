"""Where the lab keeps things between runs."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

UNUSED_DAYS = 60
"""What has not been used for so long is let go of: mostly it was an older version's."""


def cache_folder() -> Path:
    """Where Cardhouse keeps what it can make anew at any time."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "cardhouse"


def mark_used(path: Path) -> None:
    """Note that something kept is of use."""
    with suppress(OSError):
        os.utime(path)


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
