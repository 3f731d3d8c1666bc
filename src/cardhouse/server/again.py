"""Playing again: another table for the same people in the same seats, to which everybody's page is led."""

import asyncio
from typing import Any

from msgspec import Struct

from cardhouse.engine import GM, CardhouseError, Header
from cardhouse.server import bodies
from cardhouse.server.bodies import SHORT_BYTES, AgainWanted
from cardhouse.server.making import Made, new, of_few_mistakes
from cardhouse.server.open_table import OpenTable
from cardhouse.server.records import TableRecord
from cardhouse.server.tokens import new_table_id
from cardhouse.server.work import Workers


class NextTable(Struct, frozen=True):
    """The table at which the same people play again; everybody's secret opens the seat there that it opened before."""

    table: str


async def play_again(
    table: OpenTable, workers: Workers, visitor: str, token: str, body: bytes, *, ends: bool = False
) -> NextTable:
    """The table that follows this one, which ends with it; made as it was but for what the body asks for.

    With `ends` it needn't be over yet. Whoever asks twice, or second, gets the one there is. Raises CardhouseError for
    anybody but the game master, while the game goes on, or for options that can't be; NotSaved.
    """
    wanted = bodies.read(body, AgainWanted)
    if await table.record.seat_by(token) != GM:
        raise CardhouseError("Only the game master starts another game with everybody.", "not_yours")
    if not table.record.now.followed_by:
        header, seats = await table.finish(token, ends=ends)
        asked = _as_before(header, wanted), seats, wanted.odds or table.record.now.odds, _bots(table.record.now)
        short = len(body) + len(table.record.now.header) <= SHORT_BYTES
        made = make_again(*asked) if short else await workers.run(visitor, make_again, *asked)
        await table.record.confirm_link(token)
        beside = new_table_id(table.id)  # so that whoever has the one has the other
        await _whole(table, TableRecord(beside, made.header, made.seed, made.odds, 0, []))
    return NextTable(table.record.now.followed_by)


async def _whole(table: OpenTable, record: TableRecord) -> None:
    """Save it and have everybody told, even if whoever waits for that is gone."""
    await asyncio.shield(asyncio.ensure_future(table.record.change(table.saver.store.follow, record)))


def _as_before(header: Header, wanted: AgainWanted) -> dict[str, Any]:
    kept = ("game", "options", "name", "decks", "by_hand", "deal")
    asked = {name: getattr(wanted, name, None) for name in kept}
    return {name: getattr(header, name) if value is None else value for name, value in asked.items()}


def _bots(record: TableRecord) -> dict[str, str]:
    return {seat.seat: seat.bot for seat in record.seats if seat.bot}


def make_again(header: dict[str, Any], seats: list[str], odds: str, bots: dict[str, str]) -> Made:
    """A new table of what `header` names, with the same seats.

    Raises CardhouseError for an unknown option, deck, step or bot.
    """
    return of_few_mistakes(lambda: new(seats=seats, odds=odds, bots=bots, **header))
