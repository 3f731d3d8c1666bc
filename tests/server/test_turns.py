"""A round with a thousand moves without a rest: its undo is long, and yields to others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cardhouse.engine.table.history import EffectiveLog
from cardhouse.server.management.table_manager import NewTable, TableManager
from cardhouse.server.table.loader import AT_ONCE
from tests.server.insiders import Insider, StoppedClock, open_house

LONG = 600


class Watch:
    """How many entries are played again between two turns of everybody else; `most` at once, `all` together."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.all = self.most = self._since = 0
        play = EffectiveLog._answer_again

        def counted(standing, running, entry) -> None:
            self.all += 1
            self._since += 1
            play(standing, running, entry)

        monkeypatch.setattr(EffectiveLog, "_answer_again", counted)

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        self.all = self.most = self._since = 0

        async def look() -> None:
            while True:
                self.most, self._since = max(self.most, self._since), 0
                await asyncio.sleep(0)

        looking = asyncio.create_task(look())
        yield
        looking.cancel()
        self.most = max(self.most, self._since)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


async def long_round(house: TableManager) -> tuple[NewTable, Insider]:
    """Somebody's character is handed to and fro."""
    made = await house.create("initiative", ("gm", "p1"), odds="off")
    gm = await Insider(house).sit(made, "gm")
    for name, card in (("Nan", "HA"), ("Doc", "S10")):
        await gm.do("add_character", name=name, card=card)
    await gm.do("start_round")
    for number in range(LONG):
        told = await gm.do("hand_over", name="Nan", controller=("p1", "gm")[number % 2])
        assert told["t"] == "change"
    return made, gm


@pytest.mark.soak
def test_an_undo_in_a_long_round_lets_others_have_their_turns(tmp_path: Path, watch: Watch) -> None:
    async def go() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db", StoppedClock()) as house:
            made, gm = await long_round(house)
            p1 = await Insider(house).sit(made, "p1")
            async with watch.looking():
                told = await gm.ask({"undo": 1})
            assert (told["t"], told["n"]) == ("change", LONG + 4)
            assert watch.all >= LONG - 1
            assert watch.most <= 2 * AT_ONCE
            await p1.until(lambda: p1.n == gm.n)
            assert p1.doc == (await Insider(house).sit(made, "p1")).doc
            again = await gm.do("hand_over", name="Nan", controller="gm")
            assert again["t"] == "change"

    asyncio.run(go())


@pytest.mark.soak
def test_a_long_round_with_undos_is_opened_in_turns(tmp_path: Path, watch: Watch) -> None:
    async def go() -> None:
        url = f"sqlite:///{tmp_path}/cards.db"
        async with open_house(url, StoppedClock()) as house:
            made, gm = await long_round(house)
            for _ in range(3):
                await gm.ask({"undo": 1})
            seen = gm.doc
            await gm.leave()
        async with open_house(url, StoppedClock()) as house, watch.looking():
            assert (await Insider(house).sit(made, "gm")).doc == seen
        assert watch.all >= 3 * (LONG - 3)
        assert watch.most <= 2 * AT_ONCE

    asyncio.run(go())
