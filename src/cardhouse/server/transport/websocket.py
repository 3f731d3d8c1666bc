"""WebSocket connections with backpressure: frames are read one at a time, as the application takes them.

A few compressed bytes can expand to many. So received bytes are kept as they are, and a frame is only parsed when the
application has taken the previous message.
"""

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.core.shutdown import LEAVE
from cardhouse.server.process.handoff import HandedOverConnection
from cardhouse.server.transport.connections import Config
from cardhouse.server.transport.sync import LightEvent, LightQueue
from cardhouse.server.wire.frames import DEFLATE_BITS, MEMORY_LEVEL, Outgoing

_LONG, _LONGEST = 126, 127
_MASKED, _LENGTH, _OPCODE, _FIN, _CONTROL = 0x80, 0x7F, 0x0F, 0x80, 0x08
_HEAD_AT_MOST = 14
_PING, _PONG = bytes((_FIN | Opcode.PING, 0)), _FIN | Opcode.PONG
_EARLY_BYTES = 16_384
"""Bytes buffered ahead: to pause and resume reading costs two system calls per frame."""
_LOOK_SECONDS = 0.02
"""The interval at which a leaving connection is checked; the system's buffer of a socket is read within it."""
_LOOKS = 25
"""The checks after which a client that keeps sending is cut off; it resends elsewhere what wasn't acknowledged."""
_WRITE = "cardhouse.write"
"""The extension of a socket's ASGI scope that writes a frame at once."""
_LEAVE = "cardhouse.leave"
"""The extension that hands the connection over to another process."""
SENT_SECONDS = 0.005
"""The interval at which to check whether all written bytes have been sent."""
_DEFLATE = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True,
    client_no_context_takeover=True,
    server_max_window_bits=DEFLATE_BITS,
    client_max_window_bits=DEFLATE_BITS,
    compress_settings={"memLevel": MEMORY_LEVEL},
)
"""Each message is compressed independently: broadcasts are compressed once, and an idle socket keeps no window."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """A connection that holds at most one message that the application hasn't taken."""

    config: Config

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = LightQueue()  # type: ignore[assignment]
        self.writable = LightEvent()  # type: ignore[assignment]
        self.writable.set()
        self._bounds = self.config.bounds
        self._address = ""
        self._unread = bytearray()
        self._read_after_close = 0
        self._without_message = TokenBucket(self._bounds.control_rate, self._bounds.control_burst)
        self._timer: TimerHandle | None = None
        self._spoke_at = 0.0
        self._is_asked = False
        self._head = b""
        self._resumed = self._leaving = False
        self._heard = False
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
            self.scope["extensions"] |= {_WRITE: {"write": self.write}, _LEAVE: {"leave": self.leave_for}}

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.config.connections.remove(self.transport)
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        if message["type"] == "websocket.accept" and self.transport.is_closing():
            raise ClientDisconnected  # whether accepted or not, nothing could be sent to it
        if message["type"] == "websocket.accept" and self._resumed:
            self._accept_silently()
        else:
            await super().send(message)
        if message["type"] == "websocket.accept":
            self._stop_timer()
            self._forget_handshake()
            self._read_on()

    def _forget_handshake(self) -> None:
        """Free the handshake's headers, which the frame parser would keep while the socket is open."""
        self.request.headers.clear()
        self.response.headers.clear()

    def _limit_time(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # With several processes.

    def resume(self, frames: bytes) -> None:
        """Continue after another process answered the handshake; `frames` are the bytes that it didn't read."""
        self._resumed = True
        self._unread += frames

    def _accept_silently(self) -> None:
        if not self.transport.is_closing():
            self.handshake_complete = True
            self.conn.send_response(self.response)
            self.conn.data_to_send()  # already sent by the other process
            self.start_keepalive()

    def leave_for(self, place: int, text: bytes, spent: int) -> None:
        """Hand this connection, with the frame `text` and everything after it, to another process.

        `spent` is how much of the frame burst was used. The application is told of a disconnect once the connection has
        gone.
        """
        self._leaving = True
        frames = _frame(Opcode.TEXT, text)
        while not self.queue.empty():
            frames += _frame_of(self.queue.get_nowait())
        self._pause_or_resume()
        self._hand_over(place, HandedOverConnection(self._head, frames + self._unread, spent))

    def _hand_over(self, place: int, handed: HandedOverConnection) -> None:
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():
            self.loop.call_later(SENT_SECONDS, self._hand_over, place, handed)
            return
        siblings = self.config.siblings
        # in the middle of a message, the connection is cut and the client reconnects
        if siblings is not None and not self.frames:
            file = self.transport.get_extra_info("socket").fileno()
            siblings.hand_over(place, file, handed)
        self.transport.abort()

    # Writing: clients that don't read are cut off.

    def write(self, frame: Outgoing) -> bool:
        """Write a frame at once; return False if it must wait until earlier ones are sent.

        Like `send`, but without a task, a message and a compressor for each socket.
        """
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return True  # the client has gone
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

    # Keepalive: a client that vanished leaves a ping unanswered until the next is due.

    def start_keepalive(self) -> None:
        self._spoke_at = self.loop.time()
        self._is_asked = False
        self.schedule_ping()

    def send_keepalive_ping(self) -> None:
        """Like the overridden method, but ping only after this long a silence; one timer serves ping and pong."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        assert self.ping_interval is not None
        left = self._spoke_at + self.ping_interval - self.loop.time()
        if left > 0:  # a fixed interval could let twice the time pass, longer than proxies may wait
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        elif self._is_asked:
            self.keepalive_timeout()
        else:
            self._is_asked = True
            self.transport.write(_PING)
            self.schedule_ping()

    # Reading.

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            if self.config.siblings is not None:
                self._head += data
            super().data_received(data)
            if self.conn.handshake_exc is not None:
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            return
        self._heard = True
        self._unread += data
        if self.close_sent:
            self._read_after_close += len(data)
            if self._read_after_close > self._bounds.bytes_after_close:
                self.transport.abort()
                return
        self._read_on()

    async def receive(self) -> ASGIReceiveEvent:
        if not self.queue.empty():  # get() would return without a wait, and so would it for all messages after this
            await asyncio.sleep(0)
        message = await self.queue.get()
        if self._address and message["type"] == "websocket.receive":
            await self.config.connections.frame_turns.wait(self._address)
        self._heard = True
        self._read_on()
        return message

    def _read_on(self) -> None:
        """Parse frames until there is a message or no complete frame is left."""
        while self._may_read() and (frame := self._next_frame()):
            self._read_frame(frame)
        self._pause_or_resume()

    def _may_read(self) -> bool:
        if self.disconnected or self.transport.is_closing() or not self.handshake_complete or self._leaving:
            return False
        return self.close_sent or self.queue.empty()

    def _pause_or_resume(self) -> None:
        is_all_ours = not (self.disconnected or self._leaving)
        paused = not self._may_read() and not (is_all_ours and len(self._unread) <= _EARLY_BYTES)
        if paused != self.read_paused and not self.transport.is_closing():
            self.read_paused = paused
            (self.transport.pause_reading if paused else self.transport.resume_reading)()

    def _next_frame(self) -> bytes:
        """Remove and return the next frame's bytes; empty if it isn't complete."""
        size = frame_size(self._unread)
        if size > self._bounds.message_bytes + _HEAD_AT_MOST:
            size = min(_HEAD_AT_MOST, len(self._unread))  # its head is enough to refuse it
        if not size or size > len(self._unread):
            return b""
        frame = bytes(self._unread[:size])
        del self._unread[:size]
        return frame

    def _read_frame(self, frame: bytes) -> None:
        opcode = frame[0] & _OPCODE
        if self.close_sent and opcode < _CONTROL:
            return  # data frames after our close need no reading
        ends_message = opcode < _CONTROL and frame[0] & _FIN
        if not ends_message and not self._without_message.take():
            self._fail("Too many frames without a message.")
        elif len(self.frames) >= self._bounds.fragments:
            self._fail("A message in too many parts.")
        elif frame[0] == _PONG and _MASKED <= frame[1] < _MASKED + _LONG:
            self._is_asked = False
        else:
            self._is_asked, self._spoke_at = False, self.loop.time()
            super().data_received(frame)

    def send_receive_event_to_app(self) -> None:
        """As in the base class, but invalid UTF-8 closes the connection without a log line: it isn't our error."""
        if self.curr_msg_data_type == "text":
            self.frames = [b"".join(self.frames)]
            try:
                self.frames[0].decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail("The text of a message is UTF-8.", CloseCode.INVALID_DATA)
                return
        super().send_receive_event_to_app()

    def _fail(self, reason: str, code: CloseCode = CloseCode.POLICY_VIOLATION) -> None:
        if self.close_sent:
            self.transport.abort()
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    # Closing.

    @property
    def is_over(self) -> bool:
        """Whether nothing can be sent any more."""
        return self.disconnected or self.close_sent or not self.handshake_complete

    def leave(self, within: int) -> None:
        """Make the application end after all received messages, and the client reconnect within `within` seconds."""
        self._heard = True
        self._leave_when_quiet(within, _LOOKS)

    def _leave_when_quiet(self, within: int, looks: int) -> None:
        if self.is_over:
            return
        if looks and (self._heard or self.read_paused or not self.queue.empty()):
            self._heard = False
            self.loop.call_later(_LOOK_SECONDS, self._leave_when_quiet, within, looks - 1)
            return
        message: Any = {"type": "websocket.receive", LEAVE: within}
        self.queue.put_nowait(message)


def write_of(scope: Mapping[str, Any]) -> Callable[[Outgoing], bool]:
    """Return the function that writes frames to the socket of this ASGI scope: `SocketProtocol.write`."""
    write: Callable[[Outgoing], bool] = scope["extensions"][_WRITE]["write"]
    return write


def leave_of(scope: Mapping[str, Any]) -> Callable[[int, bytes, int], None]:
    """Return the function that hands over the socket of this ASGI scope: `SocketProtocol.leave_for`."""
    leave: Callable[[int, bytes, int], None] = scope["extensions"][_LEAVE]["leave"]
    return leave


def _frame_of(event: ASGIReceiveEvent) -> bytes:
    """Return a frame equivalent to the one a message came in; empty for other events."""
    if event["type"] != "websocket.receive" or LEAVE in event:
        return b""
    text = event.get("text")
    return _frame(Opcode.BINARY, event.get("bytes") or b"") if text is None else _frame(Opcode.TEXT, text.encode())


def _frame(opcode: Opcode, data: bytes) -> bytes:
    """Encode a frame as a client sends it."""
    return Frame(opcode, data).serialize(mask=True)


def frame_size(unread: bytearray) -> int:
    """Return the total size of the frame that begins here (RFC 6455, 5.2); 0 if its head isn't complete."""
    if len(unread) < 2:
        return 0
    length = unread[1] & _LENGTH
    extended = {_LONG: 2, _LONGEST: 8}.get(length, 0)
    if len(unread) < 2 + extended:
        return 0
    if extended:
        length = int.from_bytes(unread[2 : 2 + extended], "big")
    return 2 + extended + (4 if unread[1] & _MASKED else 0) + length
