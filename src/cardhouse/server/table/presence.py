"""Who is there: told to all at a table when it has changed. Changes are coalesced, and telling has a rate limit."""

import asyncio
from collections.abc import Callable, Collection

from cardhouse.server.table.broadcaster import Client
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from cardhouse.server.wire.protocol import encode

TELL_SECONDS = 0.1
"""The rate limit: it is told so often at most. Forty who hear of all that come and go take time off other tables."""


class Presence:
    """Tells the `clients` of a table who is `seated`, each only what it has not been told already.

    Between two times that it is told lie `pause` seconds at least.
    """

    def __init__(self, clients: Callable[[], Collection[Client]], seated: Callable[[], list[protocol.Seated]]) -> None:
        self._clients = clients
        self._seated = seated
        self.pause = TELL_SECONDS
        self._due = False
        self._not_before = 0.0

    def changed(self) -> None:
        """Tell it soon; whatever else changes until then is coalesced with it."""
        if not self._due:
            self._due = True
            loop = asyncio.get_running_loop()
            if loop.time() < self._not_before:
                loop.call_at(self._not_before, self._tell)
            else:
                loop.call_soon(self._tell)

    def came(self, client: Client) -> None:
        """One more is there, and is told what it was told with the table once more, if only to know that it is."""
        client.seats = []
        self.changed()

    def confirm(self) -> None:
        """Tell all, even if nothing has changed: somebody set something, and waits to hear that it is so."""
        for client in self._clients():
            client.seats = []
        self.changed()

    def _tell(self) -> None:
        self._due = False
        self._not_before = asyncio.get_running_loop().time() + self.pause
        clients = list(self._clients())  # one that is too far behind leaves over it
        if not clients:  # the table may not even be loaded
            return
        seats = self._seated()
        frame = Outgoing(encode(protocol.Seats(seats)))
        for client in clients:
            if client.seats != seats:
                client.seats = seats
                client.send(frame)
