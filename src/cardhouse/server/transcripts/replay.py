"""Replays: what a seat saw after each entry of a log, or everything, with all hands open."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Raw, Struct

from cardhouse.engine import GM, SCREEN, BadTranscript, CardhouseError, NeedsHistory, SeededDealer, Table, read_header
from cardhouse.engine.table.visibility import write_doc
from cardhouse.engine.values.delta import delta
from cardhouse.engine.values.transcript import read_object
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.transcripts.transcript_export import names_in, store_to_read
from cardhouse.server.wire.protocol import About, Seated

OPEN_HANDED = "open"
"""Given in place of a seat, it shows everything that was hidden."""
AT_ONCE = 400
"""Most entries in one response."""


class ReplayFrame(Struct, frozen=True):
    """An entry: its log line, and its change of the document; None if it changed nothing."""

    story: dict[str, Any]
    doc: Raw | None


class Replay(Struct, frozen=True):
    """Some entries of a table as `you` saw them.

    `doc` is the document after entry `after`, and `moments` are the entries following it; `total` is the number of the
    last entry.
    """

    you: str
    table: About
    seats: list[Seated]
    total: int
    after: int
    doc: Raw
    moments: list[ReplayFrame]


class ReplayRequest(NamedTuple):
    """A request for a replay: as `you`, from the entry after `after`.

    `record` and `about` describe the table, `seats` are all its seats now. `upto` is the last entry that the installed
    rules can replay, None if they can replay all.
    """

    record: TableRecord
    about: About
    seats: list[str]
    you: str
    after: int
    upto: int | None = None


def build_replay(database: str, request: ReplayRequest) -> Replay:
    """Return the view of a seat, `screen` or `open` of the entries after one; for a worker process.

    Raises CardhouseError if there is no such seat, or the present rules can't replay the table; NotSaved.
    """
    record, about, seats, you, after, upto = request
    if you not in (*seats, SCREEN, OPEN_HANDED):
        raise CardhouseError(f'There is no seat "{you[:40]}"; there are {", ".join(seats)}.', "no_such_seat")
    with store_to_read(database) as store:
        total = store.last_number(record.id) if upto is None else upto
        after = min(after, total)
        snapshot = store.snapshot(record.id, after) if after else None
        before = snapshot.number if snapshot else 0
        most = min(after + AT_ONCE, total)
        entries = store.entries(record.id, before, most - before)
        header = read_header(record.header)
        try:
            doc, moments = _frames(Table(header, SeededDealer(), snapshot), entries, you, after)
        except NeedsHistory:
            doc, moments = _frames(Table(header, SeededDealer()), store.entries(record.id, 0, most), you, after)
    names = names_in(record)
    sat = [Seated(seat, names.get(seat, ""), here=False) for seat in (*seats, SCREEN)]
    return Replay(you, about, sat, total, after, doc, moments)


def _frames(table: Table, entries: Sequence[tuple[int, str]], you: str, after: int) -> tuple[Raw, list[ReplayFrame]]:
    """Return the document after entry `after`, and the frames following it; `table` is before all entries.

    Raises CardhouseError if one can't be replayed; NeedsHistory if one undoes entries before these.
    """
    doc = before = _doc(table, you)
    moments = []
    for number, text in entries:
        try:
            table.replay([(number, read_object(line)) for line in text.split("\n")])
        except BadTranscript:
            raise CardhouseError(f"The installed rules can't replay entry {number} of this table's log.") from None
        if number < after:
            continue
        now = _doc(table, you)
        if number == after:
            doc = now
        else:
            story = table.story(table.entries[-1], GM if you == OPEN_HANDED else you)
            moments.append(ReplayFrame(story, delta(before, now)))
        before = now
    return Raw(doc), moments


def _doc(table: Table, you: str) -> bytes:
    return write_doc(table.game, table.game.view_openly(), table.asks()) if you == OPEN_HANDED else table.doc(you)
