"""Unused tables are deleted, but only after a warning, and never because of a clock."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from cardhouse.engine import CardhouseError
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.management.retention_job import RetentionJob
from cardhouse.server.management.table_manager import NewTable, TableManager
from cardhouse.server.persistence import campaign_repository, schema
from cardhouse.server.persistence.campaign_repository import CampaignRecord
from cardhouse.server.persistence.records import Row
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.retention_policy import (
    DAY_SECONDS,
    NOTICE_DAYS,
    TINY,
    TINY_DAYS,
    UNUSED_DAYS,
    RetentionPolicy,
    parse_retention,
)
from tests.server.insiders import Insider, StoppedClock, open_house
from tests.server.talking import FAST, running

KEPT_DAYS = 365


class Kept:
    """A house that keeps its tables for a year; days go by as they are told to."""

    def __init__(self, house: TableManager, clock: StoppedClock) -> None:
        self.house = house
        self.clock = clock
        self.keeper = RetentionJob(house.saver, clock, RetentionPolicy(KEPT_DAYS), house.is_used, house.let_go)

    async def made(self, answers: int = 0) -> NewTable:
        new = await self.house.create("initiative", ["gm", "p1"], odds="gm")
        for number in range(1, answers + 1):
            line = f'{{"by":"gm","do":"add_character","name":"C{number}","tier":"leader"}}'
            await self.house.saver.append(Row(new.table, number, str(number), line))
        return new

    async def days(self, number: int) -> None:
        """So many days on which the house is open."""
        for _ in range(number):
            self.clock.go_on(DAY_SECONDS)
            await self.keeper.run_once()

    async def away(self, days: int) -> None:
        """So many on which it isn't, but for the last."""
        self.clock.go_on(days * DAY_SECONDS)
        await self.keeper.run_once()

    async def there(self, *tables: NewTable) -> list[bool]:
        return [await self.house.saver.read(self.house.store.table, one.table) is not None for one in tables]

    async def announced(self, table: NewTable) -> float:
        """In how many days a table goes; 0 if that isn't said."""
        record = await self.house.saver.read(self.house.store.table, table.table)
        assert record is not None
        return (record.goes_at - self.clock.now) / DAY_SECONDS if record.goes_at else 0


Story = Callable[[Kept], Awaitable[None]]
Tell = Callable[[Story], None]


@pytest.fixture
def story(database: str) -> Tell:
    """Runs a story of such a house."""

    async def run(story: Story) -> None:
        clock = StoppedClock(time.time())
        async with open_house(database, clock) as house:
            await story(Kept(house, clock))

    return lambda story: asyncio.run(run(story))


def test_small_tables_go_sooner_and_all_are_announced(story: Tell) -> None:
    async def told(at: Kept) -> None:
        tables = [await at.made(answers) for answers in (0, TINY - 1, TINY)]
        for table, days in zip(tables, (UNUSED_DAYS, TINY_DAYS, KEPT_DAYS), strict=True):
            last = at.clock.now
            await at.away(days - NOTICE_DAYS - 1 - round((last - time.time()) / DAY_SECONDS))
            assert await at.announced(table) == 0
            await at.days(2)
            assert await at.announced(table) == pytest.approx(NOTICE_DAYS, abs=1.1)
            await at.days(NOTICE_DAYS - 2)
            assert await at.there(table) == [True]
            await at.days(2)
            assert await at.there(table) == [False]

    story(told)


def test_a_player_keeps_a_table_by_button_or_by_a_move(story: Tell) -> None:
    async def told(at: Kept) -> None:
        said, played, opened, looked_on = tables = [await at.made() for _ in range(4)]
        await at.days(5)
        early = await Insider(at.house).sit(opened, "p1")
        await early.leave()
        television = await Insider(at.house).sit(looked_on, "screen")
        await at.away(UNUSED_DAYS - NOTICE_DAYS - 1)
        assert [await at.announced(one) > 0 for one in tables] == [True, True, False, True]
        p1, gm = await Insider(at.house).sit(said, "p1"), await Insider(at.house).sit(played, "gm")
        until = p1.frames[0]["table"]["kept_until"] / 1000
        assert until == pytest.approx(at.clock.now + NOTICE_DAYS * DAY_SECONDS, abs=DAY_SECONDS)
        await television.say({"t": "keep"})
        assert television.last()["code"] == "not_yours"
        await p1.say({"t": "keep"})
        await p1.until(lambda: p1.frames[-1]["t"] in ("settings", "seats"))
        assert [frame.get("kept_until") for frame in p1.frames if frame["t"] == "settings"] == [None]
        await gm.do("add_character", name="Ada", card="SA")
        await gm.until(lambda: any(frame["t"] == "settings" for frame in gm.frames))
        await television.leave()
        await at.days(NOTICE_DAYS)
        assert await at.there(*tables) == [True, True, True, False]

    story(told)


