"""The files of a SQLite database: who may read them, which server uses them, and whether they still exist."""

import logging
import os
import re
import sqlite3
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from filelock import BaseFileLock, FileLock, Timeout

from cardhouse.engine import CardhouseError

if sys.platform != "win32":
    import fcntl

SECONDS = 5
"""Time limit for a database, after which it counts as gone."""
PREPARING_SECONDS = 600
"""Time limit for another program that creates or migrates the database."""
NOTICE_SECONDS = 5.0
"""The delay before the log reports that wait."""
LOCK_SECONDS = 1.0
"""Time limit for a server that is about to stop."""
PRIVATE = 0o600
KEYS = KEY, ADMIN_KEY = ("-key", "-admin-key")
"""Suffixes, after the database's name, of the files with the server key and the admin key."""
MADE = ("-wal", "-shm", "-lock", "-preparing", "-marks", "-marks-lock", "-turn")
"""Suffixes of the other files next to the database."""
MOUNTS = Path("/proc/self/mountinfo")
"""The table of mounts, on Linux."""
SHARED = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "afs",
    "ceph",
    "lustre",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.glusterfs",
    "fuse.ceph",
)
"""Prefixes of the types of network file systems."""
_ESCAPED = re.compile(r"\\([0-7]{3})")
_making = threading.Lock()
log = logging.getLogger("cardhouse.server")

Identity = tuple[int, int]
_NONE: Identity = (0, 0)


class FileLost(OSError):
    """The opened file is no longer at its path: anything written to it is lost when the process ends."""


