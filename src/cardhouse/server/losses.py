"""Notices, when a server starts, that entries which had been saved are gone."""

import logging

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from cardhouse.server.store import Store

log = logging.getLogger("cardhouse.server")


class Loss(msgspec.Struct, frozen=True):
    """A table that misses so many entries at least; `last` is the number of the last that it has, 0 if it is gone."""

    table: str
    last: int
    missing: int


def warn_of_losses(store: Store) -> None:
    """Say in the log which tables have lost entries, and make sure that nothing of them is gone by."""
    try:
        losses = find_losses(store)
    except (SQLAlchemyError, OSError) as error:
        log.warning("Whether entries are missing could not be found out: %s", str(error).partition("\n")[0])
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
    there = f"the last that is there is number {loss.last}" if loss.last else "none is there any more"
    return f"at least {loss.missing} {entries} saved; {there}"


def find_losses(store: Store) -> list[Loss]:
    """The tables that have lost entries, whose copies of what is gone are deleted.

    They would be taken for copies of other entries, once the log comes so far again.
    Raises SQLAlchemyError, OSError.
    """
    ahead = store.drop_rests_ahead()
    marks, ends = store.marks(), store.ends()
    losses = []
    for table in sorted(ends.keys() | marks.keys()):
        last, entries = ends.get(table, (0, 0))
        known = max(ahead.get(table, 0), marks[table].number if table in marks else 0)
        missing = last - entries + max(known - last, 0)
        if missing:
            losses.append(Loss(table, last, missing))
    store.mark_losses({loss.table: loss.missing for loss in losses})
    return losses
