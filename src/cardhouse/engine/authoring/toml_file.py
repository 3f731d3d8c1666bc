"""TOML files that people write for a game: read whole, or refused with every mistake and its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final

import msgspec

from cardhouse.engine.authoring.form_csv import BadCell, is_csv, other_file, read_csv
from cardhouse.engine.authoring.forms import schema_of
from cardhouse.engine.values.errors import BadFile, CardhouseError, Mistake
from cardhouse.engine.values.schema_errors import Wrong
from cardhouse.engine.values.toml_lines import TomlLines

LARGEST_FILE: Final = 200_000
"""The most bytes in a file."""
LONGEST_LINE: Final = 4_000
"""The most characters in a line of it, because the parser's time grows with their square."""

_CURLY = re.compile("[\u2018-\u201f«»]")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")

Check = Callable[[dict[str, Any]], Iterable[Wrong]]
"""Finds all mistakes in a file's data."""


class TomlFileError(BadFile):
    """A file that can't be used; a subclass names its contents.

    The field of a mistake is written like `C4.check.failed` or `C4.conditions[2]`, counted from 1; it is empty if the
    whole text is meant.
    """

    of: ClassVar[str]
    """The file's contents, as in "The wounds in mine.toml can't be used"."""

    def __init__(self, where: str, found: Iterable[Mistake]) -> None:
        mistakes = sorted(found, key=lambda mistake: mistake.line)
        has = "a mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        listed = "".join(f"\n{where}:{mistake.line}: {mistake.message}" for mistake in mistakes)
        super().__init__(f"The {self.of} in {where} can't be used because of {has}:{listed}", mistakes)


def read_toml(text: str | bytes, where: str, check: Check, error: type[TomlFileError]) -> dict[str, Any]:
    """Return the data of a file, after the check has found no mistakes.

    `where` names the file. Raises `error` with all mistakes in it.
    """
    text = _decoded(text, where, error)
    data, lines = _parsed(text, where, error)
    wrong = list(check(data))
    if lines is None and not wrong:
        return data
    lines = lines or TomlLines(text)
    raise error(where, [*_duplicate_key(lines), *(_mistake(lines.of(found.place), found) for found in wrong)])


def read_toml_or_csv(
    text: str | bytes,
    where: str,
    check: Check,
    error: type[TomlFileError],
    card: type,
    whole: Callable[[dict[str, Any]], dict[str, Any]] = lambda cards: cards,
) -> dict[str, Any]:
    """Read a file in TOML, or a table of its cards in CSV.

    `card` is the type of a card, and `whole` makes the file's data from the cards. Raises `error` with all mistakes;
    those in a table have its row numbers.
    """
    if not isinstance(text, bytes) or not is_csv(text):
        return read_toml(text, where, check, error)
    try:
        table = read_csv(schema_of(card, {}), text)
        data = whole(table.cards)
    except BadCell as bad:
        raise error(where, [Mistake(max(1, bad.row), "", bad.message)]) from None
    if wrong := list(check(data)):
        rows = {found: next((table.rows[key] for key in found.place if key in table.rows), 1) for found in wrong}
        raise error(where, [_mistake(row, found) for found, row in rows.items()])
    return data


def _decoded(text: str | bytes, where: str, error: type[TomlFileError]) -> str:
    """Return the text of a file, with plain line ends.

    Raises `error` if it can't be decoded or is too long.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if other := other_file(data):
        raise error(where, [Mistake(1, "", other)])
    if len(data) > LARGEST_FILE:
        problem = f"The file has {len(data)} bytes; a {error.of} file may have {LARGEST_FILE} at most."
        raise error(where, [Mistake(1, "", problem)])
    if isinstance(text, bytes):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as undecoded:
            line = data.count(b"\n", 0, undecoded.start) + 1
            problem = f"The file must be UTF-8, and the byte {data[undecoded.start]:#x} in this line is not."
            raise error(where, [Mistake(line, "", problem)]) from None
    # Some editors write a byte order mark.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    problem = f"This line has {{}} characters; a line may have {LONGEST_LINE} at most."
    lengths = enumerate(map(len, text.split("\n")), start=1)
    if "\ufffd" in text:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        raise error(where, [Mistake(line, "", "A letter in this line can't be read: save the file as UTF-8.")])
    if long := [Mistake(line, "", problem.format(length)) for line, length in lengths if length > LONGEST_LINE]:
        raise error(where, long)
    return text


def _parsed(text: str, where: str, error: type[TomlFileError]) -> tuple[dict[str, Any], TomlLines | None]:
    """Return a file's data, and its lines if something is there twice; then only the first counts.

    Raises `error` if anything else keeps the text from being TOML.
    """
    try:
        return tomllib.loads(text), None
    except (ValueError, RecursionError):
        lines = TomlLines(text)
    try:
        return tomllib.loads(lines.without_twice()), lines
    except (ValueError, RecursionError) as unread:
        raise error(where, [*_duplicate_key(lines), _not_toml(unread, text)]) from None


def _duplicate_key(lines: TomlLines) -> Iterator[Mistake]:
    """Yield a mistake for everything that the text has more than once."""
    for place, line in lines.twice:
        yield _mistake(line, Wrong(place, f"is here twice; the first is in line {lines.of(place)}"))


def _mistake(line: int, found: Wrong) -> Mistake:
    return Mistake(line, found.field, found.sentence)


def _not_toml(error: Exception, text: str) -> Mistake:
    """Return the parser's message, with the line that it names."""
    if isinstance(error, RecursionError):
        return Mistake(1, "", "This can't be read as TOML: its brackets are nested too deep.")
    if text.lstrip().startswith("```"):
        return Mistake(1, "", "Remove the lines ``` before and after the text: only the text between them is TOML.")
    problem, _, place = str(error).partition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", place)
    if found and (curly := _CURLY.search(_QUOTED.sub("", text.split("\n")[int(found[1]) - 1]))):
        return Mistake(int(found[1]), "", f'Write straight quotes (") around values, not {curly[0]}.')
    if found:
        return Mistake(int(found[1]), "", f"This is not TOML: {problem} (column {found[2]}).")
    last = text.rstrip("\n").count("\n") + 1
    return Mistake(
        last if place else 1, "", f"This is not TOML: {problem}{' (at the end of the file)' if place else ''}."
    )


# The same data as the value of a table's option.


def option_as_json(data: Any, option: str) -> bytes:
    """Return an option's data as text; equal data give equal texts.

    Raises CardhouseError if it isn't plain data.
    """
    try:
        return msgspec.json.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise CardhouseError(f"{option} must be plain data: {error}.") from None


def check_option(wrong: Iterable[Wrong], option: str) -> None:
    """Raise CardhouseError, naming the option, with all mistakes found in its data, if there are any."""
    if sentences := [found.sentence for found in wrong]:
        raise CardhouseError(f"{option}: {' '.join(sentences)}")