def _create(path: Path) -> None:
    """Create an empty file that only its owner may read, unless it exists. Raises OSError."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


def _acquire(lock: BaseFileLock, seconds: float) -> None:
    """Acquire a lock, waiting for another program that has it. Raises Timeout; OSError if its file can't be created.

    The lock itself would wait for a file that can't be created.
    """
    _create(Path(lock.lock_file))
    lock.acquire(seconds)


class DatabaseFile:
    """The database file at a path; once held, the very file that was found there."""

    def __init__(self, path: str) -> None:
        self.path = Path(path).absolute()
        self._file = self.path.resolve()  # SQLite places its other files beside the resolved path
        self._beside = {name: self._file.with_name(self._file.name + name) for name in ("-wal", "-shm")}
        self._lock = FileLock(f"{self._file}-lock", mode=PRIVATE, thread_local=False)
        self._preparing = FileLock(f"{self._file}-preparing", mode=PRIVATE, thread_local=False)
        self._timeout: float = SECONDS
        self._known: dict[Path, Identity] = {}
        self._held: sqlite3.Connection | None = None

    @property
    def marks(self) -> Path:
        """The file that records how long each table's log is."""
        return self._file.with_name(f"{self._file.name}-marks")

    @property
    def turn(self) -> Path:
        """The file that processes of a server lock before they write."""
        return self._file.with_name(f"{self._file.name}-turn")

    @property
    def builds(self) -> Path:
        """The folder with the page's earlier builds."""
        return self._file.with_name(f"{self._file.name}-page")

    def make(self) -> None:
        """Create the file if it doesn't exist, readable only by its owner; SQLite copies that mode to its other files.

        Raises OSError.
        """
        # No other thread may open the file meanwhile: closing it here would release SQLite's locks on it.
        with _making:
            _create(self._file)

    def tighten(self) -> None:
        """Restrict the files and the keys to their owner."""
        for path in self.readable() or ():
            try:
                path.chmod(PRIVATE)
            except FileNotFoundError:
                continue
            except PermissionError:
                log.warning("Others on this machine can read %s, which belongs to another user.", path)

    def readable(self) -> list[Path] | None:
        """Return those of the database's files and keys that other users of this machine may read or write.

        None on Windows, where the file mode doesn't show that.
        """
        if os.name == "nt":
            return None
        keys = [self._file.with_name(self._file.name + ending) for ending in KEYS]
        return [path for path in (self._file, *self._beside.values(), *keys) if _is_open(path)]

    def share(self) -> str | None:
        """Return the type of the network share that holds the file, or None if it is on none, or that is unknown."""
        type_ = _mounted(self._file)
        return type_ if type_.startswith(SHARED) else None

    def check_local(self) -> None:
        """Raises CardhouseError if the file is on a network share.

        SQLite's write-ahead log needs memory that all its readers share, which two machines don't have, and many shares
        ignore locks, so two servers could write at once and damage it.
        """
        if share := self.share():
            raise CardhouseError(
                f"The database {self.path} is on a network share ({share}), where SQLite can lose or damage tables. "
                "Choose a folder on a disk of this machine with --db, or use PostgreSQL. Backups may go to the share."
            )

    def lock(self) -> None:
        """Claim the file for this server, until it is unlocked or the process ends.

        Raises CardhouseError if another server has claimed it; OSError.
        """
        try:
            _acquire(self._lock, LOCK_SECONDS)
        except Timeout:
            raise CardhouseError(
                f"Another server has the database {self.path} open: stop it first, or give this one another database. "
                "Several servers can share a PostgreSQL."
            ) from None

    def unlock(self) -> None:
        """Release the file for other servers."""
        self._lock.release()

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Hold the lock for creating or migrating the database, waiting for another program that has it.

        SQLite's own locks are not enough: of two programs that turn on its write-ahead log, one fails at once. Raises
        CardhouseError if another program takes too long; OSError.
        """
        try:
            _acquire(self._preparing, NOTICE_SECONDS)
        except Timeout:
            log.warning("Waiting for another program that creates or migrates the database %s.", self.path)
            try:
                _acquire(self._preparing, PREPARING_SECONDS)
            except Timeout:
                raise CardhouseError(
                    f"Another program has been creating or migrating the database {self.path} for "
                    f"{PREPARING_SECONDS // 60} minutes. Wait until it has finished, or stop it, and try again."
                ) from None
        self._timeout = PREPARING_SECONDS
        try:
            self.give_to_owner()
            yield
        finally:
            self._timeout = SECONDS
            self.give_to_owner()
            self._preparing.release()

    def give_to_owner(self) -> None:
        """Give what root made of it to the owner of its folder, whose server could not open it otherwise.

        On Linux only: O_PATH lets go of no lock that SQLite has, and what it found can't be replaced by another file.
        """
        if sys.platform != "linux" or os.geteuid() != 0:
            return
        of = self._file.parent.stat()
        made = [self._file.with_name(f"{self._file.name}{ending}") for ending in ("", *MADE, *KEYS)]
        for path in made if of.st_uid else []:
            with suppress(OSError):  # it isn't there
                file = os.open(path, os.O_PATH | os.O_NOFOLLOW)
                try:
                    found = os.fstat(file)
                    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == 0:
                        os.chown(f"/proc/self/fd/{file}", of.st_uid, of.st_gid)
                finally:
                    os.close(file)

    # Which file it is.

    def connect(self) -> sqlite3.Connection:
        """Return a connection to the file, without creating it.

        Raises FileLost; sqlite3.Error.
        """
        self.check()
        uri = f"{self._file.as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=self._timeout, check_same_thread=False)
        try:
            self.check()  # it may have been replaced meanwhile
        except FileLost:
            connection.close()
            raise
        return connection

    def hold(self) -> None:
        """Keep the file open, so that SQLite removes none of the files beside it, and remember their identities.

        Raises FileLost; sqlite3.Error.
        """
        self._known.setdefault(self.path, _identity(self.path) or _NONE)
        self._held = self.connect()
        (mode,) = self._held.execute("PRAGMA journal_mode").fetchone()
        self._held.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if mode == "wal":
            self._known |= {path: _identity(path) or _NONE for path in self._beside.values()}
        try:
            self.check()
        except FileLost:
            self.let_go()
            raise

    @property
    def is_held(self) -> bool:
        """Whether the file is kept open."""
        return self._held is not None

    def let_go(self) -> None:
        """Close the file; SQLite may then remove the files beside it."""
        if self._held is not None:
            self._held.close()
            self._held = None
        for path in self._beside.values():
            self._known.pop(path, None)

    def check(self) -> None:
        """Raises FileLost unless every opened file is still at its path."""
        for path, known in self._known.items():
            found = _identity(path)
            if found == known:
                continue
            if path != self.path:
                raise FileLost(_side_file_lost(path, there=found is not None))
            raise FileLost(self._replaced() if found else self._gone())

    def _gone(self) -> str:
        return (
            f"The database {self.path} has been moved away or deleted. Move the same file back, and saving continues; "
            "a copy won't do. Until the server stops, players can still download transcripts."
        )

    def _replaced(self) -> str:
        return (
            f"Another file is now at {self.path}, and nothing is written to it. To continue saving, move the original "
            "file back. To use the new file, restart the server."
        )

    def is_log_lost(self) -> bool:
        """Return whether the database exists but its log was deleted, so that only the open file is left.

        Raises FileLost if something else is wrong.
        """
        found = {path: _identity(path) for path in self._known}
        if found == self._known:
            return False
        lost = [path for path, known in self._known.items() if found[path] != known]
        if self.path in lost or any(found[path] for path in lost):
            self.check()
        return True

    def save_log(self) -> None:
        """Write the log into the database, while it is still open here, and close it.

        Raises FileLost if another program is reading the database.
        """
        assert self._held is not None
        (busy, *_) = self._held.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise FileLost(
                "The database's log was deleted. It can't be saved while another program reads the database."
            )
        self.let_go()


class Turn:
    """The lock for writing, shared by several processes of a server; held for a `with` block.

    SQLite itself polls a locked file at growing intervals: next to a process that writes all the time, that can take
    seconds.
    """

    def __init__(self, path: Path) -> None:
        """Open the lock file. Raises OSError."""
        self._lock = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)

    def __enter__(self) -> None:
        if sys.platform != "win32":  # Windows has one process only
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32":
            fcntl.flock(self._lock, fcntl.LOCK_UN)


def _mounted(path: Path) -> str:
    """Return the type of the file system at an absolute path; empty where that can't be found out."""
    try:
        lines = os.fsdecode(MOUNTS.read_bytes()).rstrip("\n").split("\n")
    except OSError:
        return ""
    found: dict[Path, str] = {}  # where two are mounted at one place, the later one is seen
    for line in lines:
        place, _, source = line.partition(" - ")
        found[Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), place.split(" ")[4]))] = source.split(" ")[0]
    return next((found[place] for place in (path, *path.parents) if place in found), "")


def _is_open(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & ~PRIVATE)
    except FileNotFoundError:
        return False


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _side_file_lost(path: Path, *, there: bool) -> str:
    if there:
        return f"{path} isn't the file that belongs to the open database. Remove it to continue saving."
    return f"{path} has been deleted, though it belongs to the open database."
