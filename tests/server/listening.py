"""Our web server inside the test, over any application, so that a test can inspect the server's state."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import uvicorn
from litestar.types import ASGIApp

from cardhouse.server.app.lifecycle import web_config
from cardhouse.server.core.visitors import Proxies
from cardhouse.server.transport.connections import Bounds

HELLO = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
"""How a client asks for a socket."""


class Open(set[Any]):
    """The connections of a server. `some` and `none` are set while there are some, or none."""

    def __init__(self) -> None:
        super().__init__()
        self.some, self.none = asyncio.Event(), asyncio.Event()

    def add(self, connection: Any) -> None:
        super().add(connection)
        self._tell()

    def discard(self, connection: Any) -> None:
        super().discard(connection)
        self._tell()

    def remove(self, connection: Any) -> None:
        super().remove(connection)
        self._tell()

    def _tell(self) -> None:
        is_set, is_clear = (self.some, self.none) if self else (self.none, self.some)
        is_set.set()
        is_clear.clear()


class LoopTurns:
    """Counts the turns of the event loop, until the end of the block."""

    def __init__(self) -> None:
        self.now = 0
        self._over = False

    def __enter__(self) -> Self:
        self._turn()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True

    def _turn(self) -> None:
        self.now += 1
        if not self._over:
            asyncio.get_running_loop().call_soon(self._turn)


@asynccontextmanager
async def listening(
    app: ASGIApp, bounds: Bounds | None = None, proxies: tuple[str, ...] = ()
) -> AsyncIterator[tuple[int, uvicorn.Server]]:
    """The port that it listens on, and the server."""
    door = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(web_config(app, bounds or Bounds(), Proxies(proxies)))
    server.server_state.connections = Open()
    running = asyncio.create_task(server.serve([door]))
    try:
        yield door.getsockname()[1], server
    finally:
        server.should_exit = True
        await running


async def upgraded(port: int, hello: bytes = HELLO) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket that has been accepted, as raw bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(hello)
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True, deflated: bool = False) -> bytes:
    """A frame as a client sends it (RFC 6455, 5.2), `payload` being short."""
    head = bytes([(0x80 if fin else 0) | (0x40 if deflated else 0) | opcode])
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
    mask = os.urandom(4)
    return head + length + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
