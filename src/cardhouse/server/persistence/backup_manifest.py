"""The manifest of a backup: the number of rows and their SHA-256 digest for each table of the file.

It reveals damage, missing rows and accidental changes. It is not signed: anyone who can write the file can also write a
new manifest. The fingerprint is a digest of the manifest that people can compare.
"""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from cardhouse.engine import CardhouseError

NAME = "backup_manifest"

_Lines = list[tuple[str, int, str]]


def write(file: Path) -> None:
    """Write the manifest into a new backup.

    Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        lines = _compute_lines(connection)
        connection.execute(f"CREATE TABLE {NAME} (name TEXT PRIMARY KEY, row_count INTEGER, sha256 TEXT)")
        connection.executemany(f"INSERT INTO {NAME} VALUES (?, ?, ?)", lines)  # noqa: S608


def verify(file: Path, shown: Path, *, unverified: bool) -> None:
    """Check that a backup is intact and matches its manifest. `shown` is its name in messages.

    Raises CardhouseError if it isn't, or if it has no manifest and `unverified` is False.
    """
    try:
        with closing(sqlite3.connect(file)) as connection:
            if [problem for (problem,) in connection.execute("PRAGMA integrity_check")] != ["ok"]:
                raise _damaged(shown, "it has parts that can't be read")
            written = _read_lines(connection)
            if written is None:
                if unverified:
                    return
                raise CardhouseError(
                    f"{shown} has no manifest, so Cardhouse can't tell whether it is complete. An older Cardhouse made "
                    "it, or it is a copy of a database. If you trust it, add --unverified."
                )
            wrong = sorted({name for name, *_ in {*written} ^ {*_compute_lines(connection)}})
    except (sqlite3.Error, UnicodeError) as error:
        raise _damaged(shown, str(error)) from None
    if wrong:
        raise _damaged(shown, f"its manifest doesn't match the content of {', '.join(wrong)}")


def fingerprint(file: Path) -> str:
    """Return the digest of a backup's manifest for people to compare; empty without a manifest.

    Raises CardhouseError if it can't be read.
    """
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            lines = _read_lines(connection)
    except sqlite3.Error as error:
        raise _damaged(file, str(error)) from None
    if lines is None:
        return ""
    digest = hashlib.sha256(msgspec.json.encode(lines)).hexdigest()[:32]
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def _damaged(file: Path, why: str) -> CardhouseError:
    return CardhouseError(f"{file} is damaged or was changed: {why}. Nothing was restored; use another backup.")


def _read_lines(connection: sqlite3.Connection) -> _Lines | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (NAME,)).fetchone():
        return None
    return connection.execute(f"SELECT name, row_count, sha256 FROM {NAME} ORDER BY name").fetchall()  # noqa: S608


def _compute_lines(connection: sqlite3.Connection) -> _Lines:
    """Return a line for each table of the file, and one for its schema."""
    query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND tbl_name != ? ORDER BY name"
    made = connection.execute(query, (NAME,)).fetchall()
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != ?"
    names = sorted(name for (name,) in connection.execute(tables, (NAME,)))
    schema = ("schema", len(made), hashlib.sha256(msgspec.json.encode(made)).hexdigest())
    return [schema, *((name, *_digest(connection, name)) for name in names)]


def _digest(connection: sqlite3.Connection, table: str) -> tuple[int, str]:
    keys = [name for _, name, _, _, _, place in connection.execute(f'PRAGMA table_info("{table}")') if place]
    order = f" ORDER BY {', '.join(keys)}" if keys else ""
    digest, count = hashlib.sha256(), 0
    for row in connection.execute(f'SELECT * FROM "{table}"{order}'):  # noqa: S608
        digest.update(msgspec.json.encode(row) + b"\n")
        count += 1
    return count, digest.hexdigest()
