"""A table looked back at: what a seat saw after each entry of its log, or what nobody saw, all hands laid open."""

from typing import Any

import msgspec
from msgspec import Struct

from cardhouse.engine import GM, SCREEN, CardhouseError, SeededDealer, Table, read_transcript
from cardhouse.engine.delta import Delta, delta
from cardhouse.engine.transcript import by_answer
from cardhouse.server.frames import About, Seated

OPEN_HANDED = "open"
"""Asked for in place of a seat: everything that was hidden is seen."""
AT_ONCE = 400
"""So many entries are told at once."""


class Moment(Struct, frozen=True):
    """An entry: what it meant, and what it made of the document before it; None if nothing."""

    story: dict[str, Any]
    doc: Delta | None


class Replay(Struct, frozen=True):
    """Some entries of a table as `you` saw them.

    `doc` is the document after entry `after`, the moments are those of the entries behind it, of `total` in all.
    """

    you: str
    table: About
    seats: list[Seated]
    total: int
    after: int
    doc: dict[str, Any]
    moments: list[Moment]


def look_back(text: str, you: str, after: int, about: About, names: dict[str, str]) -> Replay:
    """Replay a transcript and tell of its entries after one, as a seat (or `screen`, or `open`) saw them.

    Raises CardhouseError for a seat there is none of; BadTranscript if the present rules can't replay it.
    """
    header, lines = read_transcript(text.splitlines())
    groups = list(by_answer(lines))
    table = Table(header, SeededDealer())
    seats = [*header.seats, *(group[0][1]["seat"] for group in groups if "seat" in group[0][1])]
    if you not in (*seats, SCREEN, OPEN_HANDED):
        raise CardhouseError(f'There is no seat "{you[:40]}"; there are {", ".join(seats)}.', "no_such_seat")
    after = min(after, len(groups))
    doc = _doc(table, you)
    before, moments = doc, []
    for number, group in enumerate(groups[: after + AT_ONCE], start=1):
        table.replay(group)
        if number < after:
            continue
        now = _doc(table, you)
        if number == after:
            doc = now
        else:
            story = table.story(table.entries[-1], GM if you == OPEN_HANDED else you)
            moments.append(Moment(story, delta(before, now)))
        before = now
    sat = [Seated(seat, names.get(seat, ""), here=False) for seat in (*seats, SCREEN)]
    return Replay(you, about, sat, len(groups), after, doc, moments)


def _doc(table: Table, you: str) -> dict[str, Any]:
    if you == OPEN_HANDED:
        return {"view": msgspec.to_builtins(table.game.view_openly()), "asks": table.asks()}
    return {"view": table.view(you), "asks": table.asks()}
