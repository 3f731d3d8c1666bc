"""Twin games: two tables that differ in some cards only, and are played in lockstep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardhouse.engine import Entry, Table
from cardhouse.engine.values.transcript import body_of

Names = Mapping[str, str]
"""What a card, or anything else that is named, is called at the other table."""


def renamed(value: Any, names: Names) -> Any:
    """A line, or a part of one, as it stands at the other table."""
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def twin_of(table: Table, names: Names) -> Table:
    """The same table, but for what it calls otherwise.

    Raises BadTranscript if that can't have been played.
    """
    header, *lines = table.transcript().splitlines()
    return Table.read([header, *(json.dumps(renamed(json.loads(line), names)) for line in lines)], table.dealer)


def like_the_one(other: Table, entry: Entry, names: Names) -> Entry:
    """Give at the other table the answer of an entry of the one, with its chance, but for what it calls otherwise."""
    by, body = entry.by, renamed(body_of(entry.lines[0]), names)
    return other.answer(by, body, chance=renamed(entry.lines[1:], names))


def undo_both(one: Table, other: Table, seat: str, count: int) -> None:
    """Take back as many answers at both tables."""
    for table in (one, other):
        table.answer(seat, {"undo": count})
