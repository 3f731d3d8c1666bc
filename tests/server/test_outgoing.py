"""Frames serialised once for several clients: each reads them as meant, in the order they were sent."""

import asyncio
import random
import socket
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame
from websockets.streams import StreamReader

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.socket.session import Session
from cardhouse.server.transport.websocket import write_of
from cardhouse.server.wire.frames import DEFLATE_BITS, Outgoing
from tests.server.listening import listening
from tests.server.talking import SECONDS

FRAMES = 300


def read(wire: bytes, *extensions: PerMessageDeflate) -> Frame:
    """The one frame of these bytes, as a client reads it."""
    reader = StreamReader()
    reader.feed_data(wire)
    reader.feed_eof()
    parsing = Frame.parse(reader.read_exact, mask=False, extensions=extensions)
    with pytest.raises(StopIteration) as read:
        next(parsing)
    assert next(reader.at_eof(), None) is None
    frame: Frame = read.value.value
    return frame


@given(st.text().map(str.encode))
@example(b"x" * 125)
@example(b"x" * 126)
@example(b"x" * 0xFFFF)
@example(b"x" * 0x10000)
@example(random.Random(0).randbytes(200_000).hex().encode())
def test_a_frame_is_read_as_it_was_meant_with_and_without_compression(content: bytes) -> None:
    frame = Outgoing(content)
    assert bytes(read(frame.plain).data) == content
    deflate = PerMessageDeflate(False, False, DEFLATE_BITS, DEFLATE_BITS)
    for _ in range(2):  # whatever the client was sent before, and whether it keeps that
        assert bytes(read(frame.compressed, deflate).data) == content
    assert len(frame.compressed) <= len(frame.plain) + 20 + len(content) // 1000


def test_what_repeats_itself_is_sent_in_fewer_bytes_and_what_is_short_as_it_is() -> None:
    long, short = Outgoing(b'{"hp": 7},' * 500), Outgoing(b'{"t":"pong"}')
    assert len(long.compressed) < len(long.plain) / 10
    assert short.compressed == short.plain


def test_frames_that_had_to_wait_are_overtaken_by_none(compression: str | None) -> None:
    """The client reads nothing until the server can write no more, and goes on while more is sent."""
    numbers = random.Random(0)
    contents = [f"{number} {numbers.randbytes(4_000).hex()}" for number in range(FRAMES)]
    written: set[bool] = set()
    stuck = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        at_once = write_of(scope)

        def write(frame: Outgoing) -> bool:
            done = at_once(frame)
            written.add(done)
            if not done:
                stuck.set()
            return done

        house: Any = None  # nobody sits down
        session = Session(house, receive, send, TokenBucket(1, 1), SECONDS, write=write)
        running = asyncio.create_task(session.run())
        for content in contents:
            session.client.send_encoded(Outgoing(content.encode()))
            await asyncio.sleep(0)  # the others' turn
        await running

    async def play() -> list[str]:
        async with (
            listening(app) as (port, server),
            asyncio.timeout(SECONDS),
            connect(f"ws://127.0.0.1:{port}/ws", compression=compression, max_queue=1) as client,
        ):
            (connection,) = server.server_state.connections
            connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10_000)
            await client.send("begin")
            await stuck.wait()
            return [str(await client.recv()) for _ in contents]

    assert asyncio.run(play()) == contents
    assert written == {True, False}


@pytest.fixture(params=["deflate", None])
def compression(request: pytest.FixtureRequest) -> Any:
    return request.param
