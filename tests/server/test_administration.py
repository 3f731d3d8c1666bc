"""The administrator sees the tables from outside, manages them, and shows a notice to everyone."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import AdminKey, admin_key_of
from tests import asking
from tests.server.talking import ADMIN_KEY, SECONDS, Person, Server, TableMade, open_socket, running
from tests.server.test_routes import GUARDED

MORE = 120
"""Wrong links than one visitor may try."""
WAYS = [
    (method, path.removeprefix("/api/house").format(table="abcdefgh"))
    for method, _, path in (route.partition(" ") for route in GUARDED)
    if path.startswith("/api/house/")
]
"""Every route for the administrator, by method and path."""


class Keeper:
    """Whoever keeps a house, with the key, or another."""

    def __init__(self, server: Server, key: str = ADMIN_KEY) -> None:
        self.address = f"{server.address}/api/house"
        self.headers = {"Authorization": f"Bearer {key}"}

    def asks(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        answer = httpx.request(method, self.address + path, headers=self.headers, timeout=SECONDS, **more)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers.get("content-type") == "application/json" else answer.text

    def sees(self, table: TableMade) -> dict[str, Any]:
        (found,) = self.asks("GET", f"/tables?find={table.id}")["found"]
        return dict(found)

    def renews(self, table: TableMade, seat: str) -> str:
        made = self.asks("POST", f"/tables/{table.id}/link", 201, json={"seat": seat})
        assert made["seat"] == seat
        return str(made["token"])

    def says(self, message: str) -> None:
        self.asks("PUT", "/message", 204, json={"message": message})


def test_the_admin_page_shows_no_cards(house: Server) -> None:
    keeper = Keeper(house)
    table = house.make_table(name="Red 👒 Gulch", seats=["ada", "ben"])
    gm, ada = table.sit("gm"), table.sit("ada")
    ada.say(t="name", name="Ada")
    ada.sync()
    gm.do("add_character", name="Nan", card="SA", controller="ada", hidden=True)
    ada.catch_up(1)
    seen = keeper.sees(table)
    assert (seen["game"], seen["name"], seen["answers"]) == ("initiative", "Red 👒 Gulch", 1)
    there = {seat["seat"]: (seat.get("name"), seat.get("here", 0)) for seat in seen["seats"]}
    assert there == {"gm": (None, 1), "ada": ("Ada", 1), "ben": (None, 0), "screen": (None, 0), "door": (None, 0)}
    assert 100 < seen["bytes"] < 2000
    all_of_it = keeper.asks("GET", "/tables")
    assert table.id in {one["table"] for one in all_of_it["found"]}
    assert all_of_it["here"] >= 2
    assert keeper.asks("GET", "/tables?find=nothing like it")["found"] == []
    assert [one["table"] for one in keeper.asks("GET", "/tables", params={"find": "👒 g"})["found"]] == [table.id]
    told = json.dumps(all_of_it)
    assert "SA" not in told
    assert "Nan" not in told
    assert not any(token in told for token in table.links.values())


def test_the_admin_gets_a_transcript_once_nothing_is_hidden(house: Server) -> None:
    keeper, table = Keeper(house), house.make_table()
    gm = table.sit("gm")
    gm.do("add_character", name="Nan", card="SA", hidden=True)
    refused = keeper.asks("GET", f"/tables/{table.id}/transcript", 403)
    assert "until the table has ended" in refused["message"]
    assert "Nan" not in refused["message"]
    gm.ask({"end": True})
    assert '"Nan"' in keeper.asks("GET", f"/tables/{table.id}/transcript")


@pytest.mark.parametrize("seat", ["gm", "p1", "door", "screen"])
def test_a_new_link_ends_the_old_one_at_once(house: Server, seat: str) -> None:
    keeper, table = Keeper(house), house.make_table()
    there = None if seat == "door" else table.sit(seat)
    token = keeper.renews(table, seat)
    if there is not None:
        assert there.hear("error")["code"] == "old_link"
        assert Person(house, table.id, token).seat == seat
        socket = open_socket(house)
        socket.send(json.dumps({"t": "sit", "table": table.id, "token": table.links[seat]}))
        assert json.loads(socket.recv())["code"] == "old_link"
    else:
        path = f"/api/tables/{table.id}/seats"
        assert [house.get(path, one)[0] for one in (table.links["door"], token)] == [401, 200]
    assert token not in house.log.read_text()
    assert f"table {table.id}, a new link for {seat}" in house.log.read_text()


@pytest.mark.soak
def test_a_new_link_ends_the_old_one_at_all_servers(two: tuple[Server, Server]) -> None:
    one, other = two
    table = one.make_table()
    gm = table.sit("gm", server=other)
    token = Keeper(one).renews(table, "gm")
    assert other.get(f"/api/tables/{table.id}/transcript", table.links["gm"])[0] == 401
    assert gm.hear("error")["code"] == "old_link"
    back = Person(other, table.id, token)
    Keeper(other).says("The house restarts at 22:00.")
    assert back.hear("house")["message"] == "The house restarts at 22:00."
    assert Person(one, table.id, table.links["p1"]).hear("house")["message"] == "The house restarts at 22:00."


def test_a_table_is_ended_and_deleted(house: Server) -> None:
    keeper, table = Keeper(house), house.make_table()
    p1 = table.sit("p1")
    keeper.asks("POST", f"/tables/{table.id}/end", 204)
    assert p1.hear("settings")["ends_at"]
    keeper.asks("DELETE", f"/tables/{table.id}", 204)
    assert p1.hear("error")["code"] == "no_such_seat"
    for method, path, body in (
        ("DELETE", "", None),
        ("POST", "/end", None),
        ("GET", "/transcript", None),
        ("POST", "/link", {"seat": "gm"}),
    ):
        assert keeper.asks(method, f"/tables/{table.id}{path}", 404, json=body)["code"] == "no_such_seat"
    log = house.log.read_text()
    assert f"table {table.id} is ended" in log
    assert f"table {table.id} is deleted" in log


def test_a_notice_reaches_present_and_later_visitors(house: Server) -> None:
    keeper, table = Keeper(house), house.make_table()
    gm = table.sit("gm")
    keeper.says("The house restarts at 22:00.")
    assert gm.hear("house")["message"] == "The house restarts at 22:00."
    assert table.sit("p1").hear("house")["message"] == "The house restarts at 22:00."
    assert house.get("/api/house")[1]["message"] == "The house restarts at 22:00."
    assert "22:00" not in house.log.read_text()
    keeper.says("")
    assert gm.hear("house")["message"] is None
    assert table.sit("gm", since=0).hear("house")["message"] is None
    for message in ("x" * 201, "two\nlines", "\x1b[31m"):
        assert "server notice" in keeper.asks("PUT", "/message", 400, json={"message": message})["message"]


@pytest.mark.parametrize(("method", "path"), WAYS)
def test_no_other_link_opens_the_admin_page(house: Server, method: str, path: str) -> None:
    table = house.make_table()
    for key in (table.links["gm"], ADMIN_KEY[:-1], "x"):
        said = Keeper(house, key).asks(method, path, 403, json={})
        assert said["code"] == "no_key"
        assert ADMIN_KEY not in json.dumps(said)
    assert asking.request(method, f"{house.address}/api/house{path}").status_code == 401
    foreign = {"Origin": "https://elsewhere.example", "Authorization": f"Bearer {ADMIN_KEY}"}
    if method != "GET":
        answer = asking.request(method, f"{house.address}/api/house{path}", headers=foreign)
        assert answer.json()["code"] == "wrong_origin"


def test_a_wrong_key_costs_as_much_as_a_wrong_link(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        keeper = Keeper(server, "a guess")
        with asking.Client(headers=keeper.headers) as client:
            said = [client.get(f"{keeper.address}/tables").json()["code"] for _ in range(MORE)]
    assert said[0] == "no_key"
    assert "too_many" in said


def test_the_key_is_kept_beside_a_file_and_given_to_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDHOUSE_ADMIN_KEY", raising=False)
    url = f"sqlite:///{tmp_path}/cards.db"
    assert admin_key_of(url) == admin_key_of(url)
    assert Path(f"{tmp_path}/cards.db-admin-key").stat().st_mode & 0o777 == 0o600
    shared = admin_key_of("postgresql://cards@localhost/cards")
    assert shared == AdminKey()
    for given in ("", ADMIN_KEY):
        with pytest.raises(CardhouseError, match="has no administration page"):
            shared.check(given)
