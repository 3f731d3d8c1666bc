"""A table's transcript, and how it was dealt, as worker processes read them from the database."""

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
    """The store at this URL, to be read from.

    Raises NotSaved if the database doesn't answer.
    """
    try:
        store = _store(database)
    except CardhouseError:  # it names the database, which is no visitor's business
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
    """A table's transcript, up to an entry or to its end, from the database at this URL.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        return transcript_of(store, record, upto)


class Deal(msgspec.Struct, frozen=True):
    """A table's transcript, and each card and die in it with what there was to choose from."""

    transcript: str
    dealt: list[Dealt]


def export_deal(database: str, record: TableRecord) -> Deal:
    """How a table that has ended was dealt, from the database at this URL.

    Raises CardhouseError if it hasn't ended, or no seed was committed to; NotSaved.
    """
    text = export_transcript(database, record)
    return Deal(text.decode(), dealt(text.splitlines()))


def transcript_of(store: Store, record: TableRecord, upto: int | None = None) -> bytes:
    """A table's log as it is kept, up to an entry or to its end; people's names in its header.

    The seed is in it only if the table has ended.
    """
    entries = [] if upto == 0 else store.entries(record.id, 0, upto)
    header = msgspec.json.decode(record.header)
    header["names"] = {**header.get("names", {}), **names_in(record)}
    if not header["names"]:
        del header["names"]
    return "".join(f"{text}\n" for text in (write_line(header), *(text for _, text in entries))).encode()


def names_in(record: TableRecord) -> dict[str, str]:
    """What those in the seats of a table are called, by seat."""
    return {seat.seat: seat.name for seat in record.seats if seat.name and seat.seat != SCREEN}
