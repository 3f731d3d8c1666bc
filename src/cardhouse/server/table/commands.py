"""Answers on their way to a table, from a person, a bot, a device or the clock, and the server's own checks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import GM, SCREEN, Entry, Refused, Table
from cardhouse.engine.game.overrides import read_override
from cardhouse.engine.values.names import folded
from cardhouse.engine.values.transcript import RIGHT, Line, body_of, kind_of, write_line
from cardhouse.server.persistence.records import SEATS_AT_MOST


class Command(NamedTuple):
    """An answer for a seat: its JSON, its id, and the last entry `at` that its sender had seen.

    `token` is the hash of the link's secret it came by, empty for the server's own actions. `is_device` marks the
    logging of a device, which only the server does.
    """

    seat: str
    answer: bytes
    id: str
    at: int | None
    token: str = ""
    is_device: bool = False


def check_same(table: Table, command: Command, line: Line) -> None:
    """Raises Refused unless a log line with this answer's id is the same answer, given before.

    Seat and content must be equal, except for the spelling of names, which are stored clean. An answer that only shares
    another's id must never be acknowledged, because it has had no effect.
    """
    logged, sent = (
        folded(msgspec.to_builtins(_read(table, text))) for text in (write_line(body_of(line)).encode(), command.answer)
    )
    if line["by"] != command.seat or logged != sent:
        raise Refused("Another answer at this table has this id. Send yours again with a new random id.", "taken")


def _read(table: Table, text: bytes) -> Any:
    """Return an answer without what the table adds in the log: the seed, and the extent of an undo or a redo."""
    answer = table.read_action(text)
    if not isinstance(answer, dict):
        return answer
    kind = kind_of(answer)
    if kind == RIGHT:
        return read_override(answer)
    return kind if kind in ("end", "undo", "redo") else answer


class DuplicateCommand(Exception):
    """An answer with this id was given before; `number` is its entry's number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def apply(table: Table, command: Command, time: int, chance: Sequence[Line] = (), *, hosted: bool = False) -> Entry:
    """Apply an answer to the table and return its entry.

    `time` is in Unix seconds; `chance` are draws and rolls that are known already; `hosted` means that a person, not a
    bot, has the game master's seat.

    Raises CardhouseError, changing nothing, if the answer is refused.
    """
    answer = table.read_action(command.answer)
    check_may_answer(command.seat)
    if hosted and command.seat != GM and table.is_for_host(answer):
        raise Refused("Only the host can do this, or any player where a bot plays the host's seat.", "not_yours")
    if isinstance(answer, dict):
        kind = kind_of(answer)
        if kind == "end" and set(answer) != {"end"}:
            raise Refused('The end is {"end": true}; the table tells its seed by itself.', "malformed")
        if kind == "device" and not command.is_device:
            raise Refused('A device takes part by the frame {"t": "device", "anchor": …}, not by an answer.')
        if kind == "seat" and len(table.seats) >= SEATS_AT_MOST:
            raise Refused(f"A table has {SEATS_AT_MOST} seats at most.")
    return table.answer(command.seat, answer, id=command.id, at=command.at, chance=chance, time=time)


def check_may_answer(seat: str) -> None:
    """Raises Refused for the table screen, which can't play."""
    if seat == SCREEN:
        raise Refused("This link is for spectators. Join a seat to play.", "not_yours")
