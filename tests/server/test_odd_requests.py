"""Requests that no client of ours would send: each is refused in words, without an internal error."""

import json
import logging
import socket
from pathlib import Path

import pytest

from cardhouse.server.core.log_limits import KINDS, QUIET_SECONDS, Repeats
from tests.server.talking import SECONDS, Server, running

JSON_ROUTES = ("/api/tables", "/api/games/dogpile/judge", "/api/lab/initiative/order")
BODY_ROUTES = (
    *JSON_ROUTES,
    "/api/tables/import",
    "/api/games/hackjack/roster",
    "/api/games/hackjack/options/wounds",
)
ROUTES = (
    *BODY_ROUTES,
    "/",
    "/t/x",
    "/api/health",
    "/api/games",
    "/api/games/initiative",
    "/api/tables/abcdefgh/transcript",
    "/api/tables/abcdefgh/replay",
    "/api/lab/runs/x",
    "/api/lab/runs/x/report.html",
    "/schema",
    "/ws",
    "/nowhere/at/all",
)


def ask(server: Server, method: str, path: bytes, *headers: bytes, body: bytes = b"") -> tuple[int, bytes]:
    """What is answered to a request, however odd; the status and the body."""
    lines = [
        method.encode() + b" " + path + b" HTTP/1.1",
        b"Host: 127.0.0.1:%d" % server.port,
        b"Connection: close",
        b"Content-Type: application/json",
        b"Content-Length: %d" % len(body),
        *headers,
    ]
    with socket.create_connection(("127.0.0.1", server.port), SECONDS) as connection:
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        told = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, answer = told.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), answer


def refused(status: int) -> bool:
    return 400 <= status < 500


@pytest.mark.parametrize("path", BODY_ROUTES)
@pytest.mark.parametrize(
    "body",
    [b"[" * 2_000, b'{"a":' * 2_000, b"\xff", b'"\xff"', b'{"game":"\xc3\x28"}', b'{"game":"\\ud800"}', b"9" * 5_000],
    ids=["lists", "objects", "no text", "no UTF-8", "half a letter", "half a pair", "a number"],
)
def test_a_body_that_cannot_be_read(server: Server, path: str, body: bytes) -> None:
    status, answer = ask(server, "POST", path.encode(), body=body)
    told = json.loads(answer)
    assert (status, set(told) - {"mistakes"}) == (400, {"code", "message"})
    assert told["message"].endswith(".")
    if path in JSON_ROUTES:
        assert told["code"] == "malformed"


@pytest.mark.parametrize("path", JSON_ROUTES)
@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'"x"', b"0"])
def test_json_that_is_no_object(server: Server, path: str, body: bytes) -> None:
    status, answer = ask(server, "POST", path.encode(), body=body)
    told = json.loads(answer)
    assert (status, told["code"]) == (400, "malformed")
    assert told["message"].startswith("The request ")


@pytest.mark.parametrize("path", ROUTES)
def test_odd_paths_queries_headers_and_methods(server: Server, path: str) -> None:
    place = path.encode()
    asked = [
        *(("GET", place + end, ()) for end in (b"%00", b"/%ff", b"/%zz", b"%", b"/../..", b"/" + b"a" * 9_000, b"//")),
        *(("GET", place + b"?seat=" + seat, ()) for seat in (b"%00", b"%ff", b"gm&seat=p1", b"x" * 10_000)),
        *(("GET", place + b"?seat=gm&after=" + after, ()) for after in (b"9" * 5_000, b"-1", b"x", b"1e400", b"%00")),
        *(("GET", place, (b"Authorization: " + secret,)) for secret in (b"Bearer \xff", b"Bearer", b"x" * 10_000)),
        *(("GET", place, (b"Accept: " + what,)) for what in (b"\xff", b";;;=", b"a/b;q=x")),
        ("GET", place, (b"Cookie: \xff=;=",)),
        ("GET", place, (b"X-Forwarded-For: \xff", b"X-Forwarded-Proto: gopher")),
        *((method, place, ()) for method in ("TRACE", "FOO", "PUT", "PATCH", "HEAD", "OPTIONS")),
    ]
    for method, target, headers in asked:
        status, _ = ask(server, method, target, *headers)
        assert status < 500, (method, target[:80], headers)
        assert refused(status) or method in ("GET", "HEAD", "OPTIONS"), (method, target[:80])


@pytest.mark.parametrize("after", ["9" * 5_000, "-1", "x", "1e400", "%00", "%ff", ""])
def test_odd_places_in_a_replay(server: Server, after: str) -> None:
    table = server.make_table()
    bearer = f"Authorization: Bearer {table.links['gm']}".encode()
    status, _ = ask(server, "GET", f"/api/tables/{table.id}/replay?seat=gm&after={after}".encode(), bearer)
    assert refused(status)


@pytest.mark.parametrize("path", [b"/ws%00", b"/ws/\xc3\xbf", b"/nowhere", b"/ws?" + b"x" * 7_000, b"/api/tables"])
def test_odd_handshakes(server: Server, path: bytes) -> None:
    upgrade = (b"Upgrade: websocket", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    status, _ = ask(server, "GET", path, *upgrade, b"Sec-WebSocket-Protocol: \xff")
    assert refused(status)


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Log:
    """A log whose repeats are counted, and its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.kept = Lines()
        self.logger = logging.Logger("test")  # noqa: LOG001 (one of its own)
        self.logger.addFilter(Repeats(lambda: self.now))
        self.logger.addHandler(self.kept)

    def fail(self, with_what: str, *, elsewhere: bool = False) -> None:
        try:
            if elsewhere:
                raise ValueError(with_what)
            raise ValueError(with_what)
        except ValueError:
            self.logger.exception("It failed")


def test_a_line_of_the_log_is_not_repeated_but_counted() -> None:
    log = Log()
    for number in range(10):
        log.logger.warning("Number %d is odd", number)
    log.now += QUIET_SECONDS
    log.logger.warning("Number %d is odd", 10)
    log.logger.warning("Number %d is even", 11)
    assert log.kept.lines == [
        "Number 0 is odd",
        "Number 10 is odd (9 more of these were left out)",
        "Number 11 is even",
    ]


def test_errors_are_told_apart_by_where_they_were_raised() -> None:
    log = Log()
    for number in range(5):
        log.fail(str(number))
        log.fail(str(number), elsewhere=True)
    assert log.kept.lines == ["It failed"] * 2


def test_what_is_no_warning_is_always_told() -> None:
    log = Log()
    for _ in range(3):
        log.logger.info("All is well")
    assert len(log.kept.lines) == 3


def test_the_latest_kinds_of_lines_are_remembered() -> None:
    log = Log()
    for number in range(2 * KINDS):
        log.logger.warning(f"Number {number}")  # noqa: G004 (each is a kind of its own)
    log.logger.warning(f"Number {2 * KINDS - 1}")  # noqa: G004
    assert len(log.kept.lines) == 2 * KINDS
    log.logger.warning("Number 0")
    assert len(log.kept.lines) == 2 * KINDS + 1


def test_an_invalid_body_ends_the_open_request(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        for path in (b"/", b"/api/games", b"/api/health"):
            assert ask(server, "GET", path, b"Transfer-Encoding: chunked", body=b"no chunk\r\n")[0] in (200, 400)
        assert server.get("/api/health")[0] == 200
        server.stop()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_the_same_odd_request_again_is_one_line_in_the_log(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", log=tmp_path / "log") as server:
        for _ in range(20):
            assert ask(server, "GET", b"/\xff")[0] == 400
        server.stop()
    assert (tmp_path / "log").read_text().count("Invalid HTTP request") == 1
