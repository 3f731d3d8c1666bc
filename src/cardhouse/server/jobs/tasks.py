"""The tables' tasks for worker processes: odds, rosters, and bots' answers."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import SystemRandom
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import STORY, Entry, Header, SeededDealer, Seen, Snapshot, Table, find_game
from cardhouse.engine.chance.shared_randomness import LINKS
from cardhouse.engine.values.transcript import Line
from cardhouse.player.monte_carlo import look_ahead

HOUSE_SECONDS = 0.8
"""How long the general bot simulates; a busy machine needs some of the rest of a bot's time."""


class TableState(NamedTuple):
    """A snapshot of a table's game (None: its beginning), and the effective log lines after it.

    `number` is the number of the table's last entry.
    """

    header: Header
    snapshot: Snapshot | None
    lines: list[Line]
    number: int = 0


def table_state(table: Table) -> TableState:
    """Return the state of a table."""
    snapshot = table.with_log(table.last_snapshot)
    since = table.entries[snapshot.number - table.base :]
    return TableState(table.header, snapshot, _lines_that_stand(since), table.number)


def _lines_that_stand(entries: Iterable[Entry]) -> list[Line]:
    """Return the lines that were not undone, without links: the links are those of the whole log, with undone draws."""
    stand = [entry for entry in entries if entry.stands]
    return [line for entry in stand for line in entry.lines if LINKS not in line]


def odds_of(at: TableState, audiences: Sequence[str]) -> tuple[dict[str, bytes], float]:
    """Return the odds of a table for each audience, as JSON, and the longest time in seconds that one of them took."""
    table = table_at(at)
    odds, longest = {}, 0.0
    for audience in audiences:
        started = time.perf_counter()
        odds[audience] = msgspec.json.encode(table.game.odds(audience))
        longest = max(longest, time.perf_counter() - started)
    return odds, longest


def roster_of(at: TableState, faces: Mapping[str, int]) -> bytes:
    """Return the roster file of a table, with these chosen portraits.

    Raises CardhouseError if its game has none.
    """
    return table_at(at).roster(faces)


def continuing_characters(at: TableState) -> list[Line]:
    """Return the answers that bring a table's characters to the next table."""
    return table_at(at).game.come_again()


def table_at(at: TableState) -> Table:
    """Return a table in this state; nothing may be dealt at it."""
    table = Table(at.header, SeededDealer(), at.snapshot)
    table.replay(enumerate(at.lines, start=1))
    return table


class BotTask(NamedTuple):
    """A bot's task for a worker: a function of this module, and its arguments."""

    function: Callable[..., bytes | None]
    arguments: tuple[Any, ...]


def bot_task(table: Table, seat: str, bot: str) -> BotTask:
    """Return a bot's task; the general bot, which simulates the game, is given the whole table if it is in memory."""
    if bot not in table.kind.bots and not table.base:
        return BotTask(general_bot_answer, (full_state(table), seat))
    return BotTask(answer_of, (table.header.game, bot, table.seen(seat, STORY)))


def full_state(table: Table) -> TableState:
    """Return the state of a table with its whole effective log."""
    return TableState(table.header, None, _lines_that_stand(table.entries))


def general_bot_answer(at: TableState, seat: str) -> bytes | None:
    """Return the general bot's answer for a seat, as JSON; None if it leaves the answer to others."""
    until = time.perf_counter() + HOUSE_SECONDS
    answer = look_ahead(table_at(at), seat, SystemRandom(), lambda played: time.perf_counter() > until)
    return None if answer is None else msgspec.json.encode(answer)


def answer_of(game: str, bot: str, seen: Seen) -> bytes | None:
    """Return the answer of a game's bot to what it has seen, as JSON; None if it leaves the answer to others."""
    answer: dict[str, Any] | None = find_game(game).bots[bot](seen, SystemRandom())
    return None if answer is None else msgspec.json.encode(answer)
