"""WebSocket connections with backpressure: frames are read one at a time, as the application takes them.

A few bytes that were compressed become many. So what came over the wire is kept as it came, and the next frame is only
looked at when the application has taken the message before.
"""

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode
from websockets.http11 import Request

from cardhouse.server.connections import Config
from cardhouse.server.limits import Allowance
from cardhouse.server.outgoing import DEFLATE_BITS, MEMORY_LEVEL, Outgoing

_LONG, _LONGEST = 126, 127
_MASKED, _LENGTH, _OPCODE, _FIN, _CONTROL = 0x80, 0x7F, 0x0F, 0x80, 0x08
_HEAD_AT_MOST = 14
_WRITE = "cardhouse.write"
"""The extension of a socket's ASGI scope that writes a frame at once."""
_DEFLATE = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True,
    client_no_context_takeover=True,
    server_max_window_bits=DEFLATE_BITS,
    client_max_window_bits=DEFLATE_BITS,
    compress_settings={"memLevel": MEMORY_LEVEL},
)
"""Each message by itself: those that go to many are compressed once, and a socket at rest keeps no window."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """A connection that holds one message at most that the application hasn't taken."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._bounds = self.config.bounds
        self._address = ""
        self._unread = bytearray()
        self._read_after_close = 0
        self._without_message = Allowance(self._bounds.control_rate, self._bounds.control_burst)
        self._timer: TimerHandle | None = None
        if self.conn.available_extensions:
            self.conn.available_extensions = [_DEFLATE]

    # Connecting.

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = self.config.connections.address_of(self.client[0] if self.client else "")
        self._limit_time(self._bounds.head_seconds)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][_WRITE] = {"write": self.write}

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.config.connections.remove(self.transport)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._stop_timer()
            self._read_on()

    def _limit_time(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Writing: who takes in nothing is cut off.

    def write(self, frame: Outgoing) -> bool:
        """Write a frame at once; False if it must wait until those before it are taken in.

        As `send` does, without a task, a message and a compressor for each socket.
        """
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return True  # it is for nobody
        if not self.writable.is_set():
            return False
        self.transport.write(frame.compressed if self.conn.extensions else frame.plain)
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._limit_time(self._bounds.stalled_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_timer()

    # Reading.

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if self.conn.handshake_exc is not None:
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            return
        self._unread += data
        if self.close_sent:
            self._read_after_close += len(data)
            if self._read_after_close > self._bounds.bytes_after_close:
                self.transport.abort()
                return
        self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        if not self.queue.empty():  # it would be given without a wait, and so would all that are behind it
            await asyncio.sleep(0)
        message = await self.queue.get()
        if self._address and message["type"] == "websocket.receive":
            await self.config.connections.frame_turns.wait(self._address)
        self._read_on()
        return message

    def _read_on(self) -> None:
        """Read frames until there is a message, or no whole frame is left."""
        while self._may_read() and (frame := self._next_frame()):
            self._read_frame(frame)
        self._pause_or_resume()

    def _may_read(self) -> bool:
        if self.disconnected or self.transport.is_closing() or not self.handshake_complete:
            return False
        return self.close_sent or self.queue.empty()

    def _pause_or_resume(self) -> None:
        paused = not self._may_read()
        if paused != self.read_paused and not self.transport.is_closing():
            self.read_paused = paused
            (self.transport.pause_reading if paused else self.transport.resume_reading)()

    def _next_frame(self) -> bytes:
        """The next frame as it came, taken off what is unread; nothing if it isn't all there."""
        size = frame_size(self._unread)
        if size > self._bounds.message_bytes + _HEAD_AT_MOST:
            size = min(_HEAD_AT_MOST, len(self._unread))  # its head is enough to be refused for
        if not size or size > len(self._unread):
            return b""
        frame = bytes(self._unread[:size])
        del self._unread[:size]
        return frame

    def _read_frame(self, frame: bytes) -> None:
        opcode = frame[0] & _OPCODE
        if self.close_sent and opcode < _CONTROL:
            return  # what is said after we hung up needs no reading
        ends_message = opcode < _CONTROL and frame[0] & _FIN
        if not ends_message and not self._without_message.take():
            self._fail("Too many frames that are no message.")
        elif len(self.frames) >= self._bounds.fragments:
            self._fail("A message in too many parts.")
        else:
            super().data_received(frame)

    def _fail(self, reason: str) -> None:
        if self.close_sent:
            self.transport.abort()
            return
        self.conn.fail(CloseCode.POLICY_VIOLATION, reason)
        self.handle_parser_exception()


def write_of(scope: Mapping[str, Any]) -> Callable[[Outgoing], bool]:
    """How a frame is written to the socket with this ASGI scope: `SocketProtocol.write`."""
    write: Callable[[Outgoing], bool] = scope["extensions"][_WRITE]["write"]
    return write


def frame_size(unread: bytearray) -> int:
    """How many bytes the frame has, head and all, that begins here (RFC 6455, 5.2); 0 if too little of it is there."""
    if len(unread) < 2:
        return 0
    length = unread[1] & _LENGTH
    extended = {_LONG: 2, _LONGEST: 8}.get(length, 0)
    if len(unread) < 2 + extended:
        return 0
    if extended:
        length = int.from_bytes(unread[2 : 2 + extended], "big")
    return 2 + extended + (4 if unread[1] & _MASKED else 0) + length
