"""The cost of frames to their sender: small bytes never inflate before they are paid for."""

import asyncio
import json
import zlib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.socket.session import UNREAD_FRAMES, Session
from cardhouse.server.transport.connections import Bounds
from cardhouse.server.transport.websocket import SocketProtocol
from cardhouse.server.wire.protocol import FRAME_BYTES
from tests.server.listening import LoopTurns, frame, listening, upgraded
from tests.server.talking import SECONDS, Server, open_socket, running

TEXT, PART, PING = 1, 0, 9
MANY = 2_000


def deflated(payload: bytes) -> bytes:
    """A message that says nothing of those before it."""
    packer = zlib.compressobj(wbits=-12)
    return (packer.compress(payload) + packer.flush(zlib.Z_FULL_FLUSH))[:-4]


class Reader:
    """An application that reads one message at a time, and looks at what the server holds meanwhile.

    `read_in_turn` counts by turns of the loop what was read. `enough` is set when it has read so many messages, or the
    connection is over.
    """

    server: uvicorn.Server

    def __init__(self, messages: int) -> None:
        self.held: list[int] = []
        self.read_in_turn: Counter[int] = Counter()
        self.begin = asyncio.Event()
        self.enough = asyncio.Event()
        self.closed_with = 0
        self._messages = messages

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        await receive()
        await send({"type": "websocket.accept"})
        await self.begin.wait()
        (connection,) = self.server.server_state.connections
        assert isinstance(connection, SocketProtocol)
        with LoopTurns() as turns:
            while not self.enough.is_set():
                message = await receive()
                self.read_in_turn[turns.now] += 1
                self.held.append(connection.queue.qsize())
                self.closed_with = message.get("code", 0)
                if self.closed_with or len(self.held) == self._messages:
                    self.enough.set()


def read(hostile: bytes, messages: int, bounds: Bounds | None = None) -> Reader:
    """What an application was given of these bytes, all of which were sent before it began to read."""
    app = Reader(messages)
    asyncio.run(_read(hostile, app, bounds))
    return app


async def _read(hostile: bytes, app: Reader, bounds: Bounds | None) -> None:
    async with listening(app, bounds) as (port, app.server):
        _, writer = await upgraded(port)
        writer.write(hostile)
        await writer.drain()
        app.begin.set()
        async with asyncio.timeout(SECONDS):
            await app.enough.wait()
        writer.close()


def test_small_frames_that_inflate_are_held_one_at_a_time() -> None:
    small = frame(TEXT, deflated(b"x" * FRAME_BYTES), deflated=True)
    assert len(small) < 100
    app = read(small * MANY, MANY)
    assert len(app.held) == MANY
    assert max(app.held) <= 1


def test_others_get_turns_between_two_frames_of_one_chunk() -> None:
    app = read(frame(TEXT, deflated(b"x" * FRAME_BYTES), deflated=True) * MANY, MANY)
    assert app.read_in_turn.total() == MANY
    assert max(app.read_in_turn.values()) <= 2  # one, but for when the two that take turns change places


def test_nothing_more_is_read_from_a_disconnected_client() -> None:
    read = 0
    sent: list[Any] = []

    async def receive() -> Any:  # never waits, as where a whole chunk of frames has come
        nonlocal read
        read += 1
        assert read <= MANY
        return {"type": "websocket.receive", "text": "no JSON"}

    async def send(message: Any) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    house: Any = SimpleNamespace(counting=NullMetrics())  # nobody sits down in it
    asyncio.run(Session(house, receive, send, TokenBucket(MANY, MANY), SECONDS).run())
    assert read == UNREAD_FRAMES
    assert len(sent) == UNREAD_FRAMES + 1
    assert sent[-1] == {"type": "websocket.close", "code": 1008, "reason": ""}


def test_a_frame_that_becomes_too_large_ends_the_connection() -> None:
    app = read(frame(TEXT, deflated(b"x" * 3 * FRAME_BYTES), deflated=True), 2)
    assert app.closed_with == 1009


@pytest.mark.parametrize("size", [0, 1, 100])
def test_a_message_in_endless_parts_ends_the_connection(size: int) -> None:
    parts = frame(TEXT, b"", fin=False) + frame(PART, b"x" * size, fin=False) * MANY
    app = read(parts, 2)
    assert app.closed_with == 1008


def test_a_message_in_a_few_parts_is_one_message() -> None:
    parts = frame(TEXT, b"one ", fin=False) + frame(PART, b"", fin=False) + frame(PART, b"two")
    app = read(parts * 2, 2)
    assert (len(app.held), app.closed_with) == (2, 0)


def test_pings_without_end_are_not_answered_without_end() -> None:
    app = read(frame(PING, b"are you there?") * MANY, 2)
    assert app.closed_with == 1008


async def hang_up(scope: Any, receive: Any, send: Any) -> None:
    """Accepts a socket, and closes it at once."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 1008})
        await receive()


def test_who_goes_on_talking_after_the_close_is_cut_off() -> None:
    async def talk() -> None:
        async with listening(hang_up) as (port, _):
            _, writer = await upgraded(port)
            said = frame(TEXT, b"x" * 20_000)
            for _ in range(2 * MANY):  # far more than networks hold
                writer.write(said)
                await writer.drain()

    with pytest.raises(ConnectionError):
        asyncio.run(talk())


def large(count: int) -> str:
    return json.dumps({"t": "name", "name": "x" * count})


@pytest.mark.parametrize("said", [large(FRAME_BYTES), b"binary", "no JSON"], ids=["large", "binary", "malformed"])
def test_refused_frames_count_against_the_limit(tmp_path: Path, said: str | bytes) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--rate", "5", "--burst", "10", log=tmp_path / "log") as server:
        socket = open_socket(server)
        for _ in range(15):
            socket.send(said)
        codes = [json.loads(socket.recv(SECONDS))["code"] for _ in range(15)]
        assert "too_many" in codes
        assert len(set(codes)) == 2


@pytest.mark.parametrize("said", [large(FRAME_BYTES), b"binary", "no JSON"], ids=["large", "binary", "malformed"])
def test_who_says_nothing_that_can_be_read_is_sent_away(server: Server, said: str | bytes) -> None:
    table = server.make_table()
    gm, socket = table.sit("gm"), open_socket(server)
    for _ in range(UNREAD_FRAMES):
        assert socket.protocol.state is State.OPEN
        socket.send(said)
        assert json.loads(socket.recv(SECONDS))["t"] == "error"
    with pytest.raises(ConnectionClosed):
        socket.recv(SECONDS)
    assert socket.protocol.close_code == 1008
    assert gm.is_open


def test_who_errs_now_and_then_stays(server: Server) -> None:
    socket = open_socket(server)
    for _ in range(2 * UNREAD_FRAMES):
        socket.send("no JSON")
        assert json.loads(socket.recv(SECONDS))["code"] == "malformed"
        socket.send('{"t":"ping"}')
        assert json.loads(socket.recv(SECONDS))["t"] == "pong"
