"""Transcript import: a worker process reads, checks and replays a transcript, and returns a table to save."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec

from cardhouse.engine import BadTranscript, CardhouseError, FairDealer, Table, Text, read_transcript
from cardhouse.engine.values.text_file import utf8
from cardhouse.engine.values.transcript import Line, by_answer
from cardhouse.server.core.name_rules import check_names
from cardhouse.server.persistence.records import SAVE_SNAPSHOT_EVERY, SEATS_AT_MOST, Row, row_of
from cardhouse.server.table.factory import BuiltTable, built

IMPORT_SECONDS = 30.0
"""Time limit for reading a transcript."""
_AT_ONCE = 50


def read_in(text: bytes, check: Callable[[Table], None] = lambda table: None) -> BuiltTable:
    """Replay a transcript and return a table made from it; `check` may reject it first.

    A finished game keeps its commitment. Otherwise all further draws come from a new seed; since a commitment can't
    cover both seeds, the table has none. Raises BadTranscript; what `check` raises.
    """
    header, lines = read_transcript(utf8(text, "The file").splitlines())
    dealer = FairDealer()
    try:
        check_names(header)
        _check_room(header.seats)
        table = Table(header, dealer)
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    ids: set[str] = set()
    kept = [table.last_snapshot]
    for group in by_answer(lines):
        number, answer = group[0]
        try:
            _check_id(answer, ids)
            _check_room([*table.seats, answer["seat"]] if "seat" in answer else ())
        except CardhouseError as error:
            raise BadTranscript(number, error) from None
        table.replay(group)
        if table.last_snapshot.number - kept[-1].number >= SAVE_SNAPSHOT_EVERY:
            kept.append(table.with_log(table.last_snapshot))
    check(table)
    if not table.ended:
        header = msgspec.structs.replace(header, commitment="")
    snapshots = {snapshot.number: snapshot for snapshot in kept[1:]}

    def portions(table_id: str) -> list[bytes]:
        return list(_portions(row_of(table_id, entry, snapshots.get(entry.number)) for entry in table.entries))

    return built(header, table.seats, dealer.seed, portions=portions)


def rows_of(portion: bytes) -> list[Row]:
    """Return the rows of a portion."""
    rows: list[Row] = pickle.loads(portion)  # noqa: S301 (from a process of our own)
    return rows


def _portions(rows: Iterator[Row]) -> Iterator[bytes]:
    while portion := list(islice(rows, _AT_ONCE)):
        yield pickle.dumps(portion, pickle.HIGHEST_PROTOCOL)


def _check_room(seats: Sequence[str]) -> None:
    """Raises CardhouseError if there are too many seats."""
    if len(seats) > SEATS_AT_MOST:
        raise CardhouseError(f"A table has {SEATS_AT_MOST} seats at most.")


def _check_id(answer: Line, ids: set[str]) -> None:
    """Raises CardhouseError if an answer's id is invalid, or is among `ids`, to which it is added."""
    if "id" not in answer:
        return
    if problem := Text(64).wrong(answer["id"]):
        raise CardhouseError(f"id {problem}.")
    if answer["id"] in ids:
        raise CardhouseError(f'Two answers have the id "{answer["id"]}".')
    ids.add(answer["id"])
