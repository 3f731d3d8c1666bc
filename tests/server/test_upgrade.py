"""A newer server takes over from an older one while people play."""

import ast
import asyncio
import os
import signal
from pathlib import Path

import pytest

from cardhouse.server.persistence import migrations
from tests.server.hammering import Hammer, check_fair, check_nothing_lost
from tests.server.talking import SECONDS, Server

VERSIONS = [file for file in sorted(Path(*migrations.__path__, "versions").glob("0*.py")) if file.stem > "0004"]
"""From the fourth on; the third threw away what may be lost at any time."""
ADDS = {"add_column", "bulk_insert", "create_index", "create_table", "f", "get_bind"}


async def hand_over(hammers: list[Hammer], old: Server, new: Server) -> None:
    """All play at the old server until one has given some answers; it is told to stop, and they play on at the new."""
    one, *others = hammers
    playing = asyncio.gather(*(hammer.play(old) for hammer in others))
    await one.play(old, enough=20)
    os.kill(old.process.pid or 0, signal.SIGTERM)
    await asyncio.gather(playing, *(hammer.play(new, enough=5) for hammer in hammers[:1]))
    await asyncio.gather(*(hammer.play(new, enough=5) for hammer in others))


@pytest.mark.soak
def test_nothing_is_lost_when_a_newer_server_takes_over(two: tuple[Server, Server]) -> None:
    old, new = two
    hammers = [Hammer(old.make_table(), seed=number) for number in range(5)]
    asyncio.run(hand_over(hammers, old, new))
    old.process.join(SECONDS)
    assert old.process.exitcode in (0, -signal.SIGTERM)
    for hammer in hammers:
        hammer.table.server = new
        assert hammer.unsure is None
        assert check_nothing_lost(hammer.table, [hammer]) > 5
        check_fair(hammer.table)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda file: file.stem)
def test_a_migration_only_adds(version: Path) -> None:
    """An older server goes on beside a newer one, whose form of the database has all that its own has."""
    (upgrade,) = (
        one
        for one in ast.parse(version.read_text("utf-8")).body
        if isinstance(one, ast.FunctionDef) and one.name == "upgrade"
    )
    called = {
        call.func.attr
        for call in ast.walk(upgrade)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "op"
    }
    assert called <= ADDS
