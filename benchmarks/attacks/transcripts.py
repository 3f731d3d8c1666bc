"""Transcripts that take long to replay."""

from collections.abc import Iterable

from benchmarks.server import played
from cardhouse.engine import SeededDealer, Table
from cardhouse.engine.values.transcript import Line, write_line, write_transcript
from cardhouse.server.core.tokens import new_token

LONG = 10_000


def text_of(table: Table, more: Iterable[Line] = ()) -> bytes:
    """Return a table's transcript, with more lines at its end."""
    lines = (line for entry in table.entries for line in entry.lines)
    return "".join((*write_transcript(table.header, lines), *(f"{write_line(line)}\n" for line in more))).encode()


def long_transcript(entries: int = LONG) -> bytes:
    """Return a table of card initiative with this many entries."""
    *_, table = played(entries, SeededDealer())
    return text_of(table)


def undone_transcript(answers: int = 620, undos: int = 380) -> bytes:
    """Return this many answers, followed by single undos; the later ones replay all that remains."""
    *_, table = played(answers, SeededDealer())
    return text_of(table, ({"by": "gm", "undo": 1, "id": new_token()} for _ in range(undos)))
