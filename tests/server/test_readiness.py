"""The server's health checks."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from cardhouse.cli import main
from cardhouse.server.management.readiness import Readiness
from tests.server.insiders import open_house
from tests.server.talking import FAST, Server, running
from tests.server.wires import Wire


def until(server: Server, status: int) -> dict[str, Any]:
    """Ask until the server says whether it is ready with this status; what else it says."""
    while True:
        found, told = server.get("/ready")
        if found == status:
            assert server.get("/live") == (200, {"live": True})
            return dict(told)


def test_a_house_that_is_well_is_ready(house: Server) -> None:
    assert house.get("/live") == (200, {"live": True})
    assert house.get("/ready") == (200, {"ready": True, "store": True, "news": None, "closing": False})
    assert house.raw("/ready")[1]["cache-control"] == "no-store"


@pytest.mark.soak
def test_one_that_cannot_reach_what_it_needs_is_not(
    tmp_path: Path, postgres_url: str, redis_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        Wire(postgres_url, 5432) as store,
        Wire(redis_url, 6379) as news,
        running(store.url, *FAST, "--redis", news.url, log=tmp_path / "log") as server,
    ):
        assert until(server, 200) == {"ready": True, "store": True, "news": True, "closing": False}
        news.cut()
        assert until(server, 503) == {"ready": False, "store": True, "news": False, "closing": False}
        assert main(["doctor", server.address]) == 1
        assert "can't reach Redis" in capsys.readouterr().out
        news.mend()
        until(server, 200)
        store.cut()
        told = until(server, 503)
        assert (told["store"], told["news"]) == (False, True)
        store.mend()
        until(server, 200)


def test_health_checks_query_the_database_at_most_every_two_seconds(tmp_path: Path) -> None:
    async def ask() -> int:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            readiness, asked = Readiness(house), []
            event.listen(house.store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
            for _ in range(3):
                found = await asyncio.gather(*(readiness.check() for _ in range(100)))
                assert set(found) == {(True, None)}
            return sum(statement == "SELECT 1" for statement in asked)

    assert asyncio.run(ask()) == 1
