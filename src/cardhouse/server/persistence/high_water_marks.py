"""The high-water mark of each table's log, in a file beside the database, to detect lost entries.

The database can't detect that itself: snapshots share its file and write-ahead log, and are lost together with the
entries.
"""

import os
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

import msgspec
from filelock import FileLock

from cardhouse.server.persistence.sqlite_files import PRIVATE

MARK_SECONDS = 1.0
"""The shortest interval between two writes of the marks; nothing waits for them."""
COMPACT_BYTES = 1_000_000


class HighWaterMark(msgspec.Struct, array_like=True, frozen=True):
    """Entries up to `number` were saved; `lost` were found missing at earlier starts. Both 0: the table was deleted."""

    table: str
    number: int
    lost: int = 0


class Marks:
    """A file of marks, one a line; the last line of a table counts.

    `among` means that other processes of the same server write to it too, for other tables.
    """

    def __init__(self, path: Path, *, among: bool = False) -> None:
        self._path = path
        self._alone: AbstractContextManager[object] = nullcontext()
        if among:
            self._alone = FileLock(path.with_name(f"{path.name}-lock"), mode=PRIVATE, thread_local=False)
        self._decode = msgspec.json.Decoder(HighWaterMark).decode
        self._due: dict[str, int] = {}
        self._lost: dict[str, int] | None = None
        self._written_at = float("-inf")

    def read(self) -> dict[str, HighWaterMark]:
        """Return the marks by table. A line that was cut off by a power failure is skipped.

        Raises OSError.
        """
        marks: dict[str, HighWaterMark] = {}
        with suppress(FileNotFoundError):
            for line in self._path.read_bytes().splitlines():
                with suppress(msgspec.DecodeError):
                    mark = self._decode(line)
                    marks[mark.table] = mark
        return {table: mark for table, mark in marks.items() if mark.number or mark.lost}

    def note(self, table: str, number: int) -> None:
        """Record a saved entry; it is written with the next marks."""
        self._due[table] = max(number, self._due.get(table, 0))

    @property
    def is_due(self) -> bool:
        """Whether there are marks that aren't written yet."""
        return bool(self._due)

    def write_seldom(self) -> None:
        """Write new marks, if the last write is long enough ago.

        Raises OSError.
        """
        if self._due and time.monotonic() - self._written_at >= MARK_SECONDS:
            self.write()

    def write(self) -> None:
        """Write new marks.

        Raises OSError.
        """
        if self._lost is None:
            self._lost = {table: mark.lost for table, mark in self.read().items()}
        self._written_at = time.monotonic()
        self._append([HighWaterMark(table, number, self._lost.get(table, 0)) for table, number in self._due.items()])
        self._due.clear()

    def forget(self, table: str) -> None:
        """Remove a deleted table.

        Raises OSError.
        """
        self._due.pop(table, None)
        self._append([HighWaterMark(table, 0)])

    def replace(self, marks: Iterable[HighWaterMark]) -> None:
        """Replace all marks with these.

        Raises OSError.
        """
        new = self._path.with_name(f"{self._path.name}-new")
        new.unlink(missing_ok=True)
        self._write(new, marks)
        new.replace(self._path)
        self._lost = None

    def _append(self, marks: Iterable[HighWaterMark]) -> None:
        with self._alone:
            self._write(self._path, marks)
            if self._path.stat().st_size > COMPACT_BYTES:
                self.replace(self.read().values())

    def _write(self, path: Path, marks: Iterable[HighWaterMark]) -> None:
        # starts a new line: the last one may have been cut off
        text = b"".join(b"\n" + msgspec.json.encode(mark) for mark in marks)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE)
        try:
            os.write(file, text)
            os.fsync(file)
        finally:
            os.close(file)
