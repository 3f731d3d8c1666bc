"""The WebSocket endpoint: admits connections and starts their sessions.

It bypasses the framework, which would pass each frame through a dozen of its functions and keep six kilobytes, such as
headers, for each of ten thousand sockets.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import HttpMethod, ScopeType
from litestar.types import Receive, Scope, Send

from cardhouse.engine.values.errors import Code
from cardhouse.server.access.rate_limits import TokenBucket, handed_over
from cardhouse.server.core.shutdown import SENTENCE, Closing
from cardhouse.server.core.visitors import networks_of, visitor_of
from cardhouse.server.socket.session import RESTARTS, TOO_SLOW, Session
from cardhouse.server.transport.origin_check import OriginRefused
from cardhouse.server.transport.websocket import leave_of, write_of
from cardhouse.server.wire.protocol import Error, encode

PATH = "/ws"
FOREIGN = 4403
"""Close code for a socket whose page belongs to another site."""
_SLOWER = "Too many connections at once. Try again in a moment."

_Send = Callable[[Any], Awaitable[None]]


class SeatsSocket:
    """The application: serves the WebSocket (docs/protocol.md) itself and leaves everything else to the framework."""

    def __init__(self, framework: Litestar) -> None:
        self.framework = framework
        self._of_networks: Counter[str] = Counter()
        """Open sockets of each larger IPv6 network."""

    @property
    def state(self) -> State:
        """The state shared by the application."""
        return self.framework.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] == ScopeType.WEBSOCKET and scope["path"] == PATH:
            await self._serve(scope, receive, send)
            return
        if scope["type"] == ScopeType.HTTP and scope["method"] == "HEAD":
            # Handled as GET; the web server omits the body, because its own scope still says HEAD.
            scope = {**scope, "method": HttpMethod.GET}
        await self.framework(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: _Send) -> None:
        await receive()  # the connect event
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        visitor, handed = visitor_of(connection), handed_over(connection)
        if not await self._lets_in(connection, visitor, send, is_known=handed is not None):
            return
        allowance = TokenBucket(self.state["settings"].rate, self.state["settings"].burst)
        if handed is not None:
            allowance.charge(handed.spent)
        write, leave, limits = write_of(scope), leave_of(scope), self.state["limits"]
        scope["headers"], scope["state"] = [], {}
        del connection, handed
        sockets: Counter[str] = self.state["sockets"]
        sockets[visitor] += 1
        self._of_networks.update(network for network, _ in networks_of(visitor))
        try:
            await Session(
                self.state["manager"],
                receive,
                send,
                allowance,
                self.state["settings"].patience,
                lambda kind: limits.take(kind, visitor),
                write,
                leave,
            ).run()
        finally:
            sockets[visitor] -= 1
            if not sockets[visitor]:
                del sockets[visitor]
            for network, _ in networks_of(visitor):
                self._of_networks[network] -= 1
                if not self._of_networks[network]:
                    del self._of_networks[network]

    async def _lets_in(
        self, connection: ASGIConnection[Any, Any, Any, Any], visitor: str, send: _Send, *, is_known: bool
    ) -> bool:
        """Return whether the connection may start a session; otherwise tell the client why not and close."""
        try:
            self.state["origins"].check(connection)
        except OriginRefused as error:
            await _turn_away(send, error.code, error.message, FOREIGN)
            return False
        closing: Closing = self.state["closing"]
        if closing.began:
            await _turn_away(send, "closing", SENTENCE, RESTARTS, str(closing.within))
            return False
        most = self.state["settings"].connections
        has_all = self.state["sockets"][visitor] >= most or any(
            self._of_networks[network] >= times * most for network, times in networks_of(visitor)
        )
        if has_all or not (is_known or self.state["limits"].take("sockets", visitor)):
            await _turn_away(send, "too_many", _SLOWER, TOO_SLOW)
            return False
        return True


async def _turn_away(send: _Send, code: Code, message: str, close_code: int, reason: str = "") -> None:
    """Send the reason and close; the socket was accepted so that its page can read the reason."""
    with suppress(OSError):
        await send({"type": "websocket.send", "text": encode(Error(code, message)).decode()})
        await send({"type": "websocket.close", "code": close_code, "reason": reason})
