"""The order of saving: entries of tables go first."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.engine import Snapshot
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.records import Row, TableRecord
from cardhouse.server.persistence.repository import Store
from tests.server.test_store import record, row

OTHERS = 20


class Noted(Store):
    """A store that notes what it is asked to write."""

    done: list[str]

    def append(self, rows: Sequence[Row]) -> list[bool | Exception]:
        self.done.append("entries")
        return super().append(rows)

    def create(self, table: TableRecord) -> None:
        self.done.append("table")
        super().create(table)

    def save_snapshots(self, snapshots: Sequence[tuple[str, Snapshot]]) -> None:
        self.done += ["copy"] * len(snapshots)
        super().save_snapshots(snapshots)


Story = Callable[[Noted, Saver], Coroutine[Any, Any, None]]


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Story], None]:
    async def run(story: Story) -> None:
        store = Noted(f"sqlite:///{tmp_path}/cards.db")
        store.create(record("abcd2345"))
        store.done = []
        saver = Saver(store)
        try:
            await story(store, saver)
        finally:
            await saver.close()

    Noted.done = []
    return lambda story: asyncio.run(run(story))


def test_an_entry_waits_for_one_other_change_at_most(play: Callable[[Story], None]) -> None:
    async def story(store: Noted, saver: Saver) -> None:
        made = [asyncio.ensure_future(saver.write(store.create, record(f"made{n:04}"))) for n in range(OTHERS)]
        await asyncio.sleep(0)  # they have all asked
        assert await saver.append(row(1))
        assert store.done.index("entries") <= 1
        await asyncio.gather(*made)
        assert store.done.count("table") == OTHERS

    play(story)


def test_an_entry_waits_for_one_copy_at_most(play: Callable[[Story], None]) -> None:
    async def story(store: Noted, saver: Saver) -> None:
        copies = [("abcd2345", Snapshot(n * 200, 0, msgspec.Raw(b"{}"))) for n in range(1, OTHERS + 1)]
        saver.save_snapshots(copies)
        assert await saver.append(row(1))
        assert store.done.index("entries") <= 2  # a second one may just have been begun
        while store.done.count("copy") < OTHERS:
            await saver.read(store.last_number, "abcd2345")
        assert store.snapshot("abcd2345", 10**6) is not None

    play(story)
