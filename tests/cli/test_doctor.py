"""cardhouse doctor: its report on a healthy server, and on a wrong proxy, files or address."""

import asyncio
import datetime as dt
import http.client
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import trustme
from anyio.from_thread import start_blocking_portal

from cardhouse.cli import main
from cardhouse.server.persistence import sqlite_files
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
        ("address", "clock", "monitor", "tables", "proxy", "socket", "database", "files"), "ok"
    )
    assert told["monitor"][1] == "/, /live, /ready answer HEAD and GET with 200."


def test_a_proxy_that_passes_on_neither_host_nor_sockets(house: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(proxy_before(house.port)) as address:
        status, told = found(capsys, address)
    assert status == 1
    assert told["address"][0] == "ok"
    assert told["proxy"][0] == "wrong"
    assert "X-Forwarded-Proto" in told["proxy"][1]
    assert told["socket"][0] == "wrong"


def test_a_proxy_that_refuses_head(house: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(proxy_before(house.port)) as address:  # Python's own server answers 501
        status, told = found(capsys, address)
    assert status == 1
    verdict, text = told["monitor"]
    assert verdict == "wrong"
    assert text.startswith("/ answers HEAD with 501 and GET with 200, so a monitor reports the server as down.")


def test_something_else_at_that_address(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(SomethingElse) as address:
        status, told = found(capsys, address)
    assert status == 1
    assert "isn't Cardhouse" in told["address"][1]
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


def test_a_database_on_a_network_share(
    house: Server, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mounts").write_text(f"40 1 0:52 / {kept.parent} rw - cifs //nas/cards rw\n")
    monkeypatch.setattr(sqlite_files, "MOUNTS", tmp_path / "mounts")
    status, told = found(capsys, "--db", f"sqlite:///{kept}")
    assert (status, told["database"][0]) == (1, "wrong")
    assert "network share (cifs)" in told["database"][1]


@pytest.mark.parametrize("address", ["cards.example.org", "ftp://cards", "http://x:y@z", "http://a:b"])
def test_invalid_addresses_are_refused(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", address]) == 2
    assert "is not the address of a server" in capsys.readouterr().err


def test_no_database_and_no_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = found(capsys, "--db", f"sqlite:///{tmp_path}/none.db")
    assert (status, told["database"][0]) == (1, "wrong")
    assert main(["doctor"]) == 2


# Certificates, of a proxy that speaks https before the house.

DAY = dt.timedelta(days=1)


@contextmanager
def https_before(port: int, *certificate: trustme.Blob) -> Iterator[str]:
    """A proxy with this key and certificates. It says by which scheme it was asked, and passes on all, sockets too."""
    trusted = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with trustme.Blob(b"".join(one.bytes() for one in certificate)).tempfile() as file:
        trusted.load_cert_chain(file)

    async def passes_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            asked = await reader.readuntil(b"\r\n")
            answers, inner = await asyncio.open_connection("127.0.0.1", port)
            inner.write(asked + b"X-Forwarded-Proto: https\r\n")
            await asyncio.gather(copied(reader, inner), copied(answers, writer))

    with start_blocking_portal() as there:
        server = there.call(partial(asyncio.start_server, passes_on, "127.0.0.1", 0, ssl=trusted))
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}"
        there.call(server.close)


async def copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """All that comes in on the one side goes out on the other, to its end."""
    with suppress(ConnectionError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    writer.close()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def believing(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks believes in this authority, and in no other."""
    authority.cert_pem.write_to_path(tmp_path / "believed.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "believed.pem"))


@pytest.mark.parametrize(("days", "verdict"), [(60, "ok"), (14, "ok"), (13, "look"), (0, "look")])
def test_how_long_a_certificate_lasts(
    days: int, verdict: str, house: Server, authority: trustme.CA, believing: None, capsys: pytest.CaptureFixture[str]
) -> None:
    until = dt.datetime.now(dt.UTC) + days * DAY + DAY / 2
    certificate = authority.issue_cert("localhost", not_after=until)
    with https_before(house.port, certificate.private_key_and_cert_chain_pem) as address:
        status, told = found(capsys, address)
    assert status == 0, told
    assert told["certificate"] == (verdict, f"good for {days} more days.")
    assert told["proxy"][0] == told["socket"][0] == "ok"
    assert told["tables"][0] == "look"  # anybody could make them there


def over(authority: trustme.CA) -> list[trustme.Blob]:
    yesterday = dt.datetime.now(dt.UTC) - DAY
    return [authority.issue_cert("localhost", not_after=yesterday).private_key_and_cert_chain_pem]


def to_come(authority: trustme.CA) -> list[trustme.Blob]:
    tomorrow = dt.datetime.now(dt.UTC) + DAY
    certificate = authority.issue_cert("localhost", not_before=tomorrow, not_after=tomorrow + 90 * DAY)
    return [certificate.private_key_and_cert_chain_pem]


def of_another_name(authority: trustme.CA) -> list[trustme.Blob]:
    return [authority.issue_cert("cards.example.org").private_key_and_cert_chain_pem]


def signed_by_a_stranger(_: trustme.CA) -> list[trustme.Blob]:
    stranger = trustme.CA()
    return [stranger.issue_cert("localhost").private_key_and_cert_chain_pem, stranger.cert_pem]


def signed_by_itself(_: trustme.CA) -> list[trustme.Blob]:
    itself = trustme.CA()
    return [itself.private_key_pem, itself.cert_pem]


def without_those_between(authority: trustme.CA) -> list[trustme.Blob]:
    certificate = authority.create_child_ca().issue_cert("localhost")
    return [certificate.private_key_pem, certificate.cert_chain_pems[0]]


@pytest.mark.parametrize(
    ("made", "why", "mending"),
    [
        (over, "certificate has expired", "certbot renew"),
        (to_come, "certificate is not yet valid", "clocks"),
        (of_another_name, "Hostname mismatch", "other names"),
        (signed_by_a_stranger, "self-signed certificate in certificate chain", "public authority"),
        (signed_by_itself, "self-signed certificate.", "public authority"),
        (without_those_between, "unable to get local issuer certificate", "fullchain.pem"),
    ],
)
def test_a_certificate_that_browsers_refuse(
    made: Callable[[trustme.CA], list[trustme.Blob]],
    why: str,
    mending: str,
    house: Server,
    authority: trustme.CA,
    believing: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is said why, and what to do; nothing else of the house is looked at."""
    with https_before(house.port, *made(authority)) as address:
        status, told = found(capsys, address)
    assert (status, set(told)) == (1, {"certificate"})
    verdict, text = told["certificate"]
    assert verdict == "wrong"
    assert "the certificate of localhost" in text
    assert why in text
    assert mending in text


def test_https_where_only_http_is_spoken(house: Server, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = found(capsys, f"https://localhost:{house.port}")
    assert (status, set(told)) == (1, {"address"})
    assert "doesn't speak https" in told["address"][1]
