"""Rematches: another table for the same people in the same seats, to which every page moves automatically."""

import asyncio
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from cardhouse.engine import GM, CardhouseError, Game, Header, Refused, Table, find_game, write_line
from cardhouse.engine.values.transcript import Line
from cardhouse.server.core.tokens import new_table_id, new_token
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.tasks import TableState, continuing_characters
from cardhouse.server.persistence.records import Row, TableRecord, row_of
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.table.factory import new_table, with_few_mistakes
from cardhouse.server.wire import requests
from cardhouse.server.wire.protocol import Odds
from cardhouse.server.wire.requests import SHORT_BYTES, Json


class RematchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Create a rematch; fields that are left out keep their values.

    Every character comes along as it is, if the game can do so, unless `characters` is False.
    """

    characters: bool = True
    name: str | None = None
    options: Json | None = None
    decks: dict[str, str] | None = None
    by_hand: list[str] | None = None
    odds: Odds | None = None
    deal: Literal["", "together"] | None = None


class NextTable(Struct, frozen=True, omit_defaults=True):
    """The table at which the same people play again; each link's secret opens the same seat there.

    `left_out` has a sentence for each character that could not come.
    """

    table: str
    left_out: list[str] = []


class Next(NamedTuple):
    """A table that follows another, its first entries, and why some characters could not come."""

    record: TableRecord
    rows: list[Row]
    left_out: list[str]


async def rematch(
    table: OpenTable, workers: Workers, visitor: str, token: str, body: bytes, *, ends: bool = False
) -> NextTable:
    """Return the table that follows this one, creating it if needed; this one ends, and `body` may change settings.

    With `ends` the table needn't be over yet. If there is already a following table, from a repeated or concurrent
    request, that is returned. Raises CardhouseError for anyone but the game master, while the game goes on, or for
    invalid options; NotSaved.
    """
    request = requests.read(body, RematchRequest)
    if await table.record.seat_by(token) != GM:
        raise CardhouseError("Only the game master can start another game with everyone.", "not_yours")
    left_out: list[str] = []
    if not table.record.now.followed_by:
        header, seats = await table.finish(token, ends=ends)
        brings = request.characters and brings_characters(find_game(table.game))
        at = await table.table_state() if brings else None
        # kin tables are in the same process
        odds, new_id = request.odds or table.record.now.odds, new_table_id(table.id)
        arguments = new_id, _settings_for(header, request), seats, odds, _bots(table.record.now), at
        short = at is None and len(body) + len(table.record.now.header) <= SHORT_BYTES
        following = make_next(*arguments) if short else await workers.run(visitor, make_next, *arguments)
        await table.record.confirm_link(token)
        if await _save_following(table, following) == new_id:
            left_out = following.left_out
    return NextTable(table.record.now.followed_by, left_out)


def brings_characters(kind: type[Game]) -> bool:
    """Return whether a game's characters can come along to a next session."""
    return kind.come_again is not Game.come_again


async def _save_following(table: OpenTable, following: Next) -> str:
    """Save the next table and notify clients, even if the request is cancelled; return the table that now follows."""
    change = table.record.change(table.saver.store.follow, following.record, following.rows)
    return await asyncio.shield(asyncio.ensure_future(change))


def _settings_for(header: Header, request: RematchRequest) -> dict[str, Any]:
    names = ("game", "options", "name", "decks", "by_hand", "deal")
    changes = {name: getattr(request, name, None) for name in names}
    return {name: getattr(header, name) if value is None else value for name, value in changes.items()}


def _bots(record: TableRecord) -> dict[str, str]:
    return {seat.seat: seat.bot for seat in record.seats if seat.bot}


def make_next(
    id: str, header: dict[str, Any], seats: list[str], odds: str, bots: dict[str, str], at: TableState | None
) -> Next:
    """Return a new table described by `header`, with the same seats and the characters of the state `at`.

    Raises CardhouseError for an unknown option, deck, step or bot.
    """
    table, seed = with_few_mistakes(lambda: new_table(seats=seats, bots=bots, **header))
    left_out = [] if at is None else list(_bring(table, continuing_characters(at)))
    record = TableRecord(id, write_line(table.header), seed.hex(), odds, 0, [])
    return Next(record, [row_of(id, entry) for entry in table.entries], left_out)


def _bring(table: Table, answers: list[Line]) -> Iterator[str]:
    """Give these answers from the game master's seat; yield a sentence for each that is refused."""
    for answer in answers:
        try:
            table.answer(GM, answer, id=new_token())
        except Refused as error:
            yield error.problem
