"""Forks: a private table that goes on from an earlier position of another, or a lab question about that position.

Both are for people who may replay the table, to whom nothing of it is hidden. A fork deals from a new seed, so it
reveals nothing about past or future cards of the first table.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine import (
    GM,
    PHYSICAL,
    SCREEN,
    CardhouseError,
    Header,
    Over,
    SeededDealer,
    Table,
    find_game,
    read_header,
)
from cardhouse.engine.values.transcript import Line, kind_of, read_object, write_transcript
from cardhouse.engine.values.whole_numbers import Count
from cardhouse.lab.questions.question import questions_of
from cardhouse.player.openings import usual_bots
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.table.factory import BuiltTable
from cardhouse.server.transcripts.replay import OPEN_HANDED
from cardhouse.server.transcripts.transcript_export import names_in, store_to_read
from cardhouse.server.transcripts.transcript_import import read_in


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a table for one person that goes on from another one after entry `at`, in the seat `seat`."""

    seat: str
    at: Count
    name: Annotated[str, Meta(max_length=80)] = ""


class FromHere(NamedTuple):
    """A position of a table: after entry `at`, viewed from `seat`. `seats` are all seats of the table now."""

    record: TableRecord
    seats: list[str]
    seat: str
    at: int


class LabFromHere(Struct, frozen=True):
    """A lab question with settings from a table; `text` says whom it is about."""

    question: str
    title: str
    text: str
    settings: dict[str, str]


def fork(database: str, here: FromHere, name: str) -> tuple[BuiltTable, str]:
    """Return a table called `name` that goes on from a position of another, with bots in all other seats.

    Raises CardhouseError if there is no such seat, the game is over there, or the installed rules can't replay it;
    NotSaved.
    """
    if here.seat not in here.seats:
        raise CardhouseError(f'There is no seat "{here.seat[:40]}"; there are {", ".join(here.seats)}.', "no_such_seat")
    header, lines = _log(database, here)
    header = msgspec.structs.replace(header, name=name, names={**header.names, **names_in(here.record)})
    text = "".join(write_transcript(header, lines))
    made = read_in(text.encode(), _check_goes_on)
    if here.seat not in made.seats:
        raise CardhouseError(f"At that step the table had no seat {here.seat} yet. Choose a later step.")
    bots = {} if PHYSICAL in header.decks.values() else usual_bots(find_game(header.game), made.seats, here.seat)
    return msgspec.structs.replace(made, odds="all", bots=bots), here.seat


def _check_goes_on(table: Table) -> None:
    if isinstance(table.question, Over):
        raise CardhouseError("At that step the game is over. Choose an earlier step.")


def ask_from(database: str, here: FromHere) -> list[LabFromHere]:
    """Return the lab questions about a position of a table, as a seat saw it.

    Raises CardhouseError if there is no such seat, or the installed rules can't replay it; NotSaved.
    """
    if here.seat not in (*here.seats, SCREEN, OPEN_HANDED):
        raise CardhouseError(f'There is no seat "{here.seat[:40]}"; there are {", ".join(here.seats)}.', "no_such_seat")
    header, lines = _log(database, here)
    table = Table(header, SeededDealer())
    table.replay(enumerate(lines, 2))
    seat = GM if here.seat == OPEN_HANDED else here.seat
    view = msgspec.to_builtins(table.game.view_openly()) if here.seat == OPEN_HANDED else table.view(seat)
    if any(isinstance(value, dict) and value for value in header.options.values()):
        return []  # a custom file, too long for a URL
    options = msgspec.to_builtins(table.game.options)
    return [
        LabFromHere(question.name, question.title, one.text, one.settings)
        for question in questions_of(header.game).values()
        for one in question.from_table(view, options)
    ]


def _log(database: str, here: FromHere) -> tuple[Header, list[Line]]:
    """Return a table's header, and its log up to a position, without ending the table: that isn't part of the game.

    Raises NotSaved.
    """
    with store_to_read(database) as store:
        entries = store.entries(here.record.id, 0, here.at) if here.at else []
    return read_header(here.record.header), list(_lines(text for _, text in entries))


def _lines(texts: Iterable[str]) -> Iterator[Line]:
    for text in texts:
        lines = [read_object(line) for line in text.split("\n")]
        if kind_of(lines[0]) != "end":
            yield from lines
