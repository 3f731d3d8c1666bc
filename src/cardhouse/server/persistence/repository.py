"""Tables in SQL. These functions block; the server calls them from threads."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, case, delete, exc, func, insert, null, select, update
from sqlalchemy import Row as SqlRow
from sqlalchemy.dialects import postgresql, sqlite

from cardhouse.engine import GM, Snapshot
from cardhouse.engine.table.hash_chain import LogState
from cardhouse.server.core.join_codes import JoinCodes
from cardhouse.server.core.tokens import new_mark
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.database import connect, is_unavailable
from cardhouse.server.persistence.high_water_marks import Marks
from cardhouse.server.persistence.records import DOOR_ROW, Row, SeatRecord, TableRecord
from cardhouse.server.persistence.sqlite_files import Turn

_ENTRY = ("table_id", "number", "id", "text", "saved_at")
_TELLING_NEW = " ON CONFLICT DO NOTHING RETURNING table_id, number, id"
"""Appended to a statement that saves entries, it skips the duplicates and returns the new ones."""
READERS = 2
"""Threads that read at the same time."""


class Store:
    """A database of tables. Raises SQLAlchemy's errors; `is_unavailable` tells a database failure from a row's."""

    def __init__(self, url: str, *, serving: bool = False, reading: bool = False, among: bool = False) -> None:
        """Open the database. `serving` claims a database file for one server; a shared database isn't claimed.

        `among` means that this is one of several processes of a server. With `reading`, the database is only read from;
        it must exist and have the current schema.

        Raises CardhouseError if it can't be used.
        """
        self._database = connect(url, serving=serving, reading=reading, among=among)
        self.engine: Engine = self._database.engine
        self._changes = self._database.changing
        self._file = self._database.file
        self.marks = None if self._file is None else Marks(self._file.marks, among=among)
        """The marks file beside a SQLite database, which records how long each log is; None for a shared database."""
        self.builds = None if self._file is None else self._file.builds
        """The folder beside a SQLite database for the page's earlier builds; None for a shared database."""
        self.shared = self.engine.dialect.name == "postgresql"
        """Whether other servers may write to the database."""
        with self.engine.connect() as connection:
            self.codes = JoinCodes(connection.scalar(select(schema.house.c.salt)) or "")
        dialect = postgresql if self.shared else sqlite
        self._placeholder = "%s" if self.shared else "?"
        self._keep_snapshot = dialect.insert(schema.snapshots).on_conflict_do_nothing()
        sitting = dialect.insert(schema.seats)
        new = sitting.excluded
        self._seat = sitting.on_conflict_do_update(
            index_elements=["table_id", "seat"], set_={"token": new.token, "claimed": null(), "mark": new.mark}
        )
        self._appending: Connection | None = None
        self._turn: AbstractContextManager[None] = nullcontext()
        if among and self._file is not None:
            self._turn = Turn(self._file.turn)
        self._lines = 0
        """The number of connections opened for appending."""
        if serving and self._file is not None:
            self._open_all()

    def _open_all(self) -> None:
        """Open all connections that will be needed, so that the file can still be read after it was moved away."""
        self._line()
        with ExitStack() as stack:
            for _ in range(READERS):
                stack.enter_context(self.engine.connect())

    def close(self) -> None:
        """Close the database."""
        self._close_connection()
        if self.marks is not None and self.marks.is_due:
            with suppress(OSError):
                self.marks.write()
        self._database.close()

    def check(self) -> None:
        """Raises FileLost, an OSError, if the database file is no longer at its path."""
        if self._file is not None:
            self._file.check()

    def version(self) -> tuple[int, int]:
        """Return a value that changes when the file is changed by anything but `append`; for the thread that appends.

        Raises FileLost.
        """
        self.check()
        version = self._line().exec_driver_sql("PRAGMA data_version").scalar_one()
        return self._lines, version

    def reach(self) -> None:
        """Raises SQLAlchemyError or FileLost if the database can't be read at present."""
        with self.engine.connect() as connection:
            connection.execute(select(1))
        self.check()

    @contextmanager
    def changing(self) -> Iterator[Connection]:
        """Open a transaction for changes. They only count if the database file is still the one that was opened.

        Raises FileLost.
        """
        with self._turn, self._changes.begin() as connection:
            yield connection
        self.check()

    # Saving entries: from one thread only.

    def append(self, rows: Sequence[Row]) -> list[bool | Exception]:
        """Save entries of one or more tables in one transaction, on disk when this returns.

        The result has one item per row: True; False if its number or its id is taken; or its own error. Raises
        SQLAlchemyError if the database can't save at present; it is then unknown what was saved.
        """
        try:
            with self._turn:
                saved: list[bool | Exception] = list(self._append_all(rows))
            self.check()
            self._note(rows, saved)
        except Exception as error:
            self._close_connection()
            if is_unavailable(error):
                raise
            if len(rows) == 1:
                return [error]
            saved = [result for row in rows for result in self.append([row])]
        return saved

    def _note(self, rows: Sequence[Row], saved: Sequence[bool | Exception]) -> None:
        if self.marks is not None:
            for row, done in zip(rows, saved, strict=True):
                if done is True:
                    self.marks.note(row.table, row.number)

    @property
    def is_mark_due(self) -> bool:
        """Whether new lengths of logs are waiting to be written to the marks file."""
        return self.marks is not None and self.marks.is_due

    def mark(self) -> None:
        """Write the marks file, if it is due.

        Raises OSError.
        """
        if self.marks is not None:
            self.marks.write_seldom()

    def _append_all(self, rows: Sequence[Row]) -> list[bool]:
        now = int(time.time())
        values = tuple(value for row in rows for value in (row.table, row.number, row.id, row.text, now))
        # A single statement is a transaction by itself: one round trip and one fsync for all rows.
        if not self.shared and self._append_new(len(rows), values):
            return [True] * len(rows)
        saved = set(self._by_driver(_appending(len(rows), self._placeholder) + _TELLING_NEW, values))
        return [(row.table, row.number, row.id) in saved for row in rows]

    def _append_new(self, rows: int, values: Sequence[object]) -> bool:
        """Save the entries if all are new, as they are without other writers; otherwise save none and return False.

        Without RETURNING, because the driver would need the interpreter again for each returned row, and a busy event
        loop yields it late.
        """
        try:
            self._by_driver(_appending(rows, self._placeholder), values)
        except exc.IntegrityError:
            return False
        return True

    def _by_driver(self, statement: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        """Run a statement by the database driver itself and return its rows.

        Raises SQLAlchemyError.
        """
        dialect, cursor = self.engine.dialect, self._line().connection.cursor()
        failure = dialect.loaded_dbapi.Error
        try:
            cursor.execute(statement, values)
            return list(cursor.fetchall())
        except failure as error:
            raise exc.DBAPIError.instance(statement, None, error, failure, dialect=dialect) from error
        finally:
            cursor.close()

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> None:
        """Save snapshots of games, each with its table."""
        values = [
            {
                "table_id": table,
                "number": snapshot.number,
                "draws": snapshot.draws,
                "game": bytes(snapshot.game).decode(),
                "log": msgspec.json.encode(snapshot.log).decode(),
            }
            for table, snapshot in snapshots
        ]
        with self._turn:
            self._line().execute(self._keep_snapshot, values)

    def probe(self) -> None:
        """Raises SQLAlchemyError if nothing can be saved at present."""
        try:
            self._close_connection()
            self._save_log()
            self._line().execute(delete(schema.probe))
            self._line().execute(insert(schema.probe), {"id": "probe", "text": "x" * 8000})
            self._line().execute(delete(schema.probe))
            self.check()
        except Exception:
            self._close_connection()
            raise

    def _save_log(self) -> None:
        """Save a deleted write-ahead log from its open file, so that nothing in it is lost."""
        if self._file is None:
            return
        if self._file.is_log_lost():
            self._file.save_log()
            self.engine.dispose()
        if not self._file.is_held:
            self._file.hold()

    def _line(self) -> Connection:
        if self._appending is None:
            self._appending = self._database.own.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._lines += 1
        return self._appending

    def _close_connection(self) -> None:
        if self._appending is not None:
            line, self._appending = self._appending, None
            line.invalidate()
            line.close()

    # Tables and seats.

    def create(self, table: TableRecord) -> None:
        """Save a new table."""
        with self.changing() as connection:
            _insert(connection, table)

    def follow(self, id: str, table: TableRecord, rows: Sequence[Row] = ()) -> str:
        """Save the new table at which the people of table `id` play again; return its id, or that of an existing one.

        `rows` are its first entries; they are saved with it or not at all. Every link opens the same seat there, so no
        page needs a new secret; names, portraits and bots are copied, too. Concurrent calls, also from other servers,
        are serialised.
        """
        seats, tables = schema.seats.c, schema.tables.c
        # In the order in which other changes lock these rows.
        sitting = select(schema.seats).where(seats.table_id == id).order_by(seats.seat).with_for_update()
        is_last = update(schema.tables).where(tables.id == id, tables.followed_by == "").values(followed_by=table.id)
        with self.changing() as connection:
            there = [_seat_of(row) for row in connection.execute(sitting)]
            if connection.execute(is_last).rowcount == 0:
                return connection.scalar(select(tables.followed_by).where(tables.id == id)) or ""
            self._count_change(connection, id)
            before = connection.execute(select(tables.campaign, tables.faces).where(tables.id == id)).one()
            kept = {"campaign": before.campaign, "faces": before.faces}
            _insert(connection, msgspec.structs.replace(table, seats=there, follows=id, **kept))
            pictures = select(schema.pictures).where(schema.pictures.c.table_id == id)
            for row in connection.execute(pictures).mappings().all():
                connection.execute(insert(schema.pictures), {**row, "table_id": table.id})
            if rows:
                connection.execute(insert(schema.entries), [_values(row) for row in rows])
        return table.id

    def table(self, id: str) -> TableRecord | None:
        """Return a table with its seats, or None."""
        with self.engine.connect() as connection:
            found = connection.execute(select(schema.tables).where(schema.tables.c.id == id)).one_or_none()
            if found is None:
                return None
            seats = connection.execute(
                select(schema.seats).where(schema.seats.c.table_id == id).order_by(schema.seats.c.seat)
            )
            return TableRecord(
                found.id,
                found.header,
                found.seed,
                found.odds,
                found.changed,
                [_seat_of(seat) for seat in seats],
                found.ends_at,
                found.followed_by,
                found.follows,
                found.campaign,
                found.opened_at,
                found.goes_at,
                found.faces,
            )

    def changed(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the count of changes for each of these tables that exists."""
        query = select(schema.tables.c.id, schema.tables.c.changed).where(schema.tables.c.id.in_(tables))
        with self.engine.connect() as connection:
            return {row.id: row.changed for row in connection.execute(query)}

    def set_odds(self, table: str, odds: str) -> None:
        """Set who sees the odds: `off`, `gm` or `all`."""
        with self.changing() as connection:
            connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(odds=odds))
            self._count_change(connection, table)

    def set_end(self, table: str, ends_at: int) -> None:
        """Set when the table will end, in Unix milliseconds; 0 cancels that."""
        with self.changing() as connection:
            connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(ends_at=ends_at))
            self._count_change(connection, table)

    def set_name(self, table: str, seat: str, name: str) -> None:
        """Set the name of the player in this seat."""
        with self.changing() as connection:
            connection.execute(update(schema.seats).where(*_which(table, seat)).values(name=name))
            self._count_change(connection, table)

    def set_bot(self, table: str, seat: str, bot: str) -> None:
        """Set the bot that plays this seat; empty if a person does."""
        with self.changing() as connection:
            connection.execute(update(schema.seats).where(*_which(table, seat)).values(bot=bot))
            self._count_change(connection, table)

    def set_token(self, table: str, seat: str, token: str) -> list[str]:
        """Set or replace a seat's link and remove its second link; return the other tables this changed.

        A seat's link also opens the seat at the tables before and after this one, at which the same people played: the
        new link replaces the old one there. A campaign's link isn't a table's, so it still opens the game master's
        seat.
        """
        seats, there, tables = schema.seats.c, schema.campaigns.c, schema.tables.c
        of_campaign = select(there.token).join(schema.tables, tables.campaign == there.id).where(tables.id == table)
        with self.changing() as connection:
            chain = _chain_of(connection, table)
            which = seats.table_id.in_(chain), seats.seat == seat
            locked = select(schema.seats).where(*which).order_by(seats.table_id).with_for_update()
            found = {row.table_id: row for row in connection.execute(locked)}
            kept = connection.scalar(of_campaign) if seat == GM else None
            old = {found[table].token, found[table].claimed} - {kept, None} if table in found else set()
            mark = new_mark() if seat == DOOR_ROW else ""
            link = {"table_id": table, "seat": seat, "token": token, "name": "", "mark": mark}
            connection.execute(self._seat, link)
            if kept is not None:
                connection.execute(update(schema.seats).where(*_which(table, GM)).values(claimed=kept))
            others = [row for one, row in found.items() if one != table and {row.token, row.claimed} & old]
            for row in others:
                links: dict[str, str | None] = {"token": token} if row.token in old else {"claimed": token}
                if row.token in old and row.claimed in old:
                    links["claimed"] = None
                connection.execute(update(schema.seats).where(*_which(row.table_id, seat)).values(links))
            for one in sorted({table, *(row.table_id for row in others)}):
                self._count_change(connection, one)
            return [row.table_id for row in others]

    def close_door(self, table: str) -> None:
        """Remove the table's invite."""
        with self.changing() as connection:
            connection.execute(delete(schema.seats).where(*_which(table, DOOR_ROW)))
            self._count_change(connection, table)

    def claim(self, table: str, door: str, seat: str, token: str, name: str) -> bool:
        """Give an open seat a second link and a name, replacing a bot; return False, changing nothing, if it is taken.

        It also returns False if `door` is not the table's current invite any more. Concurrent claims and new invites,
        also from other servers, are serialised.
        """
        seats = schema.seats.c
        is_door = select(seats.seat).where(*_which(table, DOOR_ROW), seats.token == door).with_for_update(read=True)
        is_free = seats.name == "", seats.claimed.is_(None)
        take = update(schema.seats).where(*_which(table, seat), *is_free).values(claimed=token, name=name, bot="")
        with self.changing() as connection:
            if connection.execute(is_door).one_or_none() is None or connection.execute(take).rowcount == 0:
                return False
            self._count_change(connection, table)
        return True

    def table_of_door(self, door: str) -> str | None:
        """Return the table whose invite has this secret's hash, or None."""
        seats = schema.seats.c
        which = select(seats.table_id).where(seats.token == door, seats.seat == DOOR_ROW)
        with self.engine.connect() as connection:
            found: str | None = connection.scalar(which)
        return found

    def _count_change(self, connection: Connection, table: str) -> None:
        which = schema.tables.c.id == table
        connection.execute(update(schema.tables).where(which).values(changed=schema.tables.c.changed + 1))

    def next_round(self, table: str, last: int) -> int:
        """Return a new number for a round of links, above `last` and never used before.

        Raises LookupError if there is no such table.
        """
        rounds = schema.tables.c.rounds
        above = case((rounds < last, last), else_=rounds) + 1
        change = update(schema.tables).where(schema.tables.c.id == table).values(rounds=above).returning(rounds)
        with self.changing() as connection:
            number = connection.scalar(change)
        if number is None:
            raise LookupError(table)
        return int(number)

    def last_round(self, table: str) -> int:
        """Return the last used number of a round of links; 0 before the first."""
        with self.engine.connect() as connection:
            return connection.scalar(select(schema.tables.c.rounds).where(schema.tables.c.id == table)) or 0

    def delete(self, table: str) -> bool:
        """Delete a table and all its data; False if there is none.

        The tables before and after it, at which the same people played, are linked to each other.
        """
        with self.changing() as connection:
            found = delete_table(connection, table)
        if found:
            self.forget([table])
        return found

    def forget(self, tables: Sequence[str]) -> None:
        """Remove deleted tables from the marks file, so that they aren't reported as lost."""
        if self.marks is not None:
            with suppress(OSError):  # they are reported as lost once, then no more
                for table in tables:
                    self.marks.forget(table)

    # Reading logs.

    def entries(self, table: str, after: int = 0, most: int | None = None) -> Sequence[tuple[int, str]]:
        """Return the numbers and texts of a table's entries after `after`, in order; at most `most`."""
        query = (
            select(schema.entries.c.number, schema.entries.c.text)
            .where(schema.entries.c.table_id == table, schema.entries.c.number > after)
            .order_by(schema.entries.c.number)
            .limit(most)
        )
        with self.engine.connect() as connection:
            return [(number, text) for number, text in connection.execute(query)]

    def snapshot(self, table: str, upto: int) -> Snapshot | None:
        """Return the latest snapshot of the game at entry `upto` or before."""
        query = (
            select(schema.snapshots.c.number, schema.snapshots.c.draws, schema.snapshots.c.game, schema.snapshots.c.log)
            .where(schema.snapshots.c.table_id == table, schema.snapshots.c.number <= upto)
            .order_by(schema.snapshots.c.number.desc())
            .limit(1)
        )
        with self.engine.connect() as connection:
            found = connection.execute(query).one_or_none()
            if found is None:
                return None
            log = msgspec.json.decode(found.log, type=LogState)
            return Snapshot(found.number, found.draws, msgspec.Raw(found.game.encode()), log)

    def entry_with_id(self, table: str, id: str) -> tuple[int, str] | None:
        """Return the number and text of the entry whose client gave it this id, or None."""
        entries = schema.entries.c
        query = select(entries.number, entries.text).where(entries.table_id == table, entries.id == id)
        with self.engine.connect() as connection:
            found = connection.execute(query).one_or_none()
            return None if found is None else (found.number, found.text)

    def count_tables(self) -> int:
        """Return the number of tables."""
        with self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(schema.tables)) or 0

    def last_number(self, table: str) -> int:
        """Return the number of a table's last entry; 0 if it has none."""
        query = select(func.coalesce(func.max(schema.entries.c.number), 0)).where(schema.entries.c.table_id == table)
        with self.engine.connect() as connection:
            return connection.scalar(query) or 0

    def size(self, table: str) -> int:
        """Return the approximate size of a table's log in bytes."""
        length = func.coalesce(func.sum(func.length(schema.entries.c.text)), 0)
        with self.engine.connect() as connection:
            return int(connection.scalar(select(length).where(schema.entries.c.table_id == table)) or 0)

    def news(self, tables: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return for each of these tables that exists the number of its last entry and its count of changes."""
        number = func.coalesce(func.max(schema.entries.c.number), 0)
        query = (
            select(schema.tables.c.id, number, schema.tables.c.changed)
            .join_from(schema.tables, schema.entries, isouter=True)
            .where(schema.tables.c.id.in_(tables))
            .group_by(schema.tables.c.id, schema.tables.c.changed)
        )
        with self.engine.connect() as connection:
            return {table: (number, changed) for table, number, changed in connection.execute(query)}


def _insert(connection: Connection, table: TableRecord) -> None:
    values = msgspec.structs.asdict(table)
    seats = values.pop("seats")
    connection.execute(insert(schema.tables), {**values, "made_at": int(time.time())})
    connection.execute(insert(schema.seats), [{"table_id": table.id, **msgspec.structs.asdict(seat)} for seat in seats])


def _values(row: Row) -> dict[str, Any]:
    """Return an entry's column values, saved now."""
    return {
        "table_id": row.table,
        "number": row.number,
        "id": row.id,
        "text": row.text,
        "saved_at": int(time.time()),
    }


def delete_table(connection: Connection, id: str) -> bool:
    """Delete a table and remove it from the chain of tables with the same people; return False if there is none."""
    tables = schema.tables.c
    neighbours = select(tables.follows, tables.followed_by).where(tables.id == id)
    if (found := connection.execute(neighbours).one_or_none()) is None:
        return False
    changed = {"changed": tables.changed + 1}
    before, after = (
        update(schema.tables).where(tables.followed_by == id),
        update(schema.tables).where(tables.follows == id),
    )
    connection.execute(before.where(tables.id == found.follows).values(followed_by=found.followed_by, **changed))
    connection.execute(after.where(tables.id == found.followed_by).values(follows=found.follows, **changed))
    connection.execute(delete(schema.tables).where(tables.id == id))
    return True


def _chain_of(connection: Connection, id: str) -> list[str]:
    """Return the ids of a table and of all tables before and after it with the same people."""
    tables = schema.tables.c
    chain, ends = {id}, {id}
    while ends:
        query = select(tables.follows, tables.followed_by).where(tables.id.in_(ends))
        ends = {one for row in connection.execute(query) for one in row if one} - chain
        chain |= ends
    return sorted(chain)


def _seat_of(row: SqlRow[Any]) -> SeatRecord:
    return SeatRecord(row.seat, row.token, row.name, row.bot, row.claimed, row.mark)


def _which(table: str, seat: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return schema.seats.c.table_id == table, schema.seats.c.seat == seat


@cache
def _appending(rows: int, placeholder: str) -> str:
    """Return the statement that saves this many entries.

    It is built once and run by the driver itself: SQLAlchemy's handling of a statement and its parameters costs as much
    as saving.
    """
    columns = ", ".join(_ENTRY)
    row = f"({', '.join([placeholder] * len(_ENTRY))})"
    return f"INSERT INTO {schema.entries.name} ({columns}) VALUES {', '.join([row] * rows)}"  # noqa: S608 - no values
