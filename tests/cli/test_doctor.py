"""cardhouse doctor: what it says of a house that is well, and of one whose proxy, files or address are wrong."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cli import main
from tests.server.talking import FAST, Server, running


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("doctor") / "cards.db"


@pytest.fixture(scope="module")
def house(kept: Path) -> Iterator[Server]:
    with running(f"sqlite:///{kept}", *FAST, log=kept.with_name("log")) as server:
        yield server


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit status, and of each thing the verdict and the text."""
    capsys.readouterr()
    status = main(["doctor", *arguments, "--json"])
    return status, {one["of"]: (one["verdict"], one["text"]) for one in json.loads(capsys.readouterr().out)}


@contextmanager
def answering(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def gives(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class SomethingElse(Quiet):
    def do_GET(self) -> None:
        self.gives(200, b"It works!")


def proxy_before(port: int) -> type[BaseHTTPRequestHandler]:
    """One that says its own Host where it should pass on the visitor's, and knows no sockets."""

    class Careless(Quiet):
        def do_GET(self) -> None:
            self.passes_on(None)

        def do_POST(self) -> None:
            self.passes_on(self.rfile.read(int(self.headers["Content-Length"])))

        def passes_on(self, body: bytes | None) -> None:
            inner = http.client.HTTPConnection("127.0.0.1", port)
            named = {name: self.headers[name] for name in ("Origin", "Content-Type") if name in self.headers}
            inner.request(self.command, self.path, body, named)
            answer = inner.getresponse()
            self.gives(answer.status, answer.read())
            inner.close()

    return Careless


def test_a_house_that_is_well(house: Server, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = found(capsys, f"http://127.0.0.1:{house.port}", "--db", f"sqlite:///{kept}")
    assert status == 0, told
    assert {of: verdict for of, (verdict, _) in told.items() if of != "disk"} == dict.fromkeys(
        ("address", "clock", "tables", "proxy", "socket", "database", "files"), "ok"
    )


def test_a_proxy_that_passes_on_neither_host_nor_sockets(house: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(proxy_before(house.port)) as address:
        status, told = found(capsys, address)
    assert status == 1
    assert told["address"][0] == "ok"
    assert told["proxy"][0] == "wrong"
    assert "X-Forwarded-Proto" in told["proxy"][1]
    assert told["socket"][0] == "wrong"


def test_something_else_at_that_address(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(SomethingElse) as address:
        status, told = found(capsys, address)
    assert status == 1
    assert "not as Cardhouse does" in told["address"][1]
    assert "socket" not in told


def test_nothing_at_that_address(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(SomethingElse) as address:
        pass
    status, told = found(capsys, address)
    assert status == 1
    assert "doesn't answer" in told["address"][1]


def test_files_that_others_can_read(house: Server, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept.chmod(0o644)
    try:
        status, told = found(capsys, "--db", f"sqlite:///{kept}")
    finally:
        kept.chmod(0o600)
    assert status == 1
    assert told["files"][0] == "wrong"
    assert f"chmod 600 '{kept}'" in told["files"][1]


@pytest.mark.parametrize("address", ["cards.example.org", "ftp://cards", "http://x:y@z", "http://a:b"])
def test_what_is_no_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", address]) == 2
    assert "is no address of a house" in capsys.readouterr().err


def test_no_database_and_no_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = found(capsys, "--db", f"sqlite:///{tmp_path}/none.db")
    assert (status, told["database"][0]) == (1, "wrong")
    assert main(["doctor"]) == 2
