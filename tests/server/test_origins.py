"""Allowed host names, and origins of pages."""

import json
import socket as sockets
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cardhouse.server.transport.origin_check import Origins
from tests.server.talking import FAST, PROXIED, SECONDS, Server, open_socket, running

PUBLIC = "https://cards.example.org"
GAME = json.dumps({"game": "initiative"}).encode()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that people reach by a name of its own, through a proxy that says so."""
    folder = tmp_path_factory.mktemp("public")
    with sockets.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    options = ("--port", port, "--address", f"{PUBLIC}:{port}")
    with running(f"sqlite:///{folder}/cards.db", *FAST, *options, log=folder / "log") as server:
        yield server


def ask(server: Server, method: str = "GET", path: str = "/api/house", body: bytes = b"", **headers: str) -> Any:
    """The status, and what was said."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body or None, {"Content-Type": "text/plain", **named})
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text.startswith(b"{") else {}
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("origin", "own", "allowed"),
    [
        ("http://house:80", "http://house", True),
        ("http://House", "http://house", True),
        ("https://house", "https://house:443", True),
        ("http://[::1]:8137", "http://[::1]:8137", True),
        (PUBLIC, "http://10.0.0.7:8137", True),
        ("https://house", "http://house", False),
        ("http://house", "https://house", False),
        ("http://cards.example.org", "http://10.0.0.7:8137", False),
        ("null", "http://house", False),
        ("", "http://house", False),
        ("http://house:81", "http://house", False),
        ("http://evil.example", "http://house", False),
        ("http://house.evil.example", "http://house", False),
        ("http://house@evil.example", "http://house", False),
        ("http://evil@house", "http://house", False),
        ("http://[", "http://house", False),
        ("http://house:port", "http://house", False),
        ("file://", "http://house", False),
    ],
)
def test_origins(origin: str, own: str, allowed: bool) -> None:
    assert Origins([PUBLIC]).allows(origin, own) is allowed


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "[::1]:9"])
def test_hosts_that_are_ours(server: Server, host: str) -> None:
    assert ask(server, Host=host)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.9.8.7", "x@localhost", "["])
@pytest.mark.parametrize("path", ["/", "/api/house", "/api/games"])
def test_foreign_host_names_are_refused(server: Server, host: str, path: str) -> None:
    status, told = ask(server, path=path, Host=host)
    assert (status, told["code"]) == (421, "wrong_host")
    assert "--address" in told["message"]
    assert host in told["message"]


def test_the_name_that_was_given_is_ours(public: Server) -> None:
    assert ask(public, Host="cards.example.org")[0] == 200
    assert ask(public, Host="other.example.org")[0] == 421


def test_in_the_home_network_the_machine_has_its_name_and_its_addresses(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--lan", log=tmp_path / "log") as server:
        name = sockets.gethostname()
        for host in (name, f"{name.upper()}.local:{server.port}", "127.0.0.1"):
            assert ask(server, Host=host)[0] == 200
        assert ask(server, Host="evil.example")[0] == 421
        with sockets.create_connection(("127.0.0.2", server.port), SECONDS) as connection:  # another of its own
            connection.sendall(b"GET /api/house HTTP/1.0\r\nHost: 127.0.0.2\r\n\r\n")
            assert b" 200 " in connection.recv(1000)


CHANGES = [
    ("POST", "/api/tables"),
    ("POST", "/api/tables/import"),
    ("POST", "/api/games/dogpile/judge"),
    ("POST", "/api/games/hackjack/roster"),
    ("POST", "/api/games/hackjack/options/wounds"),
    ("POST", "/api/lab/initiative/order"),
    ("DELETE", "/api/lab/runs/none"),
]
FOREIGN: list[dict[str, str]] = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Origin": "http://evil.example", "Sec_Fetch_Site": "same-origin"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_another_sites_page_changes_nothing(server: Server, method: str, path: str, headers: dict[str, str]) -> None:
    status, told = ask(server, method, path, GAME, **headers)
    assert (status, told["code"]) == (403, "wrong_origin")


def test_our_own_page_and_programs_are_let_in(server: Server) -> None:
    for headers in ({}, {"Origin": server.address}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}):
        assert ask(server, "POST", "/api/tables", GAME, **headers)[0] == 201


@pytest.mark.parametrize(
    ("origin", "forwarded", "status"),
    [
        ("https", "https", 201),
        ("https", "http", 201),
        ("http", "https", 403),
        ("http", "http", 201),
    ],
)
def test_the_scheme_counts_as_the_proxy_says_it(public: Server, origin: str, forwarded: str, status: int) -> None:
    host = f"cards.example.org:{public.port}"
    headers = {"Host": host, "Origin": f"{origin}://{host}", "X_Forwarded_Proto": forwarded}
    assert ask(public, "POST", "/api/tables", GAME, **headers)[0] == status


def test_a_scheme_that_nobody_forwards_who_was_named_does_not_count(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        headers = {"Origin": f"https://127.0.0.1:{server.port}", "X_Forwarded_Proto": "https"}
        assert ask(server, "POST", "/api/tables", GAME, **headers)[0] == 403
    with running(f"sqlite:///{tmp_path}/cards.db", *PROXIED, log=tmp_path / "log") as server:
        headers = {"Origin": f"https://127.0.0.1:{server.port}", "X_Forwarded_Proto": "https"}
        assert ask(server, "POST", "/api/tables", GAME, **headers)[0] == 201


@pytest.mark.parametrize(
    ("headers", "code", "names"),
    [
        ({"Origin": "http://evil.example"}, "wrong_origin", "http://evil.example"),
        ({"Origin": "null"}, "wrong_origin", "null"),
        ({"Origin": "https://127.0.0.1"}, "wrong_origin", "--address https://127.0.0.1"),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, "wrong_host", "evil.example"),
    ],
)
def test_a_socket_is_told_why_it_is_turned_away(tmp_path: Path, headers: dict[str, str], code: str, names: str) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        for _ in range(3):
            socket = open_socket(server, headers.get("Host", "127.0.0.1"), origin=headers["Origin"])
            told = json.loads(socket.recv(SECONDS))
            assert (told["t"], told["code"]) == ("error", code)
            assert names in told["message"]
            assert "--address" in told["message"]
            with pytest.raises(ConnectionClosed):
                socket.recv(SECONDS)
            assert socket.protocol.close_code == 4403
        server.stop()
    log = (tmp_path / "log").read_text()
    assert log.count("--address") == 1
    assert names.removeprefix("--address ") in log


def test_a_socket_of_our_own_page_is_let_in(server: Server) -> None:
    socket = open_socket(server, origin=server.address)
    socket.send('{"t":"ping"}')
    assert json.loads(socket.recv(SECONDS))["t"] == "pong"
