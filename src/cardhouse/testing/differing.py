"""Differences between two tables: the path of the first one, and both values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cardhouse.engine import SCREEN, BadGame, Refused, Table
from cardhouse.testing.playing import Answer, shown, shown_now

_LONGEST = 160
"""Longest value in a message, in characters."""


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield each place in which two JSON values differ, such as `view.players[1].card`, with both values."""
    if isinstance(one, dict) and isinstance(other, dict):
        before = f"{path}." if path else ""
        for key in [*one, *(key for key in other if key not in one)]:
            if key in one and key in other:
                yield from differences(one[key], other[key], f"{before}{key}")
            else:
                yield f"{before}{key}", one.get(key, msgspec.UNSET), other.get(key, msgspec.UNSET)
        if list(one) != list(other) and set(one) == set(other):
            yield path, list(one), list(other)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (here, there) in enumerate(zip(one, other, strict=True)):
            yield from differences(here, there, f"{path}[{place}]")
    elif type(one) is not type(other) or one != other:
        yield path, one, other


def first_difference(one: Any, other: Any) -> str | None:
    """Return the first difference as a clause, `view.card is "H7" at the one and "C2" at the other`, or None."""
    plain = [msgspec.json.decode(msgspec.json.encode(value)) for value in (one, other)]
    return next((describe_difference(*found) for found in differences(*plain)), None)


def describe_difference(path: str, here: Any, there: Any) -> str:
    """Return one of `differences` as a clause."""
    return f"{path} is {_quoted(here)} at the one and {_quoted(there)} at the other"


def _quoted(value: Any) -> str:
    if value is msgspec.UNSET:
        return "not there"
    text = msgspec.json.encode(value).decode()
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text


def seen_now(table: Table, seat: str, **what_if: int) -> dict[str, Any]:
    """Return everything a seat (or the screen) is shown now, by kind: the content of `shown_now`."""
    names = ("view", "question", "offers", "always", "odds")
    return dict(zip(names, msgspec.json.decode(shown_now(table, seat, **what_if)), strict=True))


def seen(table: Table, seat: str, **what_if: int) -> dict[str, Any]:
    """Return everything a seat (or the screen) has been shown, the content of `shown`; `story` is by entry number."""
    stories = {f"{entry.number}": table.story(entry, seat) for entry in table.entries}
    return {"story": stories, "may_take_back": table.may_take_back(seat), **seen_now(table, seat, **what_if)}


def compare(one: Table, other: Table, seats: Iterable[str], **what_if: int) -> None:
    """Raises BadGame, with path and values, if one of these seats was shown something else at one of two tables."""
    for seat in seats:
        if shown(one, seat, **what_if) != shown(other, seat, **what_if):
            apart = first_difference(seen(one, seat, **what_if), seen(other, seat, **what_if))
            raise BadGame(f"{seat} can tell two tables apart that differ only in what {seat} may not know: {apart}.")


def compare_refusals(one: Table, other: Table, seat: str, answer: Answer) -> None:
    """Raises BadGame if a wrong answer is refused in different words at one of two tables."""
    if apart := first_difference(refusal(one, seat, answer), refusal(other, seat, answer)):
        raise BadGame(f"{seat} can tell two tables apart by the refusal of the wrong answer {answer}: {apart}.")


def refusal(table: Table, seat: str, answer: Answer) -> dict[str, Any]:
    """Return the refusal of a wrong answer.

    Raises BadGame if it is accepted, or refused without a message.
    """
    try:
        table.answer(seat, answer)
    except Refused as error:
        if not error.message.strip():
            raise BadGame(f"{seat} is refused {answer} without a reason.") from None
        return {"code": error.code, "message": error.message, "offers": error.offers}
    raise BadGame(f"{seat} is not refused {answer}, although no offer allows it.")


def check_refused(table: Table, wrong: Sequence[tuple[str, Answer]], **what_if: int) -> None:
    """Raises BadGame if one of these answers isn't refused with a message, or changes anything. Nothing offers them.

    Each comes with the seat that gives it.
    """
    before = _all_of(table, what_if)
    for seat, answer in wrong:
        refusal(table, seat, answer)
    if apart := first_difference(before, _all_of(table, what_if)):
        raise BadGame(f"The refused answers {wrong} changed something: {apart}.")


def _all_of(table: Table, what_if: Mapping[str, int]) -> dict[str, Any]:
    """Return a table's log and state, and what every seat and the screen is shown now."""
    seats = {seat: msgspec.Raw(shown_now(table, seat, **what_if)) for seat in (*table.seats, SCREEN)}
    log = {"number": table.number, "asked_at": table.asked_at, "transcript": table.transcript()}
    return {**log, "state": msgspec.Raw(msgspec.json.encode(table.game)), **seats}


def find_difference(one: Table, other: Table, **what_if: int) -> str | None:
    """Return how two tables differ now, in the game's state or in what anybody is shown; None if they don't."""
    states = [msgspec.json.encode(table.game) for table in (one, other)]
    if states[0] != states[1]:
        return first_difference(*({"state": msgspec.json.decode(state)} for state in states))
    for seat in (*one.seats, SCREEN):
        if shown_now(one, seat, **what_if) != shown_now(other, seat, **what_if):
            return f"for {seat}, {first_difference(*(seen_now(table, seat, **what_if) for table in (one, other)))}"
    return None


def audiences_apart(table: Table) -> str | None:
    """Return how two seats' views differ, or which event isn't for all; None if all are shown the same."""
    for event in table.entries[-1].events if table.entries else ():
        if event.to or event.but:
            return f"not everyone gets the event {event.key}"
    first, *others = (*table.seats, SCREEN)
    views = {seat: table.view(seat) for seat in (first, *others)}
    for seat in others:
        if apart := first_difference({"view": views[first]}, {"view": views[seat]}):
            return f"of what {first} and {seat} see, {apart}"
    return None
