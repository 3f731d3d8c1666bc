"""Permission to create tables: everyone, holders of the server key, or no one; players never need one."""

import json
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import HouseKey, key_of
from tests.server.talking import FAST, Server, TableMade, running

WAYS: list[tuple[str, Any]] = [
    ("/api/tables", {"game": "initiative", "seats": 2}),
    ("/api/tables/import", b"{}"),
    ("/api/campaigns/import", b"{}"),
    ("/api/games/initiative/lessons/now/tables", {}),
    ("/api/tables/abcdefgh/fork", {}),
]
"""All that make a table for somebody who has none."""
MORE = 120
"""Wrong links than one visitor may try."""


def key_beside(database: Path) -> str:
    return Path(f"{database}-key").read_text().strip()


@pytest.fixture(scope="module")
def with_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    folder = tmp_path_factory.mktemp("key")
    with running(f"sqlite:///{folder}/cards.db", *FAST, "--tables", "key", log=folder / "log") as server:
        yield server, key_beside(folder / "cards.db")


@pytest.mark.parametrize(("path", "wanted"), WAYS)
def test_without_the_key_nothing_is_made(with_key: tuple[Server, str], path: str, wanted: Any) -> None:
    server, key = with_key
    for given in ({}, {"Cardhouse-Key": ""}, {"Cardhouse-Key": key[:-1]}, {"Cardhouse-Key": f"{key}é"}):
        status, said = server.post(path, wanted, **given)
        assert (status, said["code"]) == (403, "no_key"), given
        assert "Ask the administrator for its link" in said["message"]
        assert key not in json.dumps(said)
    status, said = server.post(path, wanted, **{"Cardhouse-Key": key})
    assert said.get("code") != "no_key", "what else is wrong with it is said only then"


def test_a_page_learns_whether_it_may_make_tables(with_key: tuple[Server, str]) -> None:
    server, key = with_key
    for given, makes in (({}, False), ({"Cardhouse-Key": key[:-1]}, False), ({"Cardhouse-Key": key}, True)):
        status, told = server.get("/api/house", **given)
        assert (status, told["tables"], told["makes"]) == (200, "key", makes)


def test_players_need_no_key(with_key: tuple[Server, str]) -> None:
    server, key = with_key
    assert server.get("/api/house")[1]["tables"] == "key"
    status, made = server.post("/api/tables", WAYS[0][1], **{"Cardhouse-Key": key})
    assert status == 201
    table = TableMade(server, made["table"], made["links"])
    table.sit("p1")
    table.sit("gm").ask({"end": True})
    status, new = server.post(f"/api/tables/{table.id}/again", {}, Authorization=f"Bearer {table.links['gm']}")
    assert status == 201, new
    assert TableMade(server, new["table"], made["links"]).sit("p1").seat == "p1"


def test_a_wrong_key_costs_as_much_as_a_wrong_link(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--tables", "key", log=tmp_path / "log") as server:
        guesses = [{"Cardhouse-Key": str(guess)} for guess in range(MORE)]
        said = [server.post("/api/tables", WAYS[0][1], **guess)[1]["code"] for guess in guesses]
        asked = [server.get("/api/house", **guess)[0] for guess in guesses]
    assert said[0] == "no_key"
    assert "too_many" in said
    assert 429 in asked, "nor can it be guessed there"


def test_a_house_where_nobody_makes_tables(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", *FAST, "--tables", "none", log=tmp_path / "log") as server:
        for path, wanted in WAYS:
            assert server.post(path, wanted, **{"Cardhouse-Key": "x" * 30})[1]["code"] == "no_key"
        assert not server.get("/api/house")[1]["makes"]
        assert not Path(f"{tmp_path}/cards.db-key").exists()


def test_programs_that_make_the_key_at_once_get_the_same_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDHOUSE_KEY", raising=False)
    ready = Barrier(8)

    def make(number: int) -> HouseKey:
        ready.wait()
        return key_of("key", f"sqlite:///{tmp_path}/cards.db")

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(make, range(8)))) == 1
    assert not list(tmp_path.glob("*.part"))


def test_the_key_is_kept_for_nobody_else_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDHOUSE_KEY", raising=False)
    url = f"sqlite:///{tmp_path}/cards.db"
    key = key_of("key", url)
    assert key == key_of("key", url)
    assert key.secret == key_beside(tmp_path / "cards.db")
    assert stat.S_IMODE(Path(f"{tmp_path}/cards.db-key").stat().st_mode) == 0o600
    key.check(key.secret)
    with pytest.raises(CardhouseError, match="give it to each as CARDHOUSE_KEY"):
        key_of("key", "postgresql://cards@localhost/cards")
    monkeypatch.setenv("CARDHOUSE_KEY", "short")
    with pytest.raises(CardhouseError, match="has 16 letters and digits or more"):
        key_of("key", url)
    monkeypatch.setenv("CARDHOUSE_KEY", "of one's own, for servers")
    assert key_of("key", "postgresql://cards@localhost/cards").secret == "of one's own, for servers"
    HouseKey().check(None)
