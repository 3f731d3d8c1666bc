"""Retention in SQL: use and deletion of tables. These functions block."""

from collections.abc import Sequence

from sqlalchemy import case, delete, func, select, update

from cardhouse.server.persistence import schema
from cardhouse.server.persistence.repository import Store, delete_table
from cardhouse.server.persistence.retention_policy import TableUsage


def count_day(store: Store, today: int) -> int | None:
    """Count a day (days since 1970) as one on which the server runs; return how many there are.

    Returns None if this or a later day was counted already, by any server: only one of several servers gets the number.
    """
    house = schema.house.c
    count = update(schema.house).where(house.last_day < today).values(days=house.days + 1, last_day=today)
    with store.changing() as connection:
        days: int | None = connection.scalar(count.returning(house.days))
    return days


def last_day(store: Store) -> int:
    """Return the latest day that was counted, in days since 1970."""
    with store.engine.connect() as connection:
        return connection.scalar(select(schema.house.c.last_day)) or 0


def read_usage(store: Store, after: str, most: int) -> Sequence[TableUsage]:
    """Return the use of the next `most` tables, in the order of their ids, after the id `after`."""
    tables, entries = schema.tables.c, schema.entries.c
    last = select(func.max(entries.number)).where(entries.table_id == tables.id).correlate(schema.tables)
    last_number = func.coalesce(last.scalar_subquery(), 0).label("last_number")
    some = select(tables.id, tables.campaign, tables.made_at, tables.opened_at, tables.goes_at, tables.goes_day)
    page = some.add_columns(last_number).where(tables.id > after).order_by(tables.id).limit(most).subquery()
    saved_at = func.coalesce(entries.saved_at, 0)
    used_at = case(
        (page.c.opened_at > page.c.made_at, page.c.opened_at),
        else_=page.c.made_at,
    )
    used_at = case((saved_at > used_at, saved_at), else_=used_at)
    query = (
        select(page.c.id, page.c.campaign, used_at, page.c.last_number, page.c.goes_at, page.c.goes_day)
        .join_from(
            page,
            schema.entries,
            (entries.table_id == page.c.id) & (entries.number == page.c.last_number),
            isouter=True,
        )
        .order_by(page.c.id)
    )
    with store.engine.connect() as connection:
        return [TableUsage(*row) for row in connection.execute(query)]


def set_deletion(store: Store, fates: Sequence[tuple[str, int, int]]) -> None:
    """Set when tables will be deleted, as Unix seconds and as a count of running days; 0 cancels that."""
    tables = schema.tables.c
    with store.changing() as connection:
        for table, goes_at, goes_day in fates:
            values = {"goes_at": goes_at, "goes_day": goes_day, "changed": tables.changed + 1}
            connection.execute(update(schema.tables).where(tables.id == table).values(values))


def record_opened(store: Store, table: str, at: int) -> None:
    """Record that a table was opened, at this time in Unix seconds."""
    where = update(schema.tables).where(schema.tables.c.id == table, schema.tables.c.opened_at < at)
    with store.changing() as connection:
        connection.execute(where.values(opened_at=at))


def cancel_deletion(store: Store, table: str, at: int) -> None:
    """Cancel the deletion of a table that is used or kept, at this time; in a campaign, that of all its tables."""
    tables = schema.tables.c
    campaign = select(tables.campaign).where(tables.id == table).scalar_subquery()
    which = (tables.id == table) | ((tables.campaign == campaign) & (tables.campaign != ""))
    values = {"opened_at": at, "goes_at": 0, "goes_day": 0, "changed": tables.changed + 1}
    with store.changing() as connection:
        connection.execute(update(schema.tables).where(which, tables.goes_at > 0).values(values))


def cancel_all_deletions(store: Store) -> None:
    """Cancel the deletion of all tables."""
    tables = schema.tables.c
    values = {"goes_at": 0, "goes_day": 0, "changed": tables.changed + 1}
    with store.changing() as connection:
        connection.execute(update(schema.tables).where(tables.goes_at > 0).values(values))


def delete_unwanted(store: Store, unwanted: Sequence[TableUsage]) -> bool:
    """Delete a table, or a campaign with all its tables, unless one of them has just been used or kept."""
    tables, entries = schema.tables.c, schema.entries.c
    ids = [one.id for one in unwanted]
    with store.changing() as connection:
        locked = select(tables.id, tables.goes_at).where(tables.id.in_(ids)).order_by(tables.id).with_for_update()
        found = {row.id: row.goes_at for row in connection.execute(locked)}
        counts = select(entries.table_id, func.max(entries.number)).where(entries.table_id.in_(ids))
        last = {row[0]: row[1] for row in connection.execute(counts.group_by(entries.table_id))}
        if any((found.get(one.id), last.get(one.id, 0)) != (one.goes_at, one.entries) for one in unwanted):
            return False
        for table in ids:
            delete_table(connection, table)
        if unwanted[0].campaign:
            connection.execute(delete(schema.campaigns).where(schema.campaigns.c.id == unwanted[0].campaign))
    store.forget(ids)
    return True
