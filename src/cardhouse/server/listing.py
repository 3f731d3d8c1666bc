"""The list of all tables of a database, for the one who keeps it."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import func, select

from cardhouse.server import schema
from cardhouse.server.marks import Mark
from cardhouse.server.store import Store


class Listed(msgspec.Struct, frozen=True):
    """A line in a list of tables; times are Unix seconds. `missing` entries at least had been saved and are gone."""

    id: str
    header: str
    entries: int
    made_at: int
    saved_at: int | None
    missing: int = 0


def list_tables(store: Store) -> Sequence[Listed]:
    """All tables, the one last played at first."""
    entries = schema.entries.c
    number, saved_at = func.coalesce(func.max(entries.number), 0), func.max(entries.saved_at)
    gaps = number - func.count(entries.number)
    marks = {} if store.marks is None else store.marks.read()  # before the entries, of which there are never fewer
    query = (
        select(schema.tables.c.id, schema.tables.c.header, number, schema.tables.c.made_at, saved_at, gaps)
        .join_from(schema.tables, schema.entries, isouter=True)
        .group_by(schema.tables.c.id, schema.tables.c.header, schema.tables.c.made_at)
        .order_by(func.coalesce(saved_at, schema.tables.c.made_at).desc(), schema.tables.c.id)
    )
    with store.engine.connect() as connection:
        listed = [Listed(*row) for row in connection.execute(query)]
    return [_with_losses(one, marks.get(one.id)) for one in listed]


def _with_losses(listed: Listed, mark: Mark | None) -> Listed:
    if mark is None:
        return listed
    missing = listed.missing + mark.lost + max(mark.number - listed.entries, 0)
    return msgspec.structs.replace(listed, missing=missing)
