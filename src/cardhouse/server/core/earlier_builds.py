"""Keeps the files of earlier builds of the page for a week, for pages that stay open while the server is upgraded.

Only files in `assets` are kept: their names change with their content, and a page fetches many of them only when it
needs them.
"""

import logging
import os
import re
import shutil
from pathlib import Path

from cardhouse.server.core import static_cache

ASSETS = "assets"
LAST = "last-build.txt"
"""The file that lists the assets of the last build that was served."""
KEPT_SECONDS = 7 * 86_400
"""How long files are kept after the first start without them."""
MOST_BYTES = 64 * 2**20
"""The most that is kept of earlier builds: about twenty."""
_NAME = re.compile(rf"{ASSETS}/\w[\w.-]*")
_COMPRESSED = (".br", ".gz")
log = logging.getLogger("cardhouse.server")


class EarlierBuilds:
    """The earlier builds in a folder, which one process of a server writes; None if there is no place for them."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, name: str) -> static_cache.File | None:
        """Return a file of an earlier build, by its path below the root."""
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        try:
            return static_cache.immutable_file(name, (self._folder / name).read_bytes())
        except OSError:
            return None

    def keep(self, page: Path, now: float) -> None:
        """Save the files of the build in the folder `page` for later, and delete those kept long enough.

        `now` is in Unix seconds. If the folder can't be written, a warning says so.
        """
        if self._folder is None or not (page / ASSETS).is_dir():
            return
        try:
            self._keep(self._folder, page / ASSETS, now)
        except (OSError, ValueError) as error:
            log.warning("Pages that are open during the next upgrade may lose parts, because of %s", error)

    def _keep(self, folder: Path, assets: Path, now: float) -> None:
        kept, last = folder / ASSETS, folder / LAST
        folder.mkdir(mode=0o700, exist_ok=True)
        kept.mkdir(exist_ok=True)
        current = {path.name for path in assets.iterdir() if path.suffix not in _COMPRESSED}
        replaced = set(last.read_text("utf-8").split() if last.is_file() else ()) - current
        present = {path.name for path in kept.iterdir()}
        for name in replaced & present:
            os.utime(kept / name, (now, now))
        for name in current - present:
            _link_or_copy(assets / name, kept / name)
        _replace(last, "\n".join(sorted(current)))
        _delete_oldest([kept / name for name in present - current], now)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system or owner
        part = target.with_name(f".{target.name}")
        shutil.copyfile(source, part)
        part.replace(target)


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}")
    part.write_text(text, "utf-8")
    part.replace(path)


def _delete_oldest(files: list[Path], now: float) -> None:
    """Delete the files that were replaced too long ago, and the oldest of those that are too much together."""
    size = 0
    for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
        found = path.stat()
        size += found.st_size
        if found.st_mtime < now - KEPT_SECONDS or size > MOST_BYTES:
            path.unlink()
