"""Checks of a table in its present state, made on copies from its transcript."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import NamedTuple

import msgspec

from cardhouse.engine import GM, SCREEN, Ask, BadGame, CardhouseError, SeededDealer, Snapshot, Table
from cardhouse.engine.diagnostics.declarations import decode_state, encode_state
from cardhouse.engine.diagnostics.runtime_errors import GameCrashed, crash_place
from cardhouse.engine.diagnostics.watchdog import NeverEnds
from cardhouse.testing.choices import leak_of_choices
from cardhouse.testing.differing import check_refused, find_difference, first_difference, seen
from cardhouse.testing.evenings import bots_answer
from cardhouse.testing.leaks import leak
from cardhouse.testing.playing import answer_like, check_goes_on, quickly, shown_now, wrong_answer
from cardhouse.testing.second_process import second_process
from cardhouse.testing.state_checks import check_source, check_state
from cardhouse.testing.text_checks import check_examples, check_texts, check_view

BOTS = "bots go on"
SOURCE, SECOND_PROCESS = "source", "second process"
"""Checks made once: at the beginning, and at the end of each session."""
NEVER_ENDS = "never ends"
"""The mark of all errors by an endless loop, because it takes long to reproduce one."""


_WRONG_ANSWERS = 10
"""Wrong answers tried at a table, always the same, so that an error can be reproduced."""


class Trouble(NamedTuple):
    """An error: the check that found it, a sentence, and a mark that identifies it."""

    check: str
    message: str
    mark: str


def trouble_of(check: str, error: Exception) -> Trouble:
    """Return the trouble for an error: a sentence for authors, or an exception of the game's own code."""
    cause = (error.__cause__ or error) if isinstance(error, GameCrashed) else error
    if isinstance(cause, CardhouseError):
        mark = NEVER_ENDS if isinstance(cause, NeverEnds) else f"{check}: {cause.message[:24]}"
        return Trouble(check, cause.message, mark)
    place = error.place if isinstance(error, GameCrashed) else f"The game crashed at {crash_place(cause)}"
    description = f"{type(cause).__name__}: {cause}".rstrip(": ")
    return Trouble(check, f"{place}: {description}.", f"{type(cause).__name__} {place}")


def shows(table: Table) -> None:
    """Check that everyone can be shown the table, in words, and the game can go on."""
    for seat in (*table.seats, SCREEN):
        shown_now(table, seat, **quickly(table.kind))
    check_texts(table, table.entries[-1] if table.entries else None)
    check_view(table)
    check_state(table.game)
    check_examples(table)
    check_goes_on(table)


def replays(table: Table) -> None:
    """Check that a replay of the transcript shows everyone the same."""
    again, what_if = _copy(table), quickly(table.kind)
    for seat in (*table.seats, SCREEN):
        if apart := first_difference(seen(table, seat, **what_if), seen(again, seat, **what_if)):
            raise BadGame(f"A table replayed from its transcript differs. For {seat}, {apart}.")


def _copy(table: Table) -> Table:
    try:
        return Table.read(table.transcript().splitlines(), SeededDealer(1))
    except CardhouseError as error:
        raise BadGame(f"The table's own transcript can't be replayed: {error.message}") from error


def undoes(table: Table) -> None:
    """Check that the last answer, undone and given again with the same draws, leads to the same state."""
    copy = _copy(table)
    if copy.entries and copy.entries[-1].counts:
        taken = copy.answer(GM, {"undo": 1}).undoes  # includes the choices that it revealed
        copy.answer(GM, {"redo": len(taken)})
        if apart := find_difference(table, copy, **quickly(table.kind)):
            raise BadGame(f"After an undo and a redo, the game differs: {apart}.")
        copy.answer(GM, {"undo": 1})
        try:
            for number in taken:
                answer_like(copy, copy.entries[number - 1])
        except CardhouseError as error:
            raise BadGame(f"After an undo, the same move is refused: {error.message}") from error
        if apart := find_difference(table, copy, **quickly(table.kind)):
            raise BadGame(f"After an undo and the same move with the same chance, the game differs: {apart}.")


def rests(table: Table) -> None:
    """Check that at rest the whole state is in the attributes."""
    if table.is_at_rest:
        text = encode_state(table.game)
        if apart := first_difference(
            msgspec.json.decode(text), msgspec.json.decode(encode_state(decode_state(text, table.kind)))
        ):
            raise BadGame(f"The state differs after being written to JSON and read back: {apart}.")
        copy = Table(table.header, SeededDealer(1), Snapshot(table.number, 0, text))
        if apart := find_difference(table, copy, **quickly(table.kind)):
            key = table.asks()["key"]
            raise BadGame(f"The question {key} has rest=True, but a game saved there differs: {apart}.")


def refuses(table: Table) -> None:
    """Check that answers that aren't offered are refused with a message, and change nothing."""
    tried = (wrong_answer(table, Random(seed), table.seats) for seed in range(_WRONG_ANSWERS))
    check_refused(table, [one for one in tried if one is not None], **quickly(table.kind))


def bots_go_on(table: Table) -> None:
    """Check that bots' answers are offered to them."""
    if isinstance(table.question, Ask):
        for name, seat in product(table.kind.bots, table.asks()["seats"]):
            if seat in table.seats:
                bots_answer(table, name, seat, Random(0))


def keeps_secrets(table: Table) -> None:
    """Check that seats without an event about a card or an answer don't see it either."""
    leak(table)
    leak_of_choices(table)


def is_well_written(table: Table) -> None:
    """Check that the source of the rules uses no chance, no clock and no order of a set."""
    check_source(table.kind)


def reads_elsewhere(table: Table) -> None:
    """Check that a replay in another process shows everyone the same."""
    with second_process(table.header.seats) as other:
        other.check(table, **quickly(table.kind))


CHECKS: dict[str, Callable[[Table], None]] = {
    "shows": shows,
    "replays": replays,
    "undoes": undoes,
    "rests": rests,
    "refuses": refuses,
    "keeps secrets": keeps_secrets,
    BOTS: bots_go_on,
    SOURCE: is_well_written,
    SECOND_PROCESS: reads_elsewhere,
}


def try_some(table: Table, rng: Random, often: float) -> Trouble | None:
    """Check that everyone can be shown a table; make each other check with the probability `often`."""
    for check in CHECKS:
        if check in (SOURCE, SECOND_PROCESS):
            continue
        if (check == "shows" or rng.random() < often) and (found := try_one(table, check)):
            return found
    return None


def try_one(table: Table, check: str) -> Trouble | None:
    """Return the trouble found by one of `CHECKS`; None without one."""
    try:
        CHECKS[check](table)
    except Exception as error:  # noqa: BLE001 (a game's own code may raise anything)
        return trouble_of(check, error)
    return None
