"""Transcripts that are to become tables: read, checked and played by a worker process, and given back to be saved."""

import pickle
from collections.abc import Iterator
from itertools import islice

import msgspec

from cardhouse.engine import BadTranscript, CardhouseError, FairDealer, Header, Table, Text, read_transcript
from cardhouse.engine.transcript import Line, by_answer
from cardhouse.server.records import REST_EVERY, Row, row_of
from cardhouse.server.tokens import new_table_id

_AT_ONCE = 50


class Imported(msgspec.Struct, frozen=True):
    """A table as a transcript leads to it, of the id `table`. `seed` is what it goes on with, in hex.

    `portions` are the rows of its log; each is read when it is its turn, so that the event loop waits for none of them
    long.
    """

    table: str
    header: Header
    seats: list[str]
    seed: str
    portions: list[bytes]


def read_in(text: bytes) -> Imported:
    """Play a transcript, to make a table of it.

    One that has ended keeps its commitment; what is drawn from here on at another comes from a new seed, to which no
    commitment can be made for the whole. Raises BadTranscript.
    """
    header, lines = read_transcript(text.splitlines())
    dealer = FairDealer()
    try:
        check_names(header)
        table = Table(header, dealer)
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    ids: set[str] = set()
    kept = [table.last_rest]
    for group in by_answer(lines):
        number, answer = group[0]
        try:
            _check_id(answer, ids)
        except CardhouseError as error:
            raise BadTranscript(number, error) from None
        table.replay(group)
        if table.last_rest.number - kept[-1].number >= REST_EVERY:
            kept.append(table.with_log(table.last_rest))
    if not table.ended:
        header = msgspec.structs.replace(header, commitment="")
    rests = {rest.number: rest for rest in kept[1:]}
    table_id = new_table_id()
    rows = (row_of(table_id, entry, rests.get(entry.number)) for entry in table.entries)
    return Imported(table_id, header, table.seats, dealer.seed.hex(), list(_portions(rows)))


def rows_of(portion: bytes) -> list[Row]:
    """The rows of a portion."""
    rows: list[Row] = pickle.loads(portion)  # noqa: S301 (from a process of our own)
    return rows


def _portions(rows: Iterator[Row]) -> Iterator[bytes]:
    while portion := list(islice(rows, _AT_ONCE)):
        yield pickle.dumps(portion, pickle.HIGHEST_PROTOCOL)


def check_names(header: Header) -> None:
    """Raises CardhouseError if the table or somebody at it has a name that can't be shown."""
    if problem := header.name and Text().wrong(header.name):
        raise CardhouseError(f"The table's name {problem}.")
    for seat, name in header.names.items():
        if problem := name and Text().wrong(name):
            raise CardhouseError(f"names: the name of {seat[:40]} {problem}.")


def _check_id(answer: Line, ids: set[str]) -> None:
    """Raises CardhouseError if an answer's id can't be one, or is among `ids`, to which it is added."""
    if "id" not in answer:
        return
    if problem := Text(64).wrong(answer["id"]):
        raise CardhouseError(f"id {problem}.")
    if answer["id"] in ids:
        raise CardhouseError(f'Two answers have the id "{answer["id"]}".')
    ids.add(answer["id"])
