"""How long and how large what comes over one connection may be, and how many connections there may be."""

import logging
from asyncio import AbstractEventLoop, TimerHandle, Transport
from collections import Counter
from typing import Any

import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct

from cardhouse.server.access.rate_limits import Allowance
from cardhouse.server.core.json_logs import RequestIds
from cardhouse.server.core.visitors import Proxies, counted_as, networks_of
from cardhouse.server.process.handoff import Siblings
from cardhouse.server.transport.fair_queue import Turns
from cardhouse.server.wire.protocol import FRAME_BYTES

MOST_CONNECTIONS, PER_ADDRESS = 12_000, 100
_ANY = 1_000_000
"""How many frames may be read a second is for the application to say; here, only how many in a turn of the loop."""
log = logging.getLogger("cardhouse.server")


class Bounds(Struct, frozen=True, kw_only=True):
    """What one connection is given.

    `head_seconds` is how long the head of a request, or a socket's handshake, may take; `body_seconds` how long a body,
    of which at least `pace_bytes` come in `pace_seconds`; `idle_seconds` how long a connection is kept between two
    requests. Who takes in nothing for `stalled_seconds`, or doesn't hang up within `closing_seconds`, is cut off.
    Who goes on sending when we closed the socket is, too, after `bytes_after_close`.
    `fragments` is how many parts a message may come in; `control_rate` and `control_burst` how many frames that end no
    message (pings, pongs, parts) may come a second and at once.
    `request_rate` and `request_burst` are how many requests of one address are begun a second and at once, where
    `request_bytes` of what comes count as one; those above wait.
    `refusal_rate` and `refusal_burst` are how many connections that are too many are told so, a second and at once; the
    others are cut off without a word.
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
    """How the web server is run, and what bounds its protocols keep to, with `siblings` as one of several."""

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
    """Those that are open: how many in all, and of each address that isn't a proxy's, and of its networks."""

    def __init__(self, bounds: Bounds, proxies: Proxies) -> None:
        self._bounds = bounds
        self._proxies = proxies
        self.turns = Turns(bounds.request_rate, bounds.request_burst)
        self.frame_turns = Turns(_ANY, _ANY)
        self._refusals = Allowance(bounds.refusal_rate, bounds.refusal_burst)
        self._open: dict[Transport, str] = {}
        self._of_address: Counter[str] = Counter()
        self._closing: set[Transport] = set()
        self._sweep_timer: TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def address_of(self, host: str) -> str:
        """Whom a host's connections count for; empty if it is a proxy, which asks for others."""
        return "" if host in self._proxies else counted_as(host)

    def add(self, transport: Transport, address: str, loop: AbstractEventLoop) -> bool:
        """Count one of an address in; False if there are too many."""
        if self._is_full() or self._has_all(address):
            return False
        self._open[transport] = address
        self._of_address.update(who for who, _ in _counted(address))
        if self._sweep_timer is None:
            self._sweep_timer = loop.call_later(self._bounds.closing_seconds, self._sweep, loop)
        return True

    def why_not(self, address: str) -> str:
        """The sentence for one that was not counted in, and the log; empty if it is to be cut off without a word.

        To tell all of many that come at once, again and again, would cost more than to serve them.
        """
        if not self._refusals.take():
            return ""
        if self._is_full():
            log.warning("Refusing connections beyond %d", len(self._open))
            return "The server is full. Try again in a minute."
        log.warning("An address has %d connections and asked for more", self._bounds.per_address)
        return f"Your address has {self._bounds.per_address} connections already; no more are let in."

    def _is_full(self) -> bool:
        return len(self._open) >= self._bounds.connections

    def _has_all(self, address: str) -> bool:
        return any(self._of_address[who] >= times * self._bounds.per_address for who, times in _counted(address))

    def remove(self, transport: Transport) -> None:
        """Count one out, if it was counted in."""
        address = self._open.pop(transport, None)
        self._closing.discard(transport)
        for who, _ in _counted(address or ""):
            self._of_address[who] -= 1
            if not self._of_address[who]:
                del self._of_address[who]

    def _sweep(self, loop: AbstractEventLoop) -> None:
        """Cut those off that we hung up on some time ago, and who never took in the rest."""
        for transport in self._closing:
            transport.abort()
        self.turns.forget()
        self.frame_turns.forget()
        self._closing = {transport for transport in self._open if transport.is_closing()}
        again = bool(self._open)
        self._sweep_timer = loop.call_later(self._bounds.closing_seconds, self._sweep, loop) if again else None


def _counted(address: str) -> tuple[tuple[str, int], ...]:
    """Whom a connection counts for, each with a multiple of the limit of one address; nobody for a proxy's."""
    return ((address, 1), *networks_of(address)) if address else ()
