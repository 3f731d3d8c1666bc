"""The lines of a transcript, as text and as values (docs/transcript.md)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from cardhouse.engine.values.errors import BadTranscript, CardhouseError
from cardhouse.engine.values.fields import Text
from cardhouse.engine.values.questions import CLOCK, GM
from cardhouse.engine.values.text_file import check_keys

FORMAT = 1

Line = dict[str, Any]
"""A line below the header, as a JSON object."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line of a transcript: the game, its options and its seats."""

    cardhouse: int
    game: str
    seats: list[str]
    version: int = 1
    options: dict[str, Any] = {}
    names: dict[str, str] = {}
    name: str = ""
    decks: dict[str, str] = {}
    by_hand: list[str] = []
    commitment: str = ""
    deal: str = ""
    package: str = ""

    def edition(self, newest: int) -> int:
        """Return the version of the rules to play by.

        A table that Cardhouse dealt names it, or has version 1. A transcript written by hand, which has no commitment,
        uses the newest rules unless it names a version.
        """
        return self.version if self.version > 1 or self.commitment else newest


def read_header(text: str | bytes) -> Header:
    """Read a transcript's first line.

    Raises CardhouseError if it isn't a header, or has a newer format.
    """
    value = read_object(text) if text.lstrip()[:1] in ("{", b"{") else {}  # else another file type
    version = value.get("cardhouse")
    if not isinstance(version, int) or isinstance(version, bool):
        raise CardhouseError(
            'This file isn\'t a transcript. Its first line must begin with {"cardhouse": 1, "game": …}.'
        )
    if version > FORMAT:
        raise CardhouseError(
            f"This transcript has format {version}; this Cardhouse reads up to {FORMAT}. A newer one can read it.",
            "newer",
        )
    try:
        return msgspec.convert(value, Header)
    except msgspec.ValidationError as error:
        raise CardhouseError(f"The first line doesn't fit: {error}.") from None


def read_object(text: str | bytes) -> Line:
    """Read one line.

    Raises CardhouseError if it isn't a JSON object.
    """
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"This is not a JSON object: {error}.") from None


def read_lines(texts: Iterable[str | bytes]) -> Iterator[tuple[int, Line]]:
    """Yield the lines below the header with their numbers in the file, skipping blank ones.

    Raises BadTranscript.
    """
    for number, text in enumerate(texts, start=2):
        if text.strip():
            try:
                line = read_object(text)
                check_keys(text)
                yield number, line
            except CardhouseError as error:
                raise BadTranscript(number, error) from None


def read_transcript(texts: Iterable[str | bytes]) -> tuple[Header, Iterator[tuple[int, Line]]]:
    """Return a transcript's header and an iterator over the numbered lines below it.

    Raises BadTranscript, also while the lines are read.
    """
    below = iter(texts)
    first = next(below, b"")
    mark: Any = b"\xef\xbb\xbf" if isinstance(first, bytes) else "\ufeff"  # a byte order mark
    try:
        if not first.strip():
            raise CardhouseError("This file isn't a transcript. Its first line is empty.")
        header = read_header(first.removeprefix(mark))
        check_keys(first.removeprefix(mark))
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    return header, read_lines(below)


def by_answer(lines: Iterable[tuple[int, Line]]) -> Iterator[list[tuple[int, Line]]]:
    """Group numbered lines by answer: each with the lines of chance that follow it."""
    group: list[tuple[int, Line]] = []
    for number, line in lines:
        if is_answer(line) and group:
            yield group
            group = []
        group.append((number, line))
    if group:
        yield group


def write_transcript(header: Header, lines: Iterable[Line]) -> Iterator[str]:
    """Yield a transcript as text, line by line, each with its line end."""
    yield write_line(header) + "\n"
    for line in lines:
        yield write_line(line) + "\n"


def write_line(line: Line | Header) -> str:
    """Return a line as text, without its line end."""
    return msgspec.json.encode(line).decode()


def is_answer(line: Line) -> bool:
    """Return whether a line is an answer; otherwise it is chance."""
    return "by" in line


def body_of(line: Line) -> Line:
    """Return an answer without its sender and id."""
    return {key: value for key, value in line.items() if key not in ("by", "id")}


RIGHT = "put_right"
"""The word of an answer that edits something by hand (engine/game/overrides.py)."""
ANSWERS = ("do", "draw", "roll", "undo", "redo", "seat", "device", "end", RIGHT)
"""The kinds of answers. An action's field may share a name with a later one, so the first match counts."""


def kind_of(line: Mapping[str, Any]) -> str | None:
    """Return which of `ANSWERS` a line is; None if none."""
    for kind in ANSWERS:
        if kind in line:
            return kind
    return None


def check_seats(seats: list[str]) -> None:
    """Raise CardhouseError unless the seats include the game master's and have distinct, valid names."""
    if GM not in seats:
        raise CardhouseError('The seats must include "gm", the game master\'s.')
    if len(set(seats)) < len(seats):
        raise CardhouseError("Two seats have the same name.")
    for seat in seats:
        if problem := Text(taken=("screen", CLOCK)).wrong(seat):
            raise CardhouseError(f"A seat's name {problem}.")
