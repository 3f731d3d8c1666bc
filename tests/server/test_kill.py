"""Nothing is lost: the server is killed at random moments under load, and all histories match one log."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.hammering import Hammer, Listener, check_fair, check_nothing_lost
from tests.server.talking import FAST, running
from tests.thorough import many

KILLS = many(6, 2)
"""For each store; the soak goes on with it for longer."""
TABLES = 4


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_by_kills(database: str, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    moments = random.Random(seed)
    with running(database, *FAST, log=tmp_path / "log") as server:
        hammers = [Hammer(server.make_table(seats=["p1"]), seed=seed + number) for number in range(TABLES)]
        listeners = [Listener(hammer.table, seat) for hammer in hammers for seat in ("p1", "screen")]

        async def play_until_killed() -> None:
            one, *others = moments.sample(hammers, TABLES)
            playing = asyncio.gather(*(person.play(server) for person in (*others, *listeners)))
            await one.play(server, enough=moments.randrange(30))  # the moment is counted in answers of one of them
            server.kill()
            await playing

        for _ in range(KILLS):
            asyncio.run(play_until_killed())
            server.kill()
            server.start()

        async def play_on() -> None:
            await asyncio.gather(*(hammer.play(server, enough=5) for hammer in hammers))

        asyncio.run(play_on())
        for hammer in hammers:
            assert hammer.unsure is None
            assert check_fair(hammer.table) > 0
            people = [hammer, *(listener for listener in listeners if listener.table is hammer.table)]
            assert check_nothing_lost(hammer.table, people) >= KILLS
        assert "Traceback" not in server.log.read_text()
