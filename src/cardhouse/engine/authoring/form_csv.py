"""The cards of a form as CSV for a spreadsheet: one card a row, one column for each of its fields.

A spreadsheet's output is read as intended, or refused with the row, the column and the reason. Text written here
is read back the same, and none of its cells can run as a formula.
"""

# ruff: noqa: RUF001 (words of other languages)

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any, Final, NamedTuple

import msgspec

from cardhouse.engine.values.errors import CardhouseError

Json = dict[str, Any]

ID: Final = "id"
LARGEST_TABLE: Final = 1_000_000
"""The most bytes in a table."""
LOST: Final = "\ufffd"
"""The character that replaces one that couldn't be read, as browsers write it."""
MOST_ROWS: Final = 2_000
MOST_COLUMNS: Final = 100

_BEGINS = re.compile(r'^\s*(?:"\s*id\s*"|id)\s*(?:([,;\t|])|[\r\n]|$)', re.IGNORECASE)
_SAYS_DELIMITER = re.compile(r'"?sep=(.)"?[,;\t|]*(?:\r\n|\r|\n)', re.IGNORECASE)
_WHOLE = re.compile(r"(-?\d{1,9})(?:[.,](0*))?")
_WRITTEN_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,8})")


def _word(text: str) -> str:
    """Fold the case of a word, in Turkish too."""
    return unicodedata.normalize("NFC", text).casefold().replace("\u0307", "").replace("ı", "i")


_TRUE: Final = frozenset(map(_word, (
    "true", "wahr", "vrai", "verdadero", "vero", "verdadeiro", "waar", "sand", "sann", "sant", "tosi", "prawda",
    "pravda", "igaz", "истина", "doğru", "adevărat", "αληθες",
    "yes", "ja", "oui", "sí", "si", "sì", "sim", "tak", "ano", "kyllä", "igen", "да", "evet", "da", "ναι",
    "✓", "✔", "☑", "x", "1", "y",
)))  # fmt: skip
"""The words that spreadsheets write for TRUE, and people for yes."""
_FALSE: Final = frozenset(map(_word, (
    "false", "falsch", "faux", "falso", "onwaar", "falsk", "usann", "falskt", "epätosi", "fałsz", "nepravda", "hamis",
    "ложь", "yanlış", "fals", "ψευδες",
    "no", "nein", "non", "não", "nie", "ne", "ei", "nem", "нет", "hayır", "nu", "όχι", "nej", "nei", "nee",
    "✗", "✘", "☐", "0", "n", "-",
)))  # fmt: skip
_FORMULA = re.compile(r"""(?:^|[;\t\r\n])(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠]""")
"""Text that a spreadsheet may take for a formula: at the start of a cell, or after a possible separator of cells."""
_FORMULA_INSIDE = re.compile(r"""(;[\s"'\\]*)([=+\-@＝＋－＠])""")
_SAVE_AS_CSV = "Save the sheet as “CSV UTF-8”."
_SAVE_AS_TEXT = "Save it as plain text."
_OTHER_FILES: Final = {
    b"pk\x03\x04": ("a workbook or a zip file", _SAVE_AS_CSV),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", _SAVE_AS_CSV),
    b"%pdf": ("a PDF", "Export the table or text that it was made from."),
    b"{\\rtf": ("a formatted document (RTF)", _SAVE_AS_TEXT),
    b"<!doctype": ("a web page", _SAVE_AS_TEXT),
    b"<html": ("a web page", _SAVE_AS_TEXT),
}
"""The kinds of files that people give for a table or a text, by their first bytes in lower case, and what to do."""


class BadCell(CardhouseError):
    """A table that can't be read; `row` counts as a spreadsheet does, 0 for the whole table."""

    def __init__(self, row: int, column: str, problem: str) -> None:
        where = ", ".join(filter(None, (f"Row {row}" if row else "", f"column {column}" if column else "")))
        super().__init__(f"{where}: {problem}" if where else problem)
        self.row = row


class CardTable(NamedTuple):
    """The cards of a table, by id, and the row of each."""

    cards: Json
    rows: dict[str, int]


# Writing.


def write_csv(schema: Json, cards: Mapping[str, Any]) -> str:
    """Return the cards as CSV: lists as `a; b`, tables as `STR -2; CON half`, and as JSON what would be misread so.

    `schema` is the JSON Schema of a card, with its `$defs`.
    """
    columns = list(schema["properties"])
    rows = [(name, card) for name, card in cards.items() if isinstance(card, Mapping)]
    columns += dict.fromkeys(key for _, card in rows for key in card if key not in columns)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([ID, *(_cell_text(column, _TEXT) for column in columns)])
    for name, card in rows:
        cells = (_cell(schema, column, card) for column in columns)
        writer.writerow([_cell_text(name, _TEXT), *cells])
    return out.getvalue()


_TEXT: Final = frozenset(("string",))


def _cell(schema: Json, column: str, card: Mapping[str, Any]) -> str:
    return "" if card.get(column) is None else _cell_text(card[column], _types(schema, column))


