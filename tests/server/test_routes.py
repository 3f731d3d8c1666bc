"""Every route, requested without a link: each is public, or refuses before it does anything."""

import json
import re
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from cardhouse.server.api.tables import ROUTES
from cardhouse.server.core import static_cache
from cardhouse.server.lab.routes import LAB_ROUTES
from tests.server.talking import ADMIN_KEY, SECONDS, Server, TableMade

OPEN = {
    "POST /api/campaigns/import": 400,
    "POST /api/designs/{game}/{design}": 400,
    "POST /api/doors": 400,
    "GET /api/games": 200,
    "GET /api/games/{game}": 200,
    "GET /api/games/{game}/cast": 200,
    "GET /api/games/{game}/details": 200,
    "GET /api/games/{game}/forms/{option}": 404,
    "POST /api/games/{game}/forms/{option}": 404,
    "POST /api/games/{game}/judge": 400,
    "GET /api/games/{game}/lessons/{lesson}": 200,
    "POST /api/games/{game}/lessons/{lesson}/tables": 201,
    "GET /api/games/{game}/options/{option}": 404,
    "POST /api/games/{game}/options/{option}": 404,
    "POST /api/games/{game}/roster": 404,
    "GET /api/health": 200,
    "GET /api/house": 200,
    "GET /api/lab": 200,
    "DELETE /api/lab/runs/{id}": 404,
    "GET /api/lab/runs/{id}": 404,
    "GET /api/lab/runs/{id}/report.csv": 404,
    "GET /api/lab/runs/{id}/report.html": 404,
    "POST /api/lab/{game}/{question}": 400,
    "POST /api/lab/{game}/{question}/changes": 400,
    "POST /api/lab/{game}/{question}/sensitivity": 400,
    "POST /api/lab/{game}/{question}/tune": 400,
    "GET /api/prints": 200,
    "POST /api/prints/{name}": 400,
    "POST /api/tables": 400,
    "POST /api/tables/import": 400,
    "GET /live": 200,
    "GET /ready": 200,
}
"""Routes that need no link, with the status of a request that fits none of them well; the pages are open as well."""
GUARDED: dict[str, object] = {
    "GET /api/campaigns/{campaign}": None,
    "GET /api/campaigns/{campaign}/characters": None,
    "POST /api/campaigns/{campaign}": {"name": "Mine"},
    "POST /api/campaigns/{campaign}/encounters": {"encounters": []},
    "POST /api/campaigns/{campaign}/encounters/bring": {"encounter": "A posse"},
    "POST /api/campaigns/{campaign}/evening": {},
    "POST /api/campaigns/{campaign}/link": {},
    "GET /api/campaigns/{campaign}/file": None,
    "PUT /api/house/message": {"message": "Closing"},
    "GET /api/house/tables": None,
    "DELETE /api/house/tables/{table}": None,
    "POST /api/house/tables/{table}/end": None,
    "POST /api/house/tables/{table}/link": {"seat": "gm"},
    "GET /api/house/tables/{table}/transcript": None,
    "POST /api/tables/{table}/again": {},
    "POST /api/tables/{table}/campaign": {"name": "Mine"},
    "GET /api/tables/{table}/deal": None,
    "GET /api/tables/{table}/evening": None,
    "POST /api/tables/{table}/fork": {"seat": "gm", "at": 0},
    "GET /api/tables/{table}/lab": None,
    "POST /api/tables/{table}/pictures": None,
    "GET /api/tables/{table}/pictures/{face}": None,
    "GET /api/tables/{table}/replay": None,
    "GET /api/tables/{table}/roster": None,
    "GET /api/tables/{table}/seats": None,
    "POST /api/tables/{table}/seats": {"seat": "p1", "name": "Eve"},
    "GET /api/tables/{table}/transcript": None,
}
"""Routes that need a link or a key, with a body that would do if there were one."""
ROOT = Path(__file__).resolve().parents[2]
PAGE_OF_THE_HOUSE = b"<!doctype html>"

FILLED = {"game": "initiative", "lesson": "1-act-or-wait", "option": "deck", "face": "12"}


@pytest.fixture(scope="module")
def table(server: Server) -> TableMade:
    """A table that a stranger would like to get at."""
    return server.make_table()


def address(table: TableMade, route: str) -> str:
    there = {"table": table.id, **FILLED}
    return re.sub(r"\{(\w+)\}", lambda found: there.get(found[1], "nowhere2"), route.partition(" ")[2])


def ask(table: TableMade, route: str, body: object = None) -> tuple[int, bytes]:
    method, path = route.partition(" ")[0], f"{address(table, route)}?seat=gm&at=0"
    status, _, answer = table.server.raw(path, method=method, body=json.dumps(body).encode())
    return status, answer


def ask_raw(table: TableMade, route: str, method: str) -> tuple[int, dict[str, str], bytes]:
    path = f"{address(table, route)}?seat=gm&at=0"
    token = f"Bearer {table.links['gm']}"
    return table.server.raw(path, method=method, Authorization=token)


def routes() -> set[str]:
    """All there are, in the form of the lists above."""
    found = {
        (method, path)
        for route in (*ROUTES, *LAB_ROUTES)
        for path in route.paths
        for method in route.http_methods
        if method != "HEAD"
    }
    return {f"{method} {re.sub(r':(int|str|path)}', '}', path)}" for method, path in found}


