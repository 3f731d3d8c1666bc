"""Silent and slow clients are disconnected; clients that connect too often are refused."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.persistence.repository import Store
from cardhouse.server.transport.connections import Bounds
from tests.server.listening import HELLO, listening, upgraded
from tests.server.talking import SECONDS

SHORT = Bounds(
    head_seconds=0.05,
    body_seconds=0.2,
    pace_seconds=0.05,
    pace_bytes=1000,
    idle_seconds=1,
    stalled_seconds=0.05,
    closing_seconds=0.05,
)
POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LONG = b"x" * 50_000_000


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads a request to its end; answers in more bytes than a network takes in at once where that is asked for."""
    if scope["type"] == "http":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": LONG if scope["path"] == "/long" else b"ok"})
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "bytes": LONG})


async def never(scope: Any, receive: Any, send: Any) -> None:
    """Accepts no socket."""
    if scope["type"] == "websocket":
        while (await receive())["type"] != "websocket.disconnect":
            pass


async def said(port: int, *parts: bytes) -> bytes:
    """All that a server says until it hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.writelines(parts)
    async with asyncio.timeout(SECONDS):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()


async def nobody_is_there(server: Any) -> None:
    """Wait until the server has no connections."""
    async with asyncio.timeout(SECONDS):
        await server.server_state.connections.none.wait()
    assert len(server.config.connections) == 0


async def somebody_is_there(server: Any) -> None:
    """Wait until the server has let somebody in."""
    async with asyncio.timeout(SECONDS):
        await server.server_state.connections.some.wait()


@pytest.mark.parametrize(
    "parts",
    [(b"",), (b"GET / HT",), (GET[:-2],), (GET, GET[:-2]), (HELLO[:-2],), (POST,), (POST, b"x" * 10)],
    ids=["nothing", "half a line", "half a head", "half a second head", "half a handshake", "no body", "half a body"],
)
def test_half_a_request_is_cut_off(parts: tuple[bytes, ...]) -> None:
    async def come() -> bytes:
        async with listening(echo, msgspec.structs.replace(SHORT, idle_seconds=600)) as (port, server):
            heard = await said(port, *parts)
            await nobody_is_there(server)
        return heard

    heard = asyncio.run(come())
    assert heard.count(b" 200 ") == parts.count(GET)


def test_an_endless_body_is_cut_off() -> None:
    async def come() -> None:
        async with listening(echo, msgspec.structs.replace(SHORT, pace_bytes=0)) as (port, server):
            assert await said(port, POST, b"x" * 50_000) == b""
            await nobody_is_there(server)

    asyncio.run(come())


def test_a_handshake_that_nobody_answers_is_not_waited_for() -> None:
    async def come() -> None:
        async with listening(never, SHORT) as (port, server):
            assert await said(port, HELLO) == b""
            await nobody_is_there(server)

    asyncio.run(come())


def test_a_handshake_with_a_line_too_long_is_answered() -> None:
    async def come() -> bytes:
        async with listening(echo, SHORT) as (port, _):
            return await said(port, HELLO[:-2], b"X: " + b"x" * 10_000 + b"\r\n\r\n")

    assert asyncio.run(come()).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("over", ["http", "socket"])
def test_a_client_that_reads_nothing_is_cut_off(over: str) -> None:
    async def come() -> None:
        async with listening(echo, SHORT) as (port, server):
            if over == "http":
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(GET.replace(b"/", b"/long", 1))
            else:
                _, writer = await upgraded(port, HELLO.replace(b"deflate", b"nothing"))
                writer.write(b"\x81\x80\0\0\0\0")
            assert isinstance(writer.transport, asyncio.Transport)
            writer.transport.pause_reading()
            await somebody_is_there(server)
            await nobody_is_there(server)
            writer.close()

    asyncio.run(come())


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_who_has_gone_before_being_let_in_leaves_no_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Store(f"sqlite:///{tmp_path}/cards.db"), ServerSettings(address="http://127.0.0.1"))
    app.state["closing"].begin(0)  # it would be told so
    ended = asyncio.Event()

    async def come() -> None:
        async def late(scope: Any, receive: Any, send: Any) -> None:
            """Hears of a client when the client's end has been read, and nobody has been told of that."""

            async def receive_late() -> Any:
                message = await receive()
                for connection in [*server.server_state.connections]:
                    while not connection.transport.is_closing():  # noqa: ASYNC110 (it tells nobody)
                        await asyncio.sleep(0)
                return message

            try:
                await app(scope, receive_late if scope["type"] == "websocket" else receive, send)
            finally:
                if scope["type"] == "websocket":
                    ended.set()

        async with listening(late) as (port, server):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(HELLO)
            writer.close()
            await asyncio.wait_for(ended.wait(), SECONDS)
            await nobody_is_there(server)

    asyncio.run(come())
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


@asynccontextmanager
async def two_let_in(bounds: Bounds, proxies: tuple[str, ...] = ()) -> AsyncIterator[int]:
    """A server that has two connections open already; its port."""
    async with listening(echo, bounds, proxies) as (port, _):
        writers = [(await upgraded(port))[1] for _ in range(2)]
        try:
            yield port
        finally:
            for writer in writers:
                writer.close()


@pytest.mark.parametrize(
    ("bounds", "proxies", "let_in"),
    [
        (Bounds(per_address=2), (), False),
        (Bounds(per_address=3), (), True),
        (Bounds(per_address=2), ("127.0.0.1",), True),
        (Bounds(per_address=2), ("127.0.0.0/8",), True),
        (Bounds(per_address=2), ("10.0.0.0/8",), False),
        (Bounds(connections=2), ("127.0.0.1",), False),
    ],
)
def test_connections_are_counted_by_address_and_in_all(bounds: Bounds, proxies: tuple[str, ...], let_in: bool) -> None:
    async def come() -> bytes:
        async with two_let_in(bounds, proxies) as port:
            return await said(port, GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))

    heard = asyncio.run(come())
    assert heard.startswith(b"HTTP/1.1 200" if let_in else b"HTTP/1.1 503"), heard


def test_some_connections_beyond_the_limit_get_an_answer() -> None:
    async def come() -> list[bytes]:
        bounds = Bounds(per_address=2, refusal_rate=1e-9, refusal_burst=3)
        async with two_let_in(bounds) as port:
            return [await said(port, GET) for _ in range(6)]

    heard = asyncio.run(come())
    assert all(told.startswith(b"HTTP/1.1 503") for told in heard[:3])
    assert heard[3:] == [b""] * 3


def test_who_leaves_makes_room() -> None:
    async def come() -> None:
        async with listening(echo, Bounds(per_address=1)) as (port, server):
            for _ in range(3):
                _, writer = await upgraded(port)
                writer.close()
                await nobody_is_there(server)

    asyncio.run(come())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.soak
def test_a_low_limit_of_open_files_is_raised_or_told(tmp_path: Path) -> None:
    def log_with(limits: str) -> str:
        serve = f"exec {sys.executable} -m cardhouse.server --port 0 --db sqlite:///{tmp_path}/cards.db"
        with subprocess.Popen(["bash", "-c", f"{limits} && {serve}"], stdout=-1, stderr=-1, text=True) as server:
            assert server.stdout is not None
            assert server.stdout.readline().startswith("http://")
            server.terminate()
            return server.communicate()[1]

    assert "open files" not in log_with("ulimit -Sn 256")
    assert "256 open files" in log_with("ulimit -n 256")
