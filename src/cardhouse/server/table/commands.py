"""An answer that is said at a table, by a person, a bot, a device or the clock, and what a server adds to the rules."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import GM, SCREEN, Entry, Refused, Table
from cardhouse.engine.game.overrides import read_override
from cardhouse.engine.values.names import folded
from cardhouse.engine.values.transcript import RIGHT, Line, body_of, kind_of, write_line
from cardhouse.server.persistence.records import SEATS_AT_MOST


class Command(NamedTuple):
    """An answer, as JSON, that is given for a seat by one who knew the log up to entry `at`.

    `token` is the link it came by, as a client keeps it; there is none for what the house says by itself. `is_device`
    says that the server logs a device, as nobody does by an answer.
    """

    seat: str
    answer: bytes
    id: str
    at: int | None
    token: str = ""
    is_device: bool = False


def check_same(table: Table, said: Command, line: Line) -> None:
    """Raises Refused unless a line of the log, which has the id of an answer, is that answer, given before.

    Its seat and its content must be the same, but for how names are written, which are stored clean. An answer that
    only has the id of another must never be acknowledged: nothing has come of it.
    """
    logged, sent = (
        folded(msgspec.to_builtins(_read(table, text))) for text in (write_line(body_of(line)).encode(), said.answer)
    )
    if line["by"] != said.seat or logged != sent:
        raise Refused("Another answer at this table has this id. Send yours again with a new random id.", "taken")


def _read(table: Table, text: bytes) -> Any:
    """An answer without what the table adds when it logs it: the seed, and how far an undo or a redo reached."""
    answer = table.read_action(text)
    if not isinstance(answer, dict):
        return answer
    kind = kind_of(answer)
    if kind == RIGHT:
        return read_override(answer)
    return kind if kind in ("end", "undo", "redo") else answer


class DuplicateCommand(Exception):
    """An answer with this id has been given before; `number` is that of its entry."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def say(table: Table, said: Command, time: int, chance: Sequence[Line] = (), *, hosted: bool = False) -> Entry:
    """Apply what was said to the table and return its entry.

    `time` is the time, in Unix seconds, `chance` what is known already of what it draws and rolls; `hosted` says that
    a person, not a bot, has the game master's seat.

    Raises CardhouseError, and nothing has changed, if it is refused.
    """
    answer = table.read_action(said.answer)
    check_may_answer(said.seat)
    if hosted and said.seat != GM and table.is_for_host(answer):
        raise Refused("Only the host can do this, or any player where a bot plays the host's seat.", "not_yours")
    if isinstance(answer, dict):
        kind = kind_of(answer)
        if kind == "end" and set(answer) != {"end"}:
            raise Refused('The end is {"end": true}; the table tells its seed by itself.', "malformed")
        if kind == "device" and not said.is_device:
            raise Refused('A device takes part by the frame {"t": "device", "anchor": …}, not by an answer.')
        if kind == "seat" and len(table.seats) >= SEATS_AT_MOST:
            raise Refused(f"A table has {SEATS_AT_MOST} seats at most.")
    return table.answer(said.seat, answer, id=said.id, at=said.at, chance=chance, time=time)


def check_may_answer(seat: str) -> None:
    """Raises Refused for one that only looks on."""
    if seat == SCREEN:
        raise Refused("This link is for spectators. Join a seat to play.", "not_yours")
