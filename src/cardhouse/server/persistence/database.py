"""A connection to the database, migrated to the current schema."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, create_engine, event, exc, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import NullPool, Pool

from cardhouse.engine import CardhouseError
from cardhouse.server.persistence.schema import VERSION, metadata
from cardhouse.server.persistence.sqlite_files import SECONDS, DatabaseFile

_CHANGES = "changes"
_MIGRATING = 0x63617264  # our own number for PostgreSQL's advisory lock
_TRIES = 100
"""How often other programs may start to write between the end of our wait and our next attempt."""


class Database(NamedTuple):
    """An open database, with its file if it is SQLite."""

    engine: Engine
    file: DatabaseFile | None
    own: Engine
    """An engine for unpooled connections: discarding one leaves no gap in the pool."""

    @property
    def changing(self) -> Engine:
        """The engine for transactions with changes; on SQLite they wait for each other as they begin."""
        return self.engine.execution_options(**{_CHANGES: True})

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()
        if self.file is not None:
            self.file.let_go()
            self.file.unlock()


def connect(url: str, *, serving: bool = False, reading: bool = False, among: bool = False) -> Database:
    """Open the database of this URL (`sqlite:///path`, `postgresql://...`) and migrate it to the current schema.

    `serving` claims a database file for one server; `among` means that this is one process of a server that has already
    claimed it. With `reading`, nothing is created or changed. Raises CardhouseError if there is no database, if it has
    a newer schema, or if another server has it.
    """
    database = _open(url, reading=reading, serving=serving)
    if reading:
        # Reading needs no transaction, and must not make writers wait for one on SQLite.
        database = database._replace(engine=database.engine.execution_options(isolation_level="AUTOCOMMIT"))
    try:
        if reading:
            _check(database)
        elif database.file is None:
            _prepare(database)
        else:
            _prepare_file(database, database.file, serving=serving and not among)
    except (exc.DBAPIError, OSError) as error:
        database.close()
        shown = _display_url(database.engine.url)
        raise CardhouseError(f"The database {shown} can't be used: {_first_line(error)}") from None
    except CardhouseError:
        database.close()
        raise
    return database


def _check(database: Database) -> None:
    """Raises CardhouseError unless the database has the current schema."""
    with database.engine.connect() as connection:
        if _version(connection) != VERSION:
            raise CardhouseError(
                f"The database {_display_url(database.engine.url)} doesn't have the schema of this Cardhouse."
            )
    if database.file is not None:
        database.file.hold()


def _prepare_file(database: Database, file: DatabaseFile, *, serving: bool) -> None:
    with file.preparing():
        if serving:
            file.lock()
        _prepare(database)
    file.tighten()
    file.hold()
    database.engine.dispose()  # connections opened while preparing would wait too long for a lock


def _open(text_of_url: str, *, reading: bool = False, serving: bool = False) -> Database:
    try:
        url = make_url(text_of_url)
    except exc.ArgumentError:
        raise CardhouseError(
            f'"{text_of_url}" isn\'t a database URL. Write sqlite:///cards.db or postgresql://user@host/name.'
        ) from None
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, reading=reading, serving=serving)
    if url.get_backend_name() == "postgresql":
        return Database(_postgres(url), None, _postgres(url, NullPool))
    raise CardhouseError(f"Cardhouse keeps its tables in SQLite or PostgreSQL, not in {url.get_backend_name()}.")


def _sqlite(url: URL, *, reading: bool, serving: bool) -> Database:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise CardhouseError("SQLite needs a file to keep tables in: sqlite:///path/to/cards.db.")
    if not Path(url.database).absolute().parent.is_dir():
        raise CardhouseError(f"There is no folder {Path(url.database).absolute().parent} to keep the database in.")
    file = DatabaseFile(url.database)
    if serving:
        file.check_local()
    try:
        if not reading:
            file.make()
        elif not file.path.exists():
            raise CardhouseError(f"The database {_display_url(url)} has been moved or deleted.")
    except OSError as error:
        raise CardhouseError(f"The database {_display_url(url)} can't be used: {_first_line(error)}") from None
    engine = create_engine(url, creator=file.connect)
    own = create_engine(url, creator=file.connect, poolclass=NullPool)

    @event.listens_for(own, "connect")
    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # transactions are begun explicitly, below
        if not reading:
            use_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = FULL")  # in WAL mode, a lower level loses commits when the power fails
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(own, "begin")
    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") != "AUTOCOMMIT":  # a reader must not make others wait
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_CHANGES) else "BEGIN")

    return Database(engine, file, own)


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Turn on SQLite's write-ahead log, waiting for a program that is writing.

    While another connection has the file locked and the log isn't on yet, SQLite refuses this at once, regardless of
    its timeout. A transaction does wait, so an empty one is used to find out when the other program is done. Raises
    sqlite3.OperationalError if that takes longer than the connection's timeout.
    """
    for _ in range(_TRIES):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")


def _postgres(url: URL, pool: type[Pool] | None = None) -> Engine:
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            poolclass=pool,
            pool_pre_ping=True,
            connect_args={
                # otherwise a database without an encoding returns bytes, which hides the error below
                "client_encoding": "utf8",
                "connect_timeout": SECONDS,
                "keepalives_idle": SECONDS,
                "tcp_user_timeout": SECONDS * 1000,
                "options": f"-c statement_timeout={SECONDS}s -c lock_timeout={SECONDS}s",
            },
        )
    except ImportError:
        raise CardhouseError("PostgreSQL needs another package: pip install 'cardhouse[postgres]'.") from None


def _prepare(database: Database) -> None:
    with database.engine.begin() as connection:
        if _version(connection) == VERSION:
            return
    with _locked(database.file), database.changing.begin() as connection:
        if connection.dialect.name == "postgresql":
            if connection.scalar(text("SHOW server_encoding")) != "UTF8":
                raise CardhouseError("The database must be one of encoding UTF8, so that every name can be written.")
            connection.execute(text("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATING})
        if _version(connection) != VERSION:  # otherwise another server migrated it first
            _migrate(connection)


@contextmanager
def _locked(file: DatabaseFile | None) -> Iterator[None]:
    """Claim the file, because a migration would break a server that uses it.

    Raises CardhouseError if a server does.
    """
    if file is None:
        yield
        return
    file.lock()
    try:
        yield
    finally:
        file.unlock()


def _version(connection: Connection) -> str | None:
    """Return the database's version; None if it is empty.

    Raises CardhouseError if it isn't a Cardhouse database, or is newer.
    """
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        if set(names) & set(metadata.tables):
            raise CardhouseError(f"The database {_display_url(connection.engine.url)} holds tables of something else.")
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if version is None or version == VERSION:
        return version
    if not version.isdecimal() or "entries" not in names:
        raise CardhouseError(f"The database {_display_url(connection.engine.url)} belongs to something else.")
    if version > VERSION:
        raise CardhouseError(
            f"The database {_display_url(connection.engine.url)} is of a newer Cardhouse: its version is {version}, "
            f"this one knows up to {VERSION}.",
            "newer",
        )
    return version


def _migrate(connection: Connection, version: str = "head") -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)
    from alembic import command  # slow to import, and rarely needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def _display_url(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _first_line(error: exc.DBAPIError | OSError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error.orig or error).strip().partition("\n")[0]


def is_unavailable(error: Exception) -> bool:
    """Return whether an error is the database's own state (gone, full, locked), not a fault of the statement."""
    at_fault: tuple[type[Any], ...] = (exc.IntegrityError, exc.DataError, exc.ProgrammingError)
    return isinstance(error, (exc.SQLAlchemyError, OSError)) and not isinstance(error, at_fault)