def test_a_clock_that_is_set_forward_deletes_nothing(story: Tell) -> None:
    async def told(at: Kept) -> None:
        table = await at.made(TINY)
        await at.days(1)
        right = at.clock.now
        for _ in range(5):  # a year on and back, again and again
            at.clock.now = right + 400 * DAY_SECONDS
            await at.keeper.run_once()
            assert await at.announced(table) > 0
            at.clock.now = right
            await at.keeper.run_once()
        await at.days(2)
        assert await at.there(table) == [True]
        at.clock.now = right + 400 * DAY_SECONDS
        await at.days(NOTICE_DAYS - 1)
        assert await at.there(table) == [True], "it has not been announced on so many days"
        p1 = await Insider(at.house).sit(table, "p1")
        await p1.say({"t": "keep"})
        await p1.leave()
        await at.days(NOTICE_DAYS)
        assert await at.there(table) == [True]

    story(told)


def test_a_server_that_was_off_for_years_warns_first(story: Tell) -> None:
    async def told(at: Kept) -> None:
        table = await at.made(TINY)
        await at.away(1000)
        await at.away(1000)
        assert await at.there(table) == [True]
        sitting = await Insider(at.house).sit(table, "p1")
        await at.days(NOTICE_DAYS)
        assert await at.there(table) == [True], "somebody is there"
        await sitting.leave()
        await at.days(1)
        assert await at.there(table) == [False]
        with pytest.raises(TableDeleted):
            await at.house.table(table.table)

    story(told)


def test_one_of_several_servers_looks_for_unused_tables(story: Tell) -> None:
    async def told(at: Kept) -> None:
        table = await at.made()
        await at.days(UNUSED_DAYS - NOTICE_DAYS + 1)
        other = RetentionJob(at.house.saver, at.clock, RetentionPolicy(KEPT_DAYS), lambda _: False, lambda _: None)
        before = await at.announced(table)
        for _ in range(NOTICE_DAYS):
            await at.days(1)
            for _ in range(3):
                await other.run_once()
        assert before == pytest.approx(NOTICE_DAYS, abs=1.1)
        assert await at.there(table) == [False]

    story(told)


def test_a_campaign_goes_whole_or_not_at_all(story: Tell) -> None:
    async def told(at: Kept) -> None:
        evenings = [await at.made() for _ in range(3)]
        chain = [(table.table, int(at.clock.now)) for table in evenings]
        record = CampaignRecord("abcdefgh", "0" * 64, "Red Gulch")
        await at.house.saver.write(campaign_repository.restore, at.house.store, record, chain)
        await at.away(UNUSED_DAYS + TINY_DAYS)
        assert [await at.announced(one) for one in evenings] == [0, 0, 0]
        await at.away(KEPT_DAYS - UNUSED_DAYS - TINY_DAYS)
        assert all([await at.announced(one) > 0 for one in evenings])
        p1 = await Insider(at.house).sit(evenings[1], "p1")
        await p1.say({"t": "keep"})
        await p1.leave()
        assert [await at.announced(one) for one in evenings] == [0, 0, 0]
        await at.away(KEPT_DAYS)
        await at.days(NOTICE_DAYS)
        assert await at.there(*evenings) == [False, False, False]
        assert campaign_repository.campaign(at.house.store, "abcdefgh") is None

    story(told)


def test_those_before_and_after_a_table_that_goes_lead_to_each_other(story: Tell) -> None:
    async def told(at: Kept) -> None:
        first, middle, last = [await at.made() for _ in range(3)]
        record = CampaignRecord("abcdefgh", "0" * 64, "Red Gulch")
        chain = [(table.table, 0) for table in (first, middle, last)]
        await at.house.saver.write(campaign_repository.restore, at.house.store, record, chain)
        gm = await Insider(at.house).sit(first, "gm")

        async def links() -> list[tuple[str, str]]:
            store = at.house.store
            found = [await at.house.saver.read(store.table, one.table) for one in (first, last)]
            return [(one.follows, one.followed_by) for one in found if one is not None]

        assert await at.house.saver.write(at.house.store.delete, middle.table)
        assert await links() == [("", last.table), (first.table, "")]
        await gm.leave()
        assert await at.house.saver.write(at.house.store.delete, last.table)
        assert await links() == [("", "")]

    story(told)


def test_a_server_does_it_by_itself(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, "--keep", "30d", log=tmp_path / "log") as server:
        tables = [server.make_table() for _ in range(2)]
        tables[1].sit("gm").do("add_character", name="Ada", card="SA")
        server.stop()
        store = Store(database)
        with store.changing() as connection:
            connection.execute(update(schema.house).values(days=20, last_day=0))
            old = {"made_at": 0, "goes_at": 1, "goes_day": 20}
            connection.execute(update(schema.tables).values(old))
        server.start()
        while store.table(tables[0].id) is not None:
            continue
        played = store.table(tables[1].id)  # looked at in the same go, or soon
        while played is not None and played.goes_at:
            played = store.table(tables[1].id)
        assert played is not None, "somebody has played there"
        store.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("span", ["a year", "365", "12m", "-3d", "0d", "29d", "4w", "999999d"])
def test_spans_that_are_none(span: str) -> None:
    with pytest.raises(CardhouseError):
        parse_retention(span)


def test_spans() -> None:
    assert [parse_retention(span).days for span in (None, "30d", "52w")] == [0, 30, 364]
