"""What tables have worked out by the worker processes: odds, rosters, and what bots answer."""

import time
from collections.abc import Sequence
from random import SystemRandom
from typing import Any, NamedTuple

import msgspec

from cardhouse.engine import Header, SeededDealer, Seen, Snapshot, Table, find_game
from cardhouse.engine.transcript import Line


class Standing(NamedTuple):
    """A table as it stands: a snapshot of its game, and the lines that stand of its log since.

    `number` is that of its last entry.
    """

    header: Header
    snapshot: Snapshot
    lines: list[Line]
    number: int = 0


def standing(table: Table) -> Standing:
    """How a table stands."""
    snapshot = table.with_log(table.last_snapshot)
    since = table.entries[snapshot.number - table.base :]
    stand = [entry for entry in since if not entry.undone and entry.kind != "undo"]
    return Standing(table.header, snapshot, [line for entry in stand for line in entry.lines], table.number)


def odds_of(at: Standing, audiences: Sequence[str]) -> tuple[dict[str, bytes], float]:
    """The odds of a table as each audience may know them, as JSON; and how many seconds those of one take at most."""
    table = table_at(at)
    odds, longest = {}, 0.0
    for audience in audiences:
        started = time.perf_counter()
        odds[audience] = msgspec.json.encode(table.game.odds(audience))
        longest = max(longest, time.perf_counter() - started)
    return odds, longest


def roster_of(at: Standing) -> bytes:
    """The roster file of those at a table.

    Raises CardhouseError if its game keeps none.
    """
    return table_at(at).roster()


def who_comes_again(at: Standing) -> list[Line]:
    """The answers by which those at a table come to the next one."""
    return table_at(at).game.come_again()


def table_at(at: Standing) -> Table:
    """A table as it stood; nothing is dealt at it."""
    table = Table(at.header, SeededDealer(), at.snapshot)
    table.replay(enumerate(at.lines, start=1))
    return table


def answer_of(game: str, bot: str, seen: Seen) -> bytes | None:
    """What a bot of a game answers to what it has seen, as JSON; None if it leaves that to others."""
    answer: dict[str, Any] | None = find_game(game).bots[bot](seen, SystemRandom())
    return None if answer is None else msgspec.json.encode(answer)
