"""What tables have worked out by the worker processes: odds, rosters, and what bots answer."""

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
"""The house's player plays on for so long, which leaves a busy machine some of the time that a bot has."""


class TableState(NamedTuple):
    """A table as it stands: a snapshot of its game, None for its beginning, and what stands of its log since.

    `number` is that of its last entry.
    """

    header: Header
    snapshot: Snapshot | None
    lines: list[Line]
    number: int = 0


def standing(table: Table) -> TableState:
    """How a table stands."""
    snapshot = table.with_log(table.last_snapshot)
    since = table.entries[snapshot.number - table.base :]
    return TableState(table.header, snapshot, _lines_that_stand(since), table.number)


def _lines_that_stand(entries: Iterable[Entry]) -> list[Line]:
    """What was not undone. Links are left out: they are those of the whole log, undone draws included."""
    stand = [entry for entry in entries if entry.stands]
    return [line for entry in stand for line in entry.lines if LINKS not in line]


def odds_of(at: TableState, audiences: Sequence[str]) -> tuple[dict[str, bytes], float]:
    """The odds of a table as each audience may know them, as JSON; and how many seconds those of one take at most."""
    table = table_at(at)
    odds, longest = {}, 0.0
    for audience in audiences:
        started = time.perf_counter()
        odds[audience] = msgspec.json.encode(table.game.odds(audience))
        longest = max(longest, time.perf_counter() - started)
    return odds, longest


def roster_of(at: TableState, faces: Mapping[str, int]) -> bytes:
    """The roster file of those at a table, with these chosen portraits.

    Raises CardhouseError if its game keeps none.
    """
    return table_at(at).roster(faces)


def who_comes_again(at: TableState) -> list[Line]:
    """The answers by which those at a table come to the next one."""
    return table_at(at).game.come_again()


def table_at(at: TableState) -> Table:
    """A table as it stood; nothing is dealt at it."""
    table = Table(at.header, SeededDealer(), at.snapshot)
    table.replay(enumerate(at.lines, start=1))
    return table


class Thought(NamedTuple):
    """What a worker is to work out for a bot: a function of this module, and its arguments."""

    function: Callable[..., bytes | None]
    arguments: tuple[Any, ...]


def thought_of(table: Table, seat: str, bot: str) -> Thought:
    """What a bot is to think of; the house's player, which plays on, is given the whole table, which must be here."""
    if bot not in table.kind.bots and not table.base:
        return Thought(house_answer_of, (whole(table), seat))
    return Thought(answer_of, (table.header.game, bot, table.seen(seat, STORY)))


def whole(table: Table) -> TableState:
    """A table from its beginning, as far as its log stands."""
    return TableState(table.header, None, _lines_that_stand(table.entries))


def house_answer_of(at: TableState, seat: str) -> bytes | None:
    """What the house's player answers in a seat, as JSON; None if it leaves that to others."""
    until = time.perf_counter() + HOUSE_SECONDS
    answer = look_ahead(table_at(at), seat, SystemRandom(), lambda played: time.perf_counter() > until)
    return None if answer is None else msgspec.json.encode(answer)


def answer_of(game: str, bot: str, seen: Seen) -> bytes | None:
    """What a bot of a game answers to what it has seen, as JSON; None if it leaves that to others."""
    answer: dict[str, Any] | None = find_game(game).bots[bot](seen, SystemRandom())
    return None if answer is None else msgspec.json.encode(answer)
