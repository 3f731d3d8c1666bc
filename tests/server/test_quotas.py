"""The limits of a server's size, and its refusals at the limit."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.server.access import quotas
from cardhouse.server.access.quotas import Quota, Room, quota_of
from cardhouse.server.access.rate_limits import Limits
from cardhouse.server.persistence.repository import Store
from tests.server.insiders import Insider, open_house
from tests.server.talking import ADMIN_KEY, FAST, PROXIED, Server, asking_for, running

WANTED = {"game": "initiative", "seats": 2}


def test_a_house_that_has_enough_makes_no_more(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, "--most-tables", "2", log=tmp_path / "log") as server:
        first, _ = server.make_table(), server.make_table()
        first.sit("gm").ask({"end": True})
        again = f"/api/tables/{first.id}/again"
        for path, body in (("/api/tables", WANTED), ("/api/games/initiative/lessons/now/tables", {}), (again, {})):
            status, said = server.post(path, body, Authorization=f"Bearer {first.links['gm']}")
            assert (status, said["code"]) == (507, "full"), path
            assert said["message"].startswith("This server is full: it keeps at most 2 tables.")
        assert first.sit("p1").seat == "p1"
    with running(database, *FAST, "--most-size", "1MB", log=tmp_path / "log") as server:
        made = [server.post("/api/tables", {**WANTED, "name": "x"})[0] for _ in range(3)]
        expected = [507] * 3 if database.startswith("postgres") else [201] * 3  # an empty one of these is larger
        assert made == expected
    assert "Traceback" not in (tmp_path / "log").read_text()


def campaign_of(sessions: int) -> dict[str, Any]:
    """A campaign's file."""
    transcript = '{"cardhouse":1,"game":"initiative","seats":["gm"]}'
    return {
        "cardhouse_campaign": 1,
        "name": "A",
        "notes": "",
        "evenings": [{"at": 2**53 - 1, "transcript": transcript}] * sessions,
    }


def tables_of(server: Server) -> list[dict[str, Any]]:
    status, told = server.get("/api/house/tables", ADMIN_KEY)
    assert status == 200, told
    found: list[dict[str, Any]] = told["found"]
    return found


def test_a_campaign_pays_for_each_of_its_tables(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, "--most-tables", "4", log=tmp_path / "log") as server:
        server.make_table()
        assert server.post("/api/campaigns/import", campaign_of(3))[0] == 201
        assert server.post("/api/campaigns/import", campaign_of(1))[0] == 507
    with running(database, *FAST, "--most-tables", "6", log=tmp_path / "log") as server:
        status, told = server.post("/api/campaigns/import", campaign_of(3))
        assert (status, told["code"]) == (507, "full")
        assert server.get("/api/house/tables", ADMIN_KEY)[1]["tables"] == 4, "all are made, or none"
    with running(database, "--rate", "20", "--burst", "12", *PROXIED, log=tmp_path / "log") as server:
        ada, nan = asking_for("198.51.100.1"), asking_for("198.51.100.2")
        assert server.post("/api/campaigns/import", campaign_of(30), **ada)[0] == 201
        status, told = server.post("/api/campaigns/import", campaign_of(11), **ada)
        assert (status, told["code"]) == (429, "too_many")
        assert server.post("/api/campaigns/import", campaign_of(11), **nan)[0] == 201
        assert server.get("/api/house/tables", ADMIN_KEY)[1]["tables"] == 4 + 30 + 11
        assert all(table["made_at"] <= time.time() for table in tables_of(server)), "none began in the future"


def test_a_measurement_forgets_no_table_of_the_request_that_is_being_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "LOOK_SECONDS", 0)

    async def story() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            room = Room(house.saver, Quota(tables=3))
            await room.check()
            room.check_further(2)
            with pytest.raises(CardhouseError, match="at most 3 tables"):
                room.check_further(1)

    asyncio.run(story())


def test_bytes_saved_since_the_last_measurement_count(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            room = Room(house.saver, Quota(bytes=1_000_000))
            house.on_added = room.add_bytes
            await room.check()
            await house.create("initiative", ["gm", "p1"], odds="gm")
            await room.check()
            room.add_bytes(1_000_000)
            with pytest.raises(CardhouseError, match="keeps at most 1 MB of tables"):
                await room.check()

    asyncio.run(story())


def test_a_table_that_has_enough_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "TABLE_BYTES", 150)
    monkeypatch.setattr(quotas, "TABLE_LOOKED_AT", 1)

    async def story() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            gm = await Insider(house).sit(await house.create("initiative", ["gm", "p1"], odds="gm"), "gm")
            await gm.do("add_character", name="Ada", card="SA")
            await gm.do("add_character", name="Ben", card="SK")
            refused = await gm.ask({"do": "add_character", "name": "Cy", "card": "SQ"})
            assert (refused["code"], refused["message"][:17]) == ("full", "This table's log ")
            assert (await gm.ask({"end": True}))["t"] == "change"

    asyncio.run(story())


def test_a_log_that_is_far_from_full_is_not_measured_again_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "TABLE_LOOKED_AT", 1)
    size, measured = Store.size, []

    def measuring(store: Store, table: str) -> int:
        measured.append(table)
        return size(store, table)

    monkeypatch.setattr(Store, "size", measuring)

    async def story() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as house:
            gm = await Insider(house).sit(await house.create("initiative", ["gm", "p1"], odds="gm"), "gm")
            for card in ("SA", "SK", "SQ", "SJ"):
                await gm.do("add_character", name=card, card=card)

    asyncio.run(story())
    assert len(measured) == 1


def test_a_visitors_tables_a_day_are_limited() -> None:
    limits = Limits(20, 60)
    assert sum(limits.take("tables in a day", "somebody") for _ in range(300)) == 200
    assert limits.take("tables in a day", "somebody else")
    with pytest.raises(CardhouseError, match="Too many tables in one day; try again in some minutes"):
        limits.charge("tables in a day", "somebody")


@pytest.mark.parametrize("size", ["much", "5", "0GB", "-1GB", "5 GB", "5GiB"])
def test_sizes_that_are_none(size: str) -> None:
    with pytest.raises(CardhouseError):
        quota_of(0, size)


def test_sizes() -> None:
    assert [quota_of(7, size) for size in (None, "500MB", "2TB")] == [
        Quota(7),
        Quota(7, 500_000_000),
        Quota(7, 2_000_000_000_000),
    ]