def _cell_text(value: Any, types: frozenset[Any]) -> str:
    """Return the text of a cell that is read back as this value and isn't a formula."""
    text = _friendly(value)
    if text is not None and _reads_as(text, value, types) and not _is_formula(text):
        return text
    made = msgspec.json.encode(value).decode()
    made = made.replace(LOST, "\\ufffd")
    return _FORMULA_INSIDE.sub(lambda found: f"{found[1]}\\u{ord(found[2]):04x}", made)


def _reads_as(text: str, value: Any, types: frozenset[Any]) -> bool:
    if text != text.strip() or not text or LOST in text or any(letter < " " and letter != "\n" for letter in text):
        return False
    try:
        read = _read(text, types)
    except ValueError:
        return False
    return msgspec.json.encode(read) == msgspec.json.encode(value)


def _is_formula(text: str) -> bool:
    return _FORMULA.search(text) is not None and not _WRITTEN_WHOLE.fullmatch(text)


def _friendly(value: Any) -> str | None:
    """Return a value as people would write it; None if that would need JSON."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str | int) and not isinstance(one, bool) for one in value):
        return "; ".join(map(str, value))
    if isinstance(value, dict) and all(map(_is_a_word, value.values())):
        return "; ".join(f"{key} {one}" for key, one in value.items())
    return None


def _is_a_word(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and " " not in str(value)


# Reading.


def is_csv(data: bytes) -> bool:
    """Return whether this looks like a table rather than TOML: its first line names columns or a separator."""
    try:
        text = decode(data[:4000])
    except BadCell:
        text = data[:4000].decode("latin-1").removeprefix("\xef\xbb\xbf")
    return bool(_SAYS_DELIMITER.match(text) or ((found := _BEGINS.match(text)) and found[1]))


def other_file(data: bytes) -> str | None:
    """Return which kind of file this is, and what to do, as sentences; None if it may be text."""
    begins = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    found = next((found for start, found in _OTHER_FILES.items() if begins.startswith(start)), None)
    return f"This is {found[0]}. {found[1]}" if found else None


def decode(data: bytes) -> str:
    """Decode a file that a spreadsheet wrote: UTF-8, or UTF-16 with its byte order mark.

    Raises BadCell, naming the first unreadable cell, for any other encoding or a file that isn't text.
    """
    if len(data) > LARGEST_TABLE:
        raise BadCell(0, "", f"The table has {len(data):,} bytes; {LARGEST_TABLE:,} is the most.")
    if problem := other_file(data):
        raise BadCell(0, "", problem)
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _undecoded(data) from None


def _unreadable(cell: str) -> str:
    shown = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in cell[:30])
    return f"\"{shown}\" can't be read: this file isn't UTF-8. Save the sheet as “CSV UTF-8”."


def _undecoded(data: bytes) -> BadCell:
    """Return an error naming the first cell that isn't UTF-8."""
    rows: list[list[str]] = []
    with suppress(BadCell):
        rows = _rows(data.decode("latin-1"))
    for number, row in enumerate(rows, 1):
        for place, cell in enumerate(row):
            try:
                cell.encode("latin-1").decode("utf-8")
            except UnicodeDecodeError:
                return BadCell(number, _column(rows[0], place), _unreadable(cell))
    return BadCell(0, "", "Some letters can't be read: this file isn't UTF-8. Save the sheet as “CSV UTF-8”.")


def read_csv(schema: Json, given: str | bytes) -> CardTable:
    """Read the cards of a CSV file, by id. Values that don't fit a field are kept for the check to report.

    `schema` is the JSON Schema of a card, with its `$defs`. Raises BadCell if the table is malformed.
    """
    if isinstance(given, str) and (problem := other_file(given.encode("utf-8", "replace"))):
        raise BadCell(0, "", problem)
    rows = _rows(given if isinstance(given, str) else decode(given))
    if not rows or (rows[0][0].strip().lower() if rows[0] else "") != ID:
        raise BadCell(1, "", f'The first line names the columns, and the first of them is "{ID}".')
    _check_letters(rows)
    columns = _columns(schema, rows[0])
    types = {column: _types(schema, column) for column in columns if column}
    cards: Json = {}
    at: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        name = _unquoted(cells[0])
        if not name:
            raise BadCell(number, ID, "the id is missing. Give each card an id.")
        if name in cards:
            raise BadCell(number, ID, f"the card {name} is in row {at[name]} already. Each id may be used once.")
        cards[name] = {}
        at[name] = number
        for place, cell in enumerate(cells[1:]):
            if not cell:
                continue
            if place >= len(columns) or not columns[place]:
                raise BadCell(number, _letters(place + 1), f'"{cell[:40]}" is in a column without a heading.')
            try:
                cards[name][columns[place]] = _read(cell, types[columns[place]])
            except ValueError as error:
                raise BadCell(number, _column(rows[0], place + 1), str(error)) from None
    return CardTable(cards, at)


