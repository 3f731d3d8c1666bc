"""A connection to the database, brought to the form this Cardhouse knows."""

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
_MIGRATING = 0x63617264  # a number of our own for PostgreSQL's advisory lock
_TRIES = 100
"""Others may begin to write so often between the end of our waiting and our own try."""


class Database(NamedTuple):
    """An open database, and the file that it is, if it is one."""

    engine: Engine
    file: DatabaseFile | None
    own: Engine
    """For a connection of one's own: given up, it leaves no empty place among those that are pooled."""

    @property
    def changing(self) -> Engine:
        """The engine for transactions that change something; in a file one waits for the other as it begins."""
        return self.engine.execution_options(**{_CHANGES: True})

    def close(self) -> None:
        """Let go of it."""
        self.engine.dispose()
        if self.file is not None:
            self.file.let_go()
            self.file.unlock()


def connect(url: str, *, serving: bool = False, reading: bool = False, among: bool = False) -> Database:
    """Open the database of this URL (`sqlite:///path`, `postgresql://...`) and bring it to the present form.

    `serving` says that nobody else may serve from it where it is a file; `among`, that this is one of the processes of
    a house that has seen to that. With `reading` nothing is made or changed.
    Raises CardhouseError if there is none, one of a newer Cardhouse, or another server has it.
    """
    database = _open(url, reading=reading, serving=serving)
    if reading:
        # That needs no transaction, and on SQLite none of those that write should wait for one.
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
        shown = _shown(database.engine.url)
        raise CardhouseError(f"The database {shown} can't be used: {_first_line(error)}") from None
    except CardhouseError:
        database.close()
        raise
    return database


def _check(database: Database) -> None:
    """Raises CardhouseError unless it is in the present form."""
    with database.engine.connect() as connection:
        if _version(connection) != VERSION:
            raise CardhouseError(f"The database {_shown(database.engine.url)} isn't in the form of this Cardhouse.")
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
        raise CardhouseError("Tables need a file to be kept in: sqlite:///path/to/cards.db.")
    if not Path(url.database).absolute().parent.is_dir():
        raise CardhouseError(f"There is no folder {Path(url.database).absolute().parent} to keep the database in.")
    file = DatabaseFile(url.database)
    if serving:
        file.check_local()
    try:
        if not reading:
            file.make()
        elif not file.path.exists():
            raise CardhouseError(f"The database {_shown(url)} has been moved or deleted.")
    except OSError as error:
        raise CardhouseError(f"The database {_shown(url)} can't be used: {_first_line(error)}") from None
    engine = create_engine(url, creator=file.connect)
    own = create_engine(url, creator=file.connect, poolclass=NullPool)

    @event.listens_for(own, "connect")
    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # we say ourselves when a transaction begins
        if not reading:
            use_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = FULL")  # in WAL mode less would lose commits when the power goes
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(own, "begin")
    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") != "AUTOCOMMIT":  # whoever only reads has nobody wait
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_CHANGES) else "BEGIN")

    return Database(engine, file, own)


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Turn on SQLite's write-ahead log, waiting for a program that writes meanwhile.

    SQLite refuses that at once, whatever its timeout, where another connection has the file locked and the log isn't on
    yet. A transaction does wait, so that it is one that finds out when the other is done.
    Raises sqlite3.OperationalError if that takes longer than the connection's timeout.
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
                "client_encoding": "utf8",  # else a database of no encoding gives bytes, and we never come to refuse it
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
        if _version(connection) != VERSION:  # else another server was quicker
            _migrate(connection)


@contextmanager
def _locked(file: DatabaseFile | None) -> Iterator[None]:
    """Nobody serves from the file, whom another form of it would take by surprise.

    Raises CardhouseError if somebody does.
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
    """The database's version; None if it is empty.

    Raises CardhouseError if it isn't one of ours, or newer.
    """
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        if set(names) & set(metadata.tables):
            raise CardhouseError(f"The database {_shown(connection.engine.url)} holds tables of something else.")
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if version is None or version == VERSION:
        return version
    if not version.isdecimal() or "entries" not in names:
        raise CardhouseError(f"The database {_shown(connection.engine.url)} belongs to something else.")
    if version > VERSION:
        raise CardhouseError(
            f"The database {_shown(connection.engine.url)} is of a newer Cardhouse: its version is {version}, "
            f"this one knows up to {VERSION}.",
            "newer",
        )
    return version


def _migrate(connection: Connection, version: str = "head") -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)
    from alembic import command  # takes long to import, and is seldom needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _first_line(error: exc.DBAPIError | OSError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error.orig or error).strip().partition("\n")[0]


def is_unavailable(error: Exception) -> bool:
    """Whether an error is the database's own state (gone, full, locked), and not what was asked of it."""
    at_fault: tuple[type[Any], ...] = (exc.IntegrityError, exc.DataError, exc.ProgrammingError)
    return isinstance(error, (exc.SQLAlchemyError, OSError)) and not isinstance(error, at_fault)
