"""Tables without clients are unloaded, and their resources freed."""

import asyncio
import gc
from pathlib import Path
from weakref import ref

import pytest

from cardhouse.server.management import table_manager
from tests.server.insiders import Insider, scene
from tests.server.talking import SECONDS


def test_the_log_of_a_table_put_away_is_let_go_of_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without waiting for Python to look for garbage in cycles, which the server has it do but seldom."""
    monkeypatch.setattr(table_manager, "IDLE_SECONDS", 0.004)

    async def play() -> None:
        async with scene(f"sqlite:///{tmp_path}/cards.db", options={"rounds": 3}) as at:
            await at["gm"].do("begin")
            held = ref((await at.house.table(at.made.table))._cache.table)
            assert held() is not None
            other = await at.house.create("dogpile", ["gm"], odds="off")
            elsewhere = await Insider(at.house).sit(other, "gm")
            for person in at.people.values():
                await person.leave()
            async with asyncio.timeout(SECONDS):
                while at.made.table in at.house._tables:
                    await elsewhere.sync()
            assert held() is None
            gm = await at.come("gm")
            assert gm.n == 1
            assert gm.phase == "laying"

    gc.collect()
    gc.disable()
    try:
        asyncio.run(play())
    finally:
        gc.enable()
