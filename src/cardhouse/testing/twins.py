"""Twin tables: two tables that differ only in some cards, and are played in lockstep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardhouse.engine import Entry, Table
from cardhouse.engine.values.transcript import body_of

Names = Mapping[str, str]
"""The names of cards, and of anything else, at the other table."""


def renamed(value: Any, names: Names) -> Any:
    """Return a line, or a part of one, with the other table's names."""
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def twin_of(table: Table, names: Names) -> Table:
    """Return the same table with other names.

    Raises BadTranscript if that isn't possible.
    """
    header, *lines = table.transcript().splitlines()
    return Table.read([header, *(json.dumps(renamed(json.loads(line), names)) for line in lines)], table.dealer)


def like_the_one(other: Table, entry: Entry, names: Names) -> Entry:
    """Give an entry's answer, with its draws, at the other table, using its names."""
    by, body = entry.by, renamed(body_of(entry.lines[0]), names)
    return other.answer(by, body, chance=renamed(entry.lines[1:], names))


def undo_both(one: Table, other: Table, seat: str, count: int) -> None:
    """Undo the same number of answers at both tables."""
    for table in (one, other):
        table.answer(seat, {"undo": count})
