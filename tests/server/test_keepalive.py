"""Who is gone without a word is noticed: those who say nothing are asked whether they are there, and only those."""

import asyncio
from typing import Any

from cardhouse.server.sockets import SocketProtocol
from tests.server.listening import frame, listening, upgraded
from tests.server.talking import SECONDS

TEXT, PONG = 1, 10
PINGED, CLOSED = b"\x89\x00", 0x88


class Listener:
    """An application that takes in whatever is said, and counts it."""

    def __init__(self) -> None:
        self.taken = asyncio.Semaphore(0)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            self.taken.release()


def told(*heard: bytes) -> bytes:
    """All that the server sends to one of whom this is heard before each look, until it hangs up after one more."""

    async def look() -> bytes:
        app = Listener()
        async with asyncio.timeout(SECONDS), listening(app) as (port, server):
            reader, writer = await upgraded(port)
            (connection,) = server.server_state.connections
            assert isinstance(connection, SocketProtocol)
            for said in heard:
                connection.data_received(said)
                if not connection.queue.empty():
                    await app.taken.acquire()
                connection.send_keepalive_ping()
                assert not connection.close_sent
            connection.send_keepalive_ping()
            assert connection.close_sent
            writer.write_eof()
            sent = await reader.read()
            writer.close()
            await writer.wait_closed()
            return sent

    return asyncio.run(look())


def pings(sent: bytes) -> int:
    """How many pings there are before the end."""
    count = 0
    while sent.startswith(PINGED):
        sent, count = sent.removeprefix(PINGED), count + 1
    assert sent[0] == CLOSED
    return count


def test_who_says_nothing_is_asked_and_then_given_up() -> None:
    assert pings(told(b"")) == 1


def test_who_answers_is_asked_again() -> None:
    assert pings(told(b"", frame(PONG, b""), frame(PONG, b""))) == 3


def test_who_has_spoken_is_not_asked_before_it_has_been_silent() -> None:
    spoken = frame(TEXT, b"{}")
    assert pings(told(spoken, spoken, b"")) == 1
    assert pings(told(b"", spoken, b"")) == 2, "what was said tells as much as an answer to the ping"
