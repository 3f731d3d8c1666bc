"""Answers about the table rather than the game: undo, redo, new seats, new devices and the end."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cardhouse.engine.chance.shared_randomness import TOGETHER
from cardhouse.engine.values.errors import CardhouseError, Code, Refused
from cardhouse.engine.values.names import clean, twins
from cardhouse.engine.values.questions import GM
from cardhouse.engine.values.transcript import Header, Line, check_seats


def moves_in(line: Mapping[str, Any], word: Literal["undo", "redo"]) -> int:
    """Return how many moves this `undo` or `redo` asks for.

    Raises Refused if the line is malformed.
    """
    count = line[word]
    if type(count) is not int or count < 1 or set(line) != {word}:
        subject = "An undo" if word == "undo" else "A redo"
        raise Refused(f'{subject} is {{"{word}": 1}}, or the number of moves to {word}.', "malformed")
    return count


def too_few(word: Literal["undo", "redo"], there: int) -> Refused:
    """Return the refusal of an `undo` or `redo` of more moves than there are."""
    code: Code = "nothing_to_undo" if word == "undo" else "nothing_to_redo"
    if not there:
        return Refused(f"There is nothing to {word}.", code)
    return Refused(f"There {'are' if there != 1 else 'is'} only {there} move{'s' * (there != 1)} to {word}.", code)


def new_seat(by: str, line: Mapping[str, Any], seats: Sequence[str], *, as_written: bool = False) -> str:
    """Return the name of the seat that this line adds, cleaned, or as written when a log is replayed.

    Raises Refused if the name can't be added, or `by` isn't the game master.
    """
    seat = line["seat"]
    if by != GM:
        raise Refused("Only the game master can add a seat.", "not_yours")
    if not isinstance(seat, str) or set(line) != {"seat"}:
        raise Refused('A new seat is {"seat": "its name"}.', "malformed")
    if not as_written:
        seat = next(iter(twins(seat, seats)), None) or clean(seat)
    try:
        check_seats([*seats, seat])
    except CardhouseError as error:
        raise Refused(error.message) from None
    return seat


def check_new_device(line: Mapping[str, Any], header: Header) -> None:
    """Raise Refused unless this is a device, and the devices at this table take part in the deals."""
    if header.deal != TOGETHER:
        raise Refused("At this table devices take no part in the deals.")
    if not {"device"} <= set(line) <= {"device", "number"}:
        raise Refused('A device is {"device": the end of its hash chain, 64 hex digits}.', "malformed")


def ending(by: str, line: Mapping[str, Any], seed: bytes | None) -> Line:
    """Return the end as it is logged, with the seed that was committed to, which the line may already contain.

    Raises Refused if the line is malformed, or `by` isn't the game master.
    """
    if by != GM:
        raise Refused("Only the game master can end the table.", "not_yours")
    if line["end"] is not True or not set(line) <= {"end", "seed"}:
        raise Refused('The end is {"end": true}.', "malformed")
    logged: Line = {"by": by, "end": True}
    if "seed" in line:
        logged["seed"] = line["seed"]
    elif seed is not None:
        logged["seed"] = seed.hex()
    return logged
