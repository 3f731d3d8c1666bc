"""Limits of a connection, in time and size, and of the number of connections."""

import logging
from asyncio import AbstractEventLoop, TimerHandle, Transport
from collections import Counter
from typing import Any

import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct

from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.core.json_logs import RequestIds
from cardhouse.server.core.visitors import Proxies, counted_as, networks_of
from cardhouse.server.process.handoff import Siblings
from cardhouse.server.transport.fair_queue import Turns
from cardhouse.server.wire.protocol import FRAME_BYTES

MOST_CONNECTIONS, PER_ADDRESS = 12_000, 100
"""The limit of a server's open connections, and the default limit of one address (`--connections`)."""
_ANY = 1_000_000
"""No limit on frames per second, which the application sets; only on those read in one turn of the loop."""
log = logging.getLogger("cardhouse.server")


def crowd(connections: int) -> float:
    """Return by how much an address may do more that may have so many connections: a crowd behind one router."""
    return max(1.0, connections / PER_ADDRESS)


class Bounds(Struct, frozen=True, kw_only=True):
    """The limits of one connection.

    `head_seconds` is for the head of a request or a socket's handshake; `body_seconds` for a body, of which at least
    `pace_bytes` must arrive every `pace_seconds`; `idle_seconds` for the pause between two requests. A client that
    reads nothing for `stalled_seconds`, or doesn't close within `closing_seconds`, is cut off, as is one that sends
    more than `bytes_after_close` after the server closed the socket.

    A message may have at most `fragments` parts; `control_rate` and `control_burst` limit frames that end no message
    (pings, pongs, parts), per second and at once.

    `request_rate` and `request_burst` limit the requests of one address that are started, per second and at once, where
    each `request_bytes` of content count as one; further ones wait.

    `refusal_rate` and `refusal_burst` limit the excess connections that get a reason, per second and at once; the
    others are cut off without one.
    """

    per_address: int = PER_ADDRESS
    connections: int = MOST_CONNECTIONS
    head_seconds: float = 10.0
    body_seconds: float = 300.0
    pace_seconds: float = 10.0
    pace_bytes: int = 10_000
    idle_seconds: int = 5
    stalled_seconds: float = 60.0
    closing_seconds: float = 10.0
    message_bytes: int = 2 * FRAME_BYTES
    bytes_after_close: int = 262_144
    fragments: int = 100
    control_rate: float = 5.0
    control_burst: int = 100
    request_rate: float = 50.0
    request_burst: int = 200
    request_bytes: int = 65_536
    refusal_rate: float = 10.0
    refusal_burst: int = 50


class Config(uvicorn.Config):
    """The web server's configuration and the limits of its protocols; `siblings` if it is one of several processes."""

    def __init__(
        self, app: ASGIApp, bounds: Bounds, proxies: Proxies, siblings: Siblings | None = None, **more: Any
    ) -> None:
        super().__init__(
            app,
            ws_max_size=bounds.message_bytes,
            timeout_keep_alive=bounds.idle_seconds,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=[str(network) for network in proxies],
            **more,
        )
        self.bounds = bounds
        self.siblings = siblings
        self.connections = Connections(bounds, proxies)
        self._proxies = proxies

    def load(self) -> None:
        """Load the application."""
        super().load()
        self.loaded_app: Any = RequestIds(self.loaded_app, self._proxies)


class Connections:
    """The open connections: their number in total, per address other than a proxy's, and per network."""

    def __init__(self, bounds: Bounds, proxies: Proxies) -> None:
        self._bounds = bounds
        self._proxies = proxies
        self.turns = Turns(bounds.request_rate, bounds.request_burst)
        self.frame_turns = Turns(_ANY, _ANY)
        self._refusals = TokenBucket(bounds.refusal_rate, bounds.refusal_burst)
        self._open: dict[Transport, str] = {}
        self._of_address: Counter[str] = Counter()
        self._closing: set[Transport] = set()
        self._sweep_timer: TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def address_of(self, host: str) -> str:
        """Return the address that a host's connections count for; empty for a proxy, which forwards others."""
        return "" if host in self._proxies else counted_as(host)

    def add(self, transport: Transport, address: str, loop: AbstractEventLoop) -> bool:
        """Count a new connection; return False, not counting it, if there are too many."""
        if self._is_full() or self._has_all(address):
            return False
        self._open[transport] = address
        self._of_address.update(who for who, _ in _counted(address))
        if self._sweep_timer is None:
            self._sweep_timer = loop.call_later(self._bounds.closing_seconds, self._sweep, loop)
        return True

    def why_not(self, address: str) -> str:
        """Return the reason for a refusal, and log it; empty if the connection is to be cut off without one.

        To answer every one of many repeated connections would cost more than serving them.
        """
        if not self._refusals.take():
            return ""
        if self._is_full():
            log.warning("Refusing connections beyond %d", len(self._open))
            return "The server is full. Try again in a minute."
        log.warning("An address has %d connections and asked for more", self._bounds.per_address)
        return f"Your address has reached its limit of {self._bounds.per_address} connections."

    def _is_full(self) -> bool:
        return len(self._open) >= self._bounds.connections

    def _has_all(self, address: str) -> bool:
        return any(self._of_address[who] >= times * self._bounds.per_address for who, times in _counted(address))

    def remove(self, transport: Transport) -> None:
        """Stop counting a connection, if it was counted."""
        address = self._open.pop(transport, None)
        self._closing.discard(transport)
        for who, _ in _counted(address or ""):
            self._of_address[who] -= 1
            if not self._of_address[who]:
                del self._of_address[who]

    def _sweep(self, loop: AbstractEventLoop) -> None:
        """Cut off connections that the server closed some time ago but whose clients haven't read the rest."""
        for transport in self._closing:
            transport.abort()
        self.turns.forget()
        self.frame_turns.forget()
        self._closing = {transport for transport in self._open if transport.is_closing()}
        again = bool(self._open)
        self._sweep_timer = loop.call_later(self._bounds.closing_seconds, self._sweep, loop) if again else None


def _counted(address: str) -> tuple[tuple[str, int], ...]:
    """Return the units a connection counts for, each with its multiple of one address's limit; none for a proxy."""
    return ((address, 1), *networks_of(address)) if address else ()