PAGES = {route for route in routes() - {*OPEN, *GUARDED} if "/api/" not in route}


def test_the_documentation_has_every_route():
    """The routes of the page itself excepted."""
    text = "".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
    for route in (*OPEN, *GUARDED):
        assert re.search(re.escape(route.partition(" ")[2]) + r"(?![\w{/])", text), route


def test_every_route_is_listed_here():
    assert {*OPEN, *GUARDED, *PAGES} == routes()


@pytest.mark.parametrize("route", GUARDED)
def test_a_guarded_route_refuses_a_stranger(table: TableMade, route: str):
    status, answer = ask(table, route, GUARDED[route])
    assert (status, json.loads(answer)["code"]) == (401, "old_link")


@pytest.mark.parametrize("route", OPEN)
def test_an_open_route_answers(table: TableMade, route: str):
    assert ask(table, route)[0] == OPEN[route]


def test_every_page_is_the_page(table: TableMade):
    for route in PAGES - {"GET /{path}"}:
        status, answer = ask(table, route)
        assert (status, answer[:15]) == (200, PAGE_OF_THE_HOUSE), route


def test_every_route_that_answers_get_answers_head(table: TableMade):
    own = {"date", "x-request-id"}
    files = {f"GET /{path.name}" for path in static_cache.FOLDER.iterdir() if path.is_file()}
    for route in sorted({route for route in {*routes(), *files} if route.startswith("GET ")}):
        got, asked = (ask_raw(table, route, method) for method in ("GET", "HEAD"))
        assert asked[2] == b"", route
        assert asked[0] == got[0], route
        assert {name: said for name, said in asked[1].items() if name not in own} == {
            name: said for name, said in got[1].items() if name not in own
        }, route


def test_a_connection_goes_on_after_head(server: Server):
    connection = HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    for method in ("HEAD", "GET", "HEAD", "GET"):
        connection.request(method, "/api/health")
        answer = connection.getresponse()
        assert (answer.status, bool(answer.read())) == (200, method == "GET")
    connection.close()


def test_a_route_without_get_refuses_head(server: Server):
    status, headers, body = server.raw("/api/tables", method="HEAD")
    assert (status, set(headers["allow"].split(", ")), body) == (405, {"OPTIONS", "POST"}, b"")
    status, headers, _ = server.raw("/api/health", method="PUT")
    assert (status, set(headers["allow"].split(", "))) == (405, {"GET", "HEAD", "OPTIONS"})


CACHED = {
    "GET /api/games",
    "GET /api/games/{game}",
    "GET /api/games/{game}/details",
    "GET /api/games/{game}/forms/{option}",
    "GET /api/games/{game}/lessons/{lesson}",
    "GET /api/games/{game}/options/{option}",
    "GET /api/lab",
    "GET /api/prints",
}
"""Routes whose answers browsers may keep: they are about games and hold no link."""


def test_responses_that_may_hold_a_link_are_not_cached(table: TableMade):
    for route in sorted(routes() - PAGES - CACHED - {"GET /live", "GET /ready"}):
        method = route.partition(" ")[0]
        for token in ("nonsense", table.links["p1"]):
            path, said = f"{address(table, route)}?seat=gm&at=0", json.dumps(GUARDED.get(route))
            headers = table.server.raw(path, method=method, body=said, Authorization=f"Bearer {token}")[1]
            assert headers["cache-control"] == "no-store", route
    for route in CACHED:
        answer = ask_raw(table, route, "GET")[2]
        assert b'"links"' not in answer, route
        assert b'"token"' not in answer, route


def test_no_response_with_a_link_is_cached(server: Server):
    """Each of the ways in which somebody is told a link, as it succeeds."""

    def told(path: str, body: object, token: str = "") -> dict[str, Any]:
        said = body if isinstance(body, str) else json.dumps(body)
        status, headers, answer = server.raw(path, method="POST", body=said, Authorization=f"Bearer {token}")
        assert (status, headers["cache-control"]) == (201, "no-store"), (path, answer)
        found: dict[str, Any] = json.loads(answer)
        assert {"links", "token"} & set(found), path
        return found

    made = told("/api/tables", {"game": "initiative", "seats": 2})
    table, links = f"/api/tables/{made['table']}", made["links"]
    told("/api/tables/import", json.dumps({"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"]}))
    told("/api/games/initiative/lessons/1-act-or-wait/tables", {})
    told(f"{table}/seats", {"seat": "p1", "name": "Ada"}, links["door"])
    told(f"/api/house{table.removeprefix('/api')}/link", {"seat": "p2"}, ADMIN_KEY)
    campaign = told(f"{table}/campaign", {"name": "A"}, links["gm"])
    told(f"{table}/fork", {"seat": "gm", "at": 0}, links["gm"])
    path = f"/api/campaigns/{campaign['campaign']}"
    file = server.raw(f"{path}/file", Authorization=f"Bearer {campaign['token']}")
    assert file[1]["cache-control"] == "no-store"
    told("/api/campaigns/import", file[2].decode())
    told(f"{path}/link", {}, campaign["token"])
