"""A table's transcript, and how it was dealt, read from the database by worker processes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from cardhouse.engine import SCREEN, CardhouseError, write_line
from cardhouse.engine.integrity.verify import Dealt, dealt
from cardhouse.server.persistence.database import is_unavailable
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.persistence.repository import Store


@contextmanager
def store_to_read(database: str) -> Iterator[Store]:
    """Open the store at this URL for reading.

    Raises NotSaved if the database doesn't answer.
    """
    try:
        store = _store(database)
    except CardhouseError:  # its message names the database, which visitors mustn't see
        raise NotSaved from None
    try:
        yield store
    except (SQLAlchemyError, OSError) as error:
        if is_unavailable(error):
            raise NotSaved from None
        raise


@cache
def _store(database: str) -> Store:
    return Store(database, reading=True)


def export_transcript(database: str, record: TableRecord, upto: int | None = None) -> bytes:
    """Return a table's transcript, up to an entry or to its end, from the database at this URL.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        return transcript_of(store, record, upto)


class Deal(msgspec.Struct, frozen=True):
    """A table's transcript, and each dealt card and die in it with the possible outcomes."""

    transcript: str
    dealt: list[Dealt]


def export_deal(database: str, record: TableRecord) -> Deal:
    """Return how a finished table was dealt, from the database at this URL.

    Raises CardhouseError if it hasn't ended, or no seed was committed to; NotSaved.
    """
    text = export_transcript(database, record)
    return Deal(text.decode(), dealt(text.splitlines()))


def transcript_of(store: Store, record: TableRecord, upto: int | None = None) -> bytes:
    """Return a table's stored log, up to an entry or to its end, with current names in the header.

    It contains the seed only if the table has ended.
    """
    entries = [] if upto == 0 else store.entries(record.id, 0, upto)
    header = msgspec.json.decode(record.header)
    header["names"] = {**header.get("names", {}), **names_in(record)}
    if not header["names"]:
        del header["names"]
    return "".join(f"{text}\n" for text in (write_line(header), *(text for _, text in entries))).encode()


def names_in(record: TableRecord) -> dict[str, str]:
    """Return the players' names, by seat."""
    return {seat.seat: seat.name for seat in record.seats if seat.name and seat.seat != SCREEN}
