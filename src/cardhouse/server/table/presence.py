"""The seat list, sent to all clients of a table when it has changed. Changes are coalesced and rate-limited."""

import asyncio
from collections.abc import Callable, Collection

from cardhouse.server.table.broadcaster import Client
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from cardhouse.server.wire.protocol import encode

TELL_SECONDS = 0.1
"""The shortest interval between two broadcasts, since forty clients that come and go slow other tables down."""


class Presence:
    """Sends the seat list (`seated`) to the table's `clients`, to each only if it differs from the last.

    `pause` is the shortest interval between two broadcasts, in seconds.
    """

    def __init__(self, clients: Callable[[], Collection[Client]], seated: Callable[[], list[protocol.Seated]]) -> None:
        self._clients = clients
        self._seated = seated
        self.pause = TELL_SECONDS
        self._due = False
        self._not_before = 0.0

    def changed(self) -> None:
        """Schedule a broadcast, which includes further changes until then."""
        if not self._due:
            self._due = True
            loop = asyncio.get_running_loop()
            if loop.time() < self._not_before:
                loop.call_at(self._not_before, self._tell)
            else:
                loop.call_soon(self._tell)

    def came(self, client: Client) -> None:
        """Resend the seat list to a new client, confirming its arrival."""
        client.seats = []
        self.changed()

    def confirm(self) -> None:
        """Resend the seat list to all, even if unchanged: a client has set something and waits for confirmation."""
        for client in self._clients():
            client.seats = []
        self.changed()

    def _tell(self) -> None:
        self._due = False
        self._not_before = asyncio.get_running_loop().time() + self.pause
        clients = list(self._clients())  # a copy: sending may disconnect a client that is too far behind
        if not clients:  # the table may not even be loaded
            return
        seats = self._seated()
        frame = Outgoing(encode(protocol.Seats(seats)))
        for client in clients:
            if client.seats != seats:
                client.seats = seats
                client.send_encoded(frame)
