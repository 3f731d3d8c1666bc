"""What is kept of tables, in SQL. Everything here waits for the database; the server calls it from other threads."""

import time
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardhouse.engine import Rest
from cardhouse.server import schema
from cardhouse.server.database import connect, is_unavailable


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat's link and who sits there. `token` is the SHA-256 of the link's secret, in hex.

    `bot` is the one that plays the seat, empty if a person does.
    """

    seat: str
    token: str
    name: str = ""
    bot: str = ""


class TableRecord(msgspec.Struct, frozen=True):
    """A table as it is kept, but for its log. `changed` counts what was done to settings, names and links."""

    id: str
    header: str
    seed: str
    odds: str
    changed: int
    seats: list[SeatRecord]


class Row(msgspec.Struct, frozen=True):
    """An entry to be saved. `rest` is the game after it, if it is time to keep a copy."""

    table: str
    number: int
    id: str | None
    text: str
    rest: Rest | None = None


class Listed(msgspec.Struct, frozen=True):
    """A line in a list of tables; times are Unix seconds."""

    id: str
    header: str
    entries: int
    made_at: int
    saved_at: int | None


class Store:
    """A database of tables. Raises SQLAlchemy's errors; `is_unavailable` tells a database's fault from a row's."""

    def __init__(self, url: str) -> None:
        """Open it.

        Raises CardhouseError if it can't be used.
        """
        self.engine: Engine = connect(url)
        self.shared = self.engine.dialect.name == "postgresql"
        """Whether other servers may write to it as well."""
        dialect = postgresql if self.shared else sqlite
        self._append = (
            dialect.insert(schema.entries)
            .on_conflict_do_nothing()
            .returning(schema.entries.c.table_id, schema.entries.c.number, schema.entries.c.id)
        )
        self._keep = dialect.insert(schema.rests).on_conflict_do_nothing()
        sitting = dialect.insert(schema.seats)
        self._seat = sitting.on_conflict_do_update(
            index_elements=["table_id", "seat"], set_={"token": sitting.excluded.token}
        )
        self._appending: Connection | None = None

    def close(self) -> None:
        """Let go of the database."""
        self._hang_up()
        self.engine.dispose()

    # Saving entries: from one thread only.

    def append(self, rows: Sequence[Row]) -> list[bool | Exception]:
        """Save entries of one or more tables in one transaction, on disk when this returns.

        For each row True, or False if its number or its id is taken, or the error that it alone met with.
        Raises SQLAlchemyError, and it is unknown what was saved, if the database can't save at present.
        """
        try:
            saved: list[bool | Exception] = list(self._append_all(rows))
        except Exception as error:
            self._hang_up()
            if is_unavailable(error):
                raise
            if len(rows) == 1:
                return [error]
            saved = [result for row in rows for result in self.append([row])]
        return saved

    def _append_all(self, rows: Sequence[Row]) -> list[bool]:
        now = int(time.time())
        connection = self._line()
        values = [
            {"table_id": row.table, "number": row.number, "id": row.id, "text": row.text, "saved_at": now}
            for row in rows
        ]
        # One statement without a transaction around it is a transaction: one journey and one fsync for all.
        saved = {tuple(found) for found in connection.execute(self._append, values)}
        return [(row.table, row.number, row.id) in saved for row in rows]

    def keep(self, rests: Sequence[tuple[str, Rest]]) -> None:
        """Keep copies of games, each with its table."""
        values = [
            {"table_id": table, "number": rest.number, "draws": rest.draws, "game": bytes(rest.game).decode()}
            for table, rest in rests
        ]
        self._line().execute(self._keep, values)

    def probe(self) -> None:
        """Raises SQLAlchemyError if nothing can be saved at present."""
        try:
            self._hang_up()
            self._line().execute(delete(schema.probe))
            self._line().execute(insert(schema.probe), {"id": "probe", "text": "x" * 8000})
            self._line().execute(delete(schema.probe))
        except Exception:
            self._hang_up()
            raise

    def _line(self) -> Connection:
        if self._appending is None:
            self._appending = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return self._appending

    def _hang_up(self) -> None:
        if self._appending is not None:
            line, self._appending = self._appending, None
            line.invalidate()
            line.close()

    # Tables and seats.

    def create(self, table: TableRecord) -> None:
        """Save a new table."""
        with self.engine.begin() as connection:
            values = msgspec.structs.asdict(table)
            seats = values.pop("seats")
            connection.execute(insert(schema.tables), {**values, "made_at": int(time.time())})
            connection.execute(
                insert(schema.seats), [{"table_id": table.id, **msgspec.structs.asdict(seat)} for seat in seats]
            )

    def table(self, id: str) -> TableRecord | None:
        """A table with its seats, or None."""
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
                [SeatRecord(seat.seat, seat.token, seat.name, seat.bot) for seat in seats],
            )

    def set_odds(self, table: str, odds: str) -> None:
        """Who sees the odds: `off`, `gm` or `all`."""
        with self.engine.begin() as connection:
            connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(odds=odds))
            self._count_change(connection, table)

    def set_name(self, table: str, seat: str, name: str) -> None:
        """What the one in this seat is called."""
        with self.engine.begin() as connection:
            which = (schema.seats.c.table_id == table, schema.seats.c.seat == seat)
            connection.execute(update(schema.seats).where(*which).values(name=name))
            self._count_change(connection, table)

    def set_bot(self, table: str, seat: str, bot: str) -> None:
        """Which bot plays this seat; empty if a person does."""
        with self.engine.begin() as connection:
            which = (schema.seats.c.table_id == table, schema.seats.c.seat == seat)
            connection.execute(update(schema.seats).where(*which).values(bot=bot))
            self._count_change(connection, table)

    def set_token(self, table: str, seat: str, token: str) -> None:
        """The seat's link, new or anew."""
        with self.engine.begin() as connection:
            connection.execute(self._seat, {"table_id": table, "seat": seat, "token": token, "name": ""})
            self._count_change(connection, table)

    def _count_change(self, connection: Connection, table: str) -> None:
        which = schema.tables.c.id == table
        connection.execute(update(schema.tables).where(which).values(changed=schema.tables.c.changed + 1))

    def list(self) -> Sequence[Listed]:
        """All tables, the one last played at first."""
        entries = schema.entries.c
        number, saved_at = func.coalesce(func.max(entries.number), 0), func.max(entries.saved_at)
        query = (
            select(schema.tables.c.id, schema.tables.c.header, number, schema.tables.c.made_at, saved_at)
            .join_from(schema.tables, schema.entries, isouter=True)
            .group_by(schema.tables.c.id, schema.tables.c.header, schema.tables.c.made_at)
            .order_by(func.coalesce(saved_at, schema.tables.c.made_at).desc(), schema.tables.c.id)
        )
        with self.engine.connect() as connection:
            return [Listed(*row) for row in connection.execute(query)]

    def delete(self, table: str) -> bool:
        """Delete a table and all that is kept of it; False if there is none."""
        with self.engine.begin() as connection:
            return connection.execute(delete(schema.tables).where(schema.tables.c.id == table)).rowcount > 0

    # Reading logs.

    def entries(self, table: str, after: int = 0, most: int | None = None) -> Sequence[tuple[int, str]]:
        """The numbers and texts of a table's entries behind one, in order; the first so many, or all."""
        query = (
            select(schema.entries.c.number, schema.entries.c.text)
            .where(schema.entries.c.table_id == table, schema.entries.c.number > after)
            .order_by(schema.entries.c.number)
            .limit(most)
        )
        with self.engine.connect() as connection:
            return [(number, text) for number, text in connection.execute(query)]

    def rest(self, table: str, upto: int) -> Rest | None:
        """The latest copy of the game at entry `upto` or before it."""
        query = (
            select(schema.rests.c.number, schema.rests.c.draws, schema.rests.c.game)
            .where(schema.rests.c.table_id == table, schema.rests.c.number <= upto)
            .order_by(schema.rests.c.number.desc())
            .limit(1)
        )
        with self.engine.connect() as connection:
            found = connection.execute(query).one_or_none()
            return None if found is None else Rest(found.number, found.draws, msgspec.Raw(found.game.encode()))

    def number_of(self, table: str, id: str) -> int | None:
        """The number of the entry that a client called so."""
        which = (schema.entries.c.table_id == table, schema.entries.c.id == id)
        with self.engine.connect() as connection:
            return connection.scalar(select(schema.entries.c.number).where(*which))

    def last_number(self, table: str) -> int:
        """The number of a table's last entry; 0 if it has none."""
        query = select(func.coalesce(func.max(schema.entries.c.number), 0)).where(schema.entries.c.table_id == table)
        with self.engine.connect() as connection:
            return connection.scalar(query) or 0

    def news(self, tables: Sequence[str]) -> dict[str, tuple[int, int]]:
        """For each of these tables that exists, the number of its last entry and its count of changes."""
        number = func.coalesce(func.max(schema.entries.c.number), 0)
        query = (
            select(schema.tables.c.id, number, schema.tables.c.changed)
            .join_from(schema.tables, schema.entries, isouter=True)
            .where(schema.tables.c.id.in_(tables))
            .group_by(schema.tables.c.id, schema.tables.c.changed)
        )
        with self.engine.connect() as connection:
            return {table: (number, changed) for table, number, changed in connection.execute(query)}
