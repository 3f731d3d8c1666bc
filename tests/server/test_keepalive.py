"""Silent disconnections are noticed: only silent clients are pinged."""

import asyncio
from typing import Any

import pytest

from cardhouse.server.transport.websocket import SocketProtocol
from tests.server.listening import frame, listening, upgraded
from tests.server.talking import SECONDS

TEXT, PONG = 1, 10
SPOKEN = frame(TEXT, b"{}")
SILENCE = 20.0
"""Who has said nothing for so many seconds is asked."""
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


class Clock:
    """A loop whose clock is set forward; what it is to do later is only noted, by how many seconds later."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ahead = 0.0
        self.later: list[float] = []

    def time(self) -> float:
        return self.loop.time() + self.ahead

    def call_later(self, delay: float, *work: Any) -> asyncio.TimerHandle:
        self.later.append(delay)
        return self.loop.call_later(SECONDS, lambda: None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)


def told(*heard: bytes, after: float = SILENCE) -> tuple[bytes, list[float]]:
    """All that the server sends to one of whom this is heard `after` seconds before each look, and when it looks again.

    In the end it says nothing more, and the server hangs up.
    """

    async def look() -> tuple[bytes, list[float]]:
        app = Listener()
        async with asyncio.timeout(SECONDS), listening(app) as (port, server):
            reader, writer = await upgraded(port)
            (connection,) = server.server_state.connections
            assert isinstance(connection, SocketProtocol)
            clock: Any = Clock(connection.loop)
            connection.loop = clock
            for said in heard:
                connection.data_received(said)
                if not connection.queue.empty():
                    await app.taken.acquire()
                clock.ahead += after
                connection.send_keepalive_ping()
                assert not connection.close_sent
            later = clock.later.copy()
            while not connection.close_sent:
                clock.ahead += SILENCE
                connection.send_keepalive_ping()
            writer.write_eof()
            sent = await reader.read()
            writer.close()
            await writer.wait_closed()
            return sent, later

    return asyncio.run(look())


def pings(sent: bytes) -> int:
    """How many pings there are before the end."""
    count = 0
    while sent.startswith(PINGED):
        sent, count = sent.removeprefix(PINGED), count + 1
    assert sent[0] == CLOSED
    return count


def test_who_says_nothing_is_asked_and_then_given_up() -> None:
    sent, later = told(b"")
    assert (pings(sent), later) == (1, [SILENCE])


def test_who_answers_is_asked_again() -> None:
    sent, later = told(b"", frame(PONG, b""), frame(PONG, b""))
    assert (pings(sent), later) == (3, [SILENCE] * 3)


def test_who_has_spoken_is_asked_when_it_has_been_silent_so_long() -> None:
    sent, later = told(SPOKEN, SPOKEN, after=15)
    assert later == pytest.approx([SILENCE - 15] * 2, abs=1), "or a proxy would hear nothing for longer"
    assert pings(sent) == 1


def test_a_refusal_reveals_no_more_than_an_answer() -> None:
    sent, later = told(b"", SPOKEN)
    assert (pings(sent), later) == (2, [SILENCE] * 2)
