"""A check for lost entries when the server starts."""

import logging

import msgspec
from sqlalchemy import delete, func, select
from sqlalchemy.exc import SQLAlchemyError

from cardhouse.server.persistence import schema
from cardhouse.server.persistence.high_water_marks import HighWaterMark, Marks
from cardhouse.server.persistence.repository import Store

log = logging.getLogger("cardhouse.server")


class Loss(msgspec.Struct, frozen=True):
    """A table that has lost at least `missing` entries; `last` is the last remaining entry, 0 for none."""

    table: str
    last: int
    missing: int


def warn_of_losses(store: Store) -> None:
    """Log which tables have lost entries, and delete their snapshots that are ahead of the log."""
    try:
        losses = find_losses(store)
    except (SQLAlchemyError, OSError) as error:
        log.warning("Can't check for missing entries: %s", str(error).partition("\n")[0])
        return
    for loss in losses:
        log.warning(
            "Table %s has lost %s. The database or its log (-wal) was damaged, deleted or replaced by an older one: "
            "if you have one that has them, stop the server and put it back.",
            loss.table,
            _in_words(loss),
        )


def _in_words(loss: Loss) -> str:
    entries = "entry that was" if loss.missing == 1 else "entries that were"
    there = f"the last one left is number {loss.last}" if loss.last else "none is left"
    return f"at least {loss.missing} {entries} saved; {there}"


def find_losses(store: Store) -> list[Loss]:
    """Return the tables that have lost entries, and delete their snapshots of lost positions.

    Such a snapshot would be taken for one of other entries once the log gets that far again. Raises SQLAlchemyError,
    OSError.
    """
    ahead = _drop_snapshots_ahead(store)
    marks = {} if store.marks is None else store.marks.read()
    ends = _ends(store)
    losses = []
    for table in sorted(ends.keys() | marks.keys()):
        last, entries = ends.get(table, (0, 0))
        known = max(ahead.get(table, 0), marks[table].number if table in marks else 0)
        missing = last - entries + max(known - last, 0)
        if missing:
            losses.append(Loss(table, last, missing))
    if store.marks is not None:
        _mark_losses(store, store.marks, {loss.table: loss.missing for loss in losses})
    return losses


def _ends(store: Store) -> dict[str, tuple[int, int]]:
    """Return for each table the number of its last entry and its count of entries."""
    entries = schema.entries.c
    query = (
        select(schema.tables.c.id, func.coalesce(func.max(entries.number), 0), func.count(entries.number))
        .join_from(schema.tables, schema.entries, isouter=True)
        .group_by(schema.tables.c.id)
    )
    with store.engine.connect() as connection:
        return {table: (last, entries) for table, last, entries in connection.execute(query)}


def _drop_snapshots_ahead(store: Store) -> dict[str, int]:
    """Delete snapshots at entries that don't exist; return the highest number among them for each table."""
    last = select(func.coalesce(func.max(schema.entries.c.number), 0)).where(
        schema.entries.c.table_id == schema.snapshots.c.table_id
    )
    drop = (
        delete(schema.snapshots)
        .where(schema.snapshots.c.number > last.scalar_subquery())
        .returning(schema.snapshots.c.table_id, schema.snapshots.c.number)
    )
    dropped: dict[str, int] = {}
    with store.changing() as connection:
        for table, number in connection.execute(drop):
            dropped[table] = max(number, dropped.get(table, 0))
    return dropped


def _mark_losses(store: Store, marks: Marks, missing: dict[str, int]) -> None:
    """Reset the marks to the existing entries, adding the entries found missing now to those lost before.

    Raises OSError.
    """
    before, ends = marks.read(), _ends(store)
    new = []
    for table, (last, entries) in ends.items():
        lost = missing.get(table, 0) - (last - entries)  # gaps within the log stay visible without a mark
        new.append(HighWaterMark(table, last, max(lost, 0) + (before[table].lost if table in before else 0)))
    marks.replace(new)