def _check_letters(rows: Sequence[Sequence[str]]) -> None:
    """Raise BadCell for a cell that was read in the wrong encoding."""
    for number, row in enumerate(rows, 1):
        for place, cell in enumerate(row):
            if LOST in cell:
                raise BadCell(number, _column(rows[0], place), _unreadable(cell.replace(LOST, "?")))


def _rows(text: str) -> list[list[str]]:
    """Return the rows of a table as a spreadsheet counts them, with plain line ends in their cells."""
    text = text.removeprefix("\ufeff")
    if delimiter_line := _SAYS_DELIMITER.match(text):
        text, delimiter = text[delimiter_line.end() :], delimiter_line[1]
    else:
        delimiter = begins[1] if (begins := _BEGINS.match(text)) and begins[1] else ","
    if "\0" in text:
        raise BadCell(1 + text[: text.index("\0")].count("\n"), "", "there is a NUL character: this isn't a text file.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    rows: list[list[str]] = []
    try:
        for row in csv.reader(StringIO(text), delimiter=delimiter, strict=True):
            rows.append(row)
            if len(rows) > MOST_ROWS or len(row) > MOST_COLUMNS:
                most = f"{MOST_ROWS:,} rows and {MOST_COLUMNS} columns are the most"
                raise BadCell(len(rows), "", f"the table is too large: {most}.")
    except csv.Error as error:
        problem = "a quotation mark is missing or in the wrong place" if "expected" in str(error) else str(error)
        raise BadCell(len(rows) + 1, "", f"this isn't CSV: {problem}.") from None
    return rows


def _columns(schema: Json, heads: Sequence[str]) -> list[str]:
    """Return the fields of the columns after the first, each unique."""
    known = {name.casefold(): name for name in schema["properties"]}
    found: list[str] = []
    for place, head in enumerate(heads[1:], 1):
        column = _unquoted(head.strip())
        column = known.get(column.casefold(), column)
        if column and (column in found or column.casefold() == ID):
            first = _letters(found.index(column) + 1 if column in found else 0)
            raise BadCell(1, _letters(place), f'"{column}" is the heading of column {first} already.')
        found.append(column)
    return found


def _column(heads: Sequence[str], place: int) -> str:
    """Return a column's letter and heading: `C (size)`."""
    head = heads[place].strip() if place < len(heads) else ""
    return f"{_letters(place)} ({head[:40]})" if head else _letters(place)


def _letters(place: int) -> str:
    """Return a column, counted from 0, as a spreadsheet names it: A, B, AA."""
    return (_letters(place // 26 - 1) if place > 25 else "") + chr(ord("A") + place % 26)


def _types(schema: Json, column: str) -> frozenset[Any]:
    """Return the JSON types that a field may have; empty if its schema doesn't say."""
    field = schema["properties"].get(column)
    if field is None:
        return frozenset()
    kinds = [_resolved(schema, kind) for kind in field.get("anyOf", [field])]
    return frozenset(kind.get("type") or _type_of_values(kind) for kind in kinds) - {"null"}


def _resolved(schema: Json, kind: Json) -> Json:
    found: Json = schema["$defs"].get(kind.get("$ref", "").rpartition("/")[2], kind)
    return found


def _type_of_values(kind: Json) -> str:
    values = kind.get("enum", [kind.get("const")])
    return "integer" if all(isinstance(value, int) for value in values) else "string"


def _read(cell: str, types: frozenset[Any]) -> Any:
    """Read a cell for a field of these types, or of unknown type if there are none.

    Raises ValueError, with a sentence, if the cell is ambiguous.
    """
    if cell[0] in '[{"' and (found := _json(cell, types)) is not None:
        return found
    if "array" in types or (not types and ";" in cell):
        return [_number(part) if not types else part for part in _parts(cell)]
    if "object" in types:
        pairs = [part.rpartition(" ") for part in _parts(cell)]
        return {key.strip(): _number(value) for key, _, value in pairs}
    if "boolean" in types:
        return _truth(cell)
    return cell if types == _TEXT else _number(cell)


def _parts(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


def _json(cell: str, types: frozenset[Any]) -> Any:
    """Read a cell as JSON; None if it isn't JSON, or of no use to such a field."""
    try:
        found = msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError):
        return None
    if isinstance(found, str) or not types:
        return found
    return found if types & {"array", "object"} else None


def _unquoted(cell: str) -> str:
    found = _json(cell, _TEXT) if cell.startswith('"') else None
    return found if isinstance(found, str) else cell


def _truth(cell: str) -> bool:
    word = _word(cell)
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(f'"{cell[:40]}" is neither yes nor no. Write yes, or no.')


def _number(text: str) -> Any:
    """Return a number as a spreadsheet writes it, or the text itself."""
    found = _WHOLE.fullmatch(text.replace("\u2212", "-"))
    if found is None or (found[2] is None and not _WRITTEN_WHOLE.fullmatch(found[1])):
        return text
    if found[2] is not None and len(found[2]) == 3:
        raise ValueError(f'"{text}" may mean {found[1]} or {found[1]}000. Write it without a point or comma.')
    return int(found[1])
