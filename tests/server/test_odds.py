"""Slow odds at a table whose answers come faster."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.server.jobs.queue import Task
from cardhouse.server.jobs.tasks import TableState
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.repository import Store
from cardhouse.server.table import odds
from tests.server.insiders import Insider, Threads, Visitor


class Slow(Threads):
    """Workers that begin, and give back what they have made, only when they may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_begin = asyncio.Semaphore(0)
        self.has_made = asyncio.Semaphore(0)
        self.may_tell = asyncio.Semaphore(0)

    async def run_when_due(self, visitor: str, task: Callable[[], Task], **how: Any) -> Any:
        await self.may_begin.acquire()
        made = await super().run_when_due(visitor, task, **how)
        self.has_made.release()
        await self.may_tell.acquire()
        return made


@asynccontextmanager
async def table(folder: Path, workers: Threads) -> AsyncIterator[Insider]:
    """The game master of a table in the middle of a round, who is kept told of its odds, and has been told none yet."""
    house = TableManager(Store(f"sqlite:///{folder}/cards.db"), workers=workers)
    try:
        options = {"join_now": True}
        made = await house.create("initiative", ["gm"], odds="all", options=options, by_hand=["draw"])
        gm = await Insider(house).sit(made, "gm")
        await gm.do("add_character", name="Ada", card="HA")
        await gm.do("start_round")
        await gm.say({"t": "odds", "on": True})
        yield gm
    finally:
        for person in [*Visitor.there]:
            await person.leave()
        await house.close()


def told(gm: Insider) -> list[tuple[int, int]]:
    """Of which entries odds were told, and how many characters have some."""
    return [(frame["n"], len(frame["odds"])) for frame in gm.frames if frame["t"] == "odds"]


def test_odds_that_come_late_are_told_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Initiative, "odds_take_long", True)

    async def play() -> None:
        workers = Slow()
        async with table(tmp_path, workers) as gm:
            for number in range(1, 5):
                workers.may_begin.release()
                await workers.has_made.acquire()
                await gm.do("add_character", name=f"Number {number}", card=f"C{number + 2}")
                workers.may_tell.release()
                await gm.until(lambda number=number: len(told(gm)) == number)  # type: ignore[misc]
            assert told(gm) == [(2, 1), (3, 2), (4, 3), (5, 4)]
            workers.may_begin.release()
            workers.may_tell.release()
            await gm.until(lambda: len(told(gm)) == 5)
            assert told(gm)[-1] == (gm.n, 5)

    asyncio.run(play())


def test_what_waits_for_its_turn_is_worked_out_as_the_table_stands_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Initiative, "odds_take_long", True)

    async def play() -> None:
        workers = Slow()
        async with table(tmp_path, workers) as gm:
            for number in range(1, 5):
                await gm.do("add_character", name=f"Number {number}", card=f"C{number + 2}")
            workers.may_begin.release()
            workers.may_tell.release()
            await gm.until(lambda: bool(told(gm)))
            assert told(gm) == [(6, 5)]

    asyncio.run(play())


class Busy(Threads):
    """Workers that have too much to do at first."""

    busy = 2

    async def run_when_due(self, visitor: str, task: Callable[[], Task], **how: Any) -> Any:
        if self.busy:
            self.busy -= 1
            raise CardhouseError("There is too much to be done before it.", "too_many")
        return await super().run_when_due(visitor, task, **how)


def test_odds_come_though_too_much_was_to_be_done_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Initiative, "odds_take_long", True)
    monkeypatch.setattr(odds, "RETRY_SECONDS", 0)

    async def play() -> None:
        async with table(tmp_path, Busy()) as gm:
            await gm.until(lambda: bool(told(gm)))
            assert told(gm) == [(2, 1)]

    asyncio.run(play())


def test_a_table_whose_odds_take_no_time_is_not_copied_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody_copies(table: Table) -> TableState:
        raise AssertionError("It is copied.")

    monkeypatch.setattr(odds, "table_state", nobody_copies)
    monkeypatch.setattr(odds, "_SLOW_SECONDS", 3600)

    async def play() -> None:
        async with table(tmp_path, Slow()) as gm:
            await gm.until(lambda: bool(told(gm)))
            await gm.do("add_character", name="Nan", card="C4")
            await gm.until(lambda: len(told(gm)) == 2)

    asyncio.run(play())
