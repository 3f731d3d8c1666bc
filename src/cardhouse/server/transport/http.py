"""HTTP connections with time limits: for a request's head, for its body, and for clients that don't read the response.

If the server has several processes, the received bytes of a request are kept until it is answered, because it may be
for another one.
"""

from asyncio import TimerHandle, Transport
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cardhouse.server.process.handoff import CONNECTION, HANDED_OVER, HandedOverConnection
from cardhouse.server.transport.connections import Config
from cardhouse.server.transport.websocket import SENT_SECONDS, SocketProtocol
from cardhouse.server.wire.requests import REQUEST_BYTES

KEPT_BYTES = 2 * REQUEST_BYTES
"""Longer requests aren't kept; any that may be for another process is shorter."""


class RequestProtocol(H11Protocol):
    """A connection that is closed if its requests arrive too slowly; `handed` is what another process handed over."""

    config: Config

    def __init__(self, *given: Any, handed: HandedOverConnection | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        self._handed = handed
        self._kept: bytearray | None = None
        if self.config.siblings is not None:
            self.app_state = {**self.app_state, CONNECTION: self, HANDED_OVER: handed}
        self._bounds = self.config.bounds
        self._coming: type[Any] | None = None
        self._came = 0
        self._read_timer: TimerHandle | None = None
        self._write_timer: TimerHandle | None = None
        self._body_ends = 0.0
        self._turns = self.config.connections.turns
        self._address = ""
        self._in_turn = self._waits = False
        self._uncharged = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.config.connections.address_of(self.client[0] if self.client else "")
        if self.config.connections.add(transport, self._address, self.loop):
            self._expect_head()
            if self._handed is not None:
                self.data_received(self._handed.request)
        elif self._handed is not None and self._handed.frames is not None:
            transport.abort()  # the other process has already accepted it
        elif why := self.config.connections.why_not(self._address):
            self._refuse("503 Service Unavailable", why)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        self._turns.leave(self._address, self._begin)
        self.config.connections.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._came += len(data)
        if self._kept is not None:
            self._keep_bytes(data)
        super().data_received(data)
        self._charge(len(data))
        self._update_timer()

    def on_response_complete(self) -> None:
        self._in_turn = False
        self._kept = self._handed = None
        if self.config.siblings is not None:
            self.app_state[HANDED_OVER] = None
        super().on_response_complete()
        self._update_timer()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that aren't HTTP; if they belong to the body of a pending request, its response is discarded."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_timers()  # the socket has its own
        super().handle_websocket_upgrade(event)
        if self.config.siblings is not None:
            self.app_state.clear()  # shared with the socket, which would keep this alive while it is open
        if self._handed is not None and self._handed.frames is not None:
            socket = self.transport.get_protocol()
            assert isinstance(socket, SocketProtocol)
            socket.resume(self._handed.frames)

    # With several processes.

    def _keep_bytes(self, data: bytes) -> None:
        """Keep received bytes until it is known which process the request is for."""
        if self.config.siblings is None:
            return
        self._kept = bytearray() if self._kept is None else self._kept
        self._kept += data
        if len(self._kept) > KEPT_BYTES:
            self._kept = None

    def leave_for(self, place: int) -> None:
        """Hand the pending request to another process; nothing of it may have been answered here."""
        self.cycle.disconnected = True  # discards the response, if one still comes
        self._stop_timers()
        self.flow.pause_reading()
        self._hand_over(place)

    def _hand_over(self, place: int) -> None:
        assert self.config.siblings is not None
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():  # of the previous response
            self.loop.call_later(SENT_SECONDS, self._hand_over, place)
            return
        if self._kept is not None:
            file = self.transport.get_extra_info("socket").fileno()
            self.config.siblings.hand_over(place, file, HandedOverConnection(bytes(self._kept)))
        self.transport.abort()

    # Reading: each request in its turn.

    def handle_events(self) -> None:
        if not self._begins_request():
            super().handle_events()
        elif self._may_begin():
            self._keep_bytes(self.conn.trailing_data[0])
            super().handle_events()

    def _begins_request(self) -> bool:
        return not self._in_turn and self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])

    def _may_begin(self) -> bool:
        self._in_turn = not self._address or self._turns.take(self._address, self._begin)
        if not self._in_turn:
            self._waits = True
            self.flow.pause_reading()
            self._unset_keepalive_if_required()
            self._stop_reading_timer()  # the delay is ours
        return self._in_turn

    def _begin(self) -> None:
        self._in_turn, self._waits = True, False
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        self._keep_bytes(self.conn.trailing_data[0])
        self.handle_events()
        self._update_timer()

    def _charge(self, size: int) -> None:
        """Charge long content while it arrives; the next request waits until it is paid for."""
        many, self._uncharged = divmod(self._uncharged + size, self._bounds.request_bytes)
        if many:
            self._turns.charge(self._address, many)

    def _update_timer(self) -> None:
        """Start the timer for what is expected next."""
        if self._waits:
            return
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        coming: type[Any] | None = self.conn.their_state
        if coming is h11.IDLE and not self.conn.trailing_data[0]:
            coming = None  # between two requests, uvicorn's keep-alive timeout applies
        if coming is self._coming:
            return
        self._stop_reading_timer()
        if coming is h11.IDLE:
            self._expect_head()
        elif coming is h11.SEND_BODY:
            self._expect_body()

    def _expect_head(self) -> None:
        self._coming = h11.IDLE
        self._read_timer = self.loop.call_later(self._bounds.head_seconds, self._too_slow)

    def _expect_body(self) -> None:
        self._coming, self._came = h11.SEND_BODY, 0
        self._body_ends = self.loop.time() + self._bounds.body_seconds
        self._read_timer = self.loop.call_later(self._bounds.pace_seconds, self._check_pace)

    def _check_pace(self) -> None:
        too_little = self._came < self._bounds.pace_bytes and not self.flow.read_paused
        if too_little or self.loop.time() >= self._body_ends:
            self._too_slow()
            return
        self._came = 0
        self._read_timer = self.loop.call_later(self._bounds.pace_seconds, self._check_pace)

    def _too_slow(self) -> None:
        if self._coming is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse("408 Request Timeout", "The request came too slowly.")
        self.transport.close()

    def _refuse(self, status: str, message: str) -> None:
        """Send a refusal without having parsed a request, and close."""
        text = f"{message}\n"
        self.transport.write(
            f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\n"
            f"Connection: close\r\n\r\n{text}".encode()
        )
        self.transport.close()

    # Writing.

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(self._bounds.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()

    def _stop_timers(self) -> None:
        self._stop_reading_timer()
        if self._write_timer is not None:
            self._write_timer.cancel()

    def _stop_reading_timer(self) -> None:
        self._coming = None
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None
