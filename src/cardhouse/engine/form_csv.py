"""The cards of a form as a table for a spreadsheet, CSV: a card a row, a column for each of its fields."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any

import msgspec

from cardhouse.engine.errors import CardhouseError
from cardhouse.engine.forms import FileForm, Json

ID = "id"
_WHOLE = re.compile(r"-?\d{1,9}")
_YES = ("yes", "true", "1", "x")


def write_csv(form: FileForm, cards: Mapping[str, Any]) -> str:
    """The cards as CSV: lists as `a; b`, tables as `STR -2; CON half`, and what is deeper as JSON."""
    columns = list(form.schema_of_card()["properties"])
    rows = [(name, card) for name, card in cards.items() if isinstance(card, Mapping)]
    columns += dict.fromkeys(key for _, card in rows for key in card if key not in columns)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([ID, *columns])
    for name, card in rows:
        writer.writerow([name, *(_cell(card.get(column)) for column in columns)])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return "; ".join(value)
    if isinstance(value, dict) and value and all(map(_is_a_word, value.values())):
        return "; ".join(f"{key} {one}" for key, one in value.items())
    return msgspec.json.encode(value).decode()


def _is_a_word(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and " " not in str(value)


def read_csv(form: FileForm, text: str) -> Json:
    """The cards of a CSV file, by id. What doesn't fit a field is left as it stands, for the check to tell.

    Raises CardhouseError if it is no such table.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    # A spreadsheet of much of Europe writes semicolons.
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise CardhouseError(f"This is no CSV: {error}.") from None
    if not rows or rows[0][0].strip().lower() != ID:
        raise CardhouseError(f'The first line names the columns, and the first of them is "{ID}".')
    schema = form.schema_of_card()
    columns = [column.strip() for column in rows[0][1:]]
    cards: Json = {}
    for number, row in enumerate(rows[1:], 2):
        name = row[0].strip()
        if not name or name in cards:
            raise CardhouseError(f"Row {number}: {f'the card {name} stands there twice' if name else 'no id'}.")
        cards[name] = dict(_fields(schema, zip(columns, row[1:], strict=False)))
    return cards


def _fields(schema: Json, cells: Iterable[tuple[str, str]]) -> Iterable[tuple[str, Any]]:
    for column, cell in cells:
        if column and cell.strip():
            yield column, _read(schema, schema["properties"].get(column, {}), cell.strip())


def _read(schema: Json, field: Json, cell: str) -> Any:
    """What a cell means for a field; as it is where it means nothing."""
    kinds = [_resolved(schema, kind) for kind in field.get("anyOf", [field])]
    types = {kind.get("type") for kind in kinds}
    if types & {"object", "array"} and cell[0] in "[{":
        try:
            return msgspec.json.decode(cell)
        except msgspec.DecodeError:
            return cell
    if "array" in types:
        return [part.strip() for part in cell.split(";") if part.strip()]
    if "object" in types:
        pairs = [part.strip().rpartition(" ") for part in cell.split(";") if part.strip()]
        return {key: _number(value) for key, _, value in pairs}
    if "boolean" in types:
        return cell.lower() in _YES
    return cell if types == {"string"} else _number(cell)


def _resolved(schema: Json, kind: Json) -> Json:
    found: Json = schema["$defs"].get(kind.get("$ref", "").rpartition("/")[2], kind)
    return found


def _number(text: str) -> Any:
    return int(text) if _WHOLE.fullmatch(text) else text
