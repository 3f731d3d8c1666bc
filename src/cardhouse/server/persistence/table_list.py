"""The list of all tables of a database, for its administrator."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, case, func, select, text, true

from cardhouse.server.persistence import schema
from cardhouse.server.persistence.high_water_marks import HighWaterMark
from cardhouse.server.persistence.records import SeatRecord
from cardhouse.server.persistence.repository import Store


class TableDetails(msgspec.Struct, frozen=True):
    """A table for the administrator, without anything hidden. Times are Unix seconds.

    `bytes` is the approximate size of its log, `answered_at` the time of the last answer, `used_at` that of the last
    answer or opening, `goes_at` when it will be deleted as unused; None or 0 for never.
    """

    id: str
    header: str
    made_at: int
    used_at: int
    goes_at: int
    campaign: str
    entries: int
    bytes: int
    answered_at: int | None
    seats: list[SeatRecord]


class TableSummary(msgspec.Struct, frozen=True):
    """A line in a list of tables; times are Unix seconds. At least `missing` saved entries have been lost."""

    id: str
    header: str
    entries: int
    made_at: int
    saved_at: int | None
    missing: int = 0


def list_tables(store: Store) -> Sequence[TableSummary]:
    """Return all tables, the last played first."""
    entries = schema.entries.c
    number, saved_at = func.coalesce(func.max(entries.number), 0), func.max(entries.saved_at)
    gaps = number - func.count(entries.number)
    marks = {} if store.marks is None else store.marks.read()  # read before the entries, which only grow
    query = (
        select(schema.tables.c.id, schema.tables.c.header, number, schema.tables.c.made_at, saved_at, gaps)
        .join_from(schema.tables, schema.entries, isouter=True)
        .group_by(schema.tables.c.id, schema.tables.c.header, schema.tables.c.made_at)
        .order_by(func.coalesce(saved_at, schema.tables.c.made_at).desc(), schema.tables.c.id)
    )
    with store.engine.connect() as connection:
        listed = [TableSummary(*row) for row in connection.execute(query)]
    return [_with_losses(one, marks.get(one.id)) for one in listed]


def _with_losses(listed: TableSummary, mark: HighWaterMark | None) -> TableSummary:
    if mark is None:
        return listed
    missing = listed.missing + mark.lost + max(mark.number - listed.entries, 0)
    return msgspec.structs.replace(listed, missing=missing)


def table_details(store: Store, find: str, after: int, most: int) -> list[TableDetails]:
    """Return at most `most` tables after the first `after`, last used first.

    With `find`, only those whose id is `find` or whose name contains it.
    """
    tables, entries = schema.tables.c, schema.entries.c
    last_answer = (
        select(entries.saved_at)
        .where(entries.table_id == tables.id)
        .order_by(entries.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    seen = select(schema.tables, last_answer.label("answered_at")).where(_has(find)).subquery().c
    used_at = _latest(_latest(seen.made_at, seen.opened_at), func.coalesce(seen.answered_at, 0)).label("used_at")
    which = (
        select(seen.id, seen.header, seen.made_at, used_at, seen.goes_at, seen.campaign, seen.answered_at)
        .order_by(used_at.desc(), seen.id)
        .offset(after)
        .limit(most)
    )
    with store.engine.connect() as connection:
        found = connection.execute(which).all()
        ids = [row.id for row in found]
        size = func.coalesce(func.sum(func.length(entries.text)), 0)
        logs = select(entries.table_id, func.max(entries.number), size)
        log = {
            row[0]: row[1:]
            for row in connection.execute(logs.where(entries.table_id.in_(ids)).group_by(entries.table_id))
        }
        seats: dict[str, list[SeatRecord]] = {}
        for row in connection.execute(
            select(schema.seats).where(schema.seats.c.table_id.in_(ids)).order_by(schema.seats.c.seat)
        ):
            seats.setdefault(row.table_id, []).append(SeatRecord(row.seat, "", row.name, row.bot))
    looked = []
    for row in found:
        number, length = log.get(row.id, (0, 0))
        about = row.id, row.header, row.made_at, row.used_at, row.goes_at, row.campaign
        looked.append(TableDetails(*about, number, int(length), row.answered_at, seats.get(row.id, [])))
    return looked


def _latest(one: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[int]:
    return case((one > other, one), else_=other)


def _has(find: str) -> ColumnElement[bool]:
    """Return the condition that a table's id is `find`, or that its header contains it, escaped as in JSON."""
    tables = schema.tables.c
    escaped = msgspec.json.encode(find).decode()[1:-1]
    return (tables.id == find) | tables.header.icontains(escaped, autoescape=True) if find else true()


def stored_total(store: Store) -> tuple[int, int]:
    """Return the number of tables and the size of the whole database in bytes."""
    size = (
        "pg_database_size(current_database())"
        if store.shared
        else (
            "(SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count) "
            "* (SELECT page_size FROM pragma_page_size)"
        )
    )
    with store.engine.connect() as connection:
        tables = connection.scalar(select(func.count()).select_from(schema.tables)) or 0
        return tables, int(connection.scalar(text(f"SELECT {size}")) or 0)
