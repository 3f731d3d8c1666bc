"""Handing connections over between the worker processes of a server on one machine.

Each table belongs to one worker, by its id, so all its clients are in one process. A connection that reaches another
worker is handed over: its file descriptor, with everything read from it so far, goes to the table's worker, which
continues as if the client had connected there. So no messages of play pass between workers.
"""

import asyncio
import logging
import os
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from socket import socket as Socket  # noqa: N812 (a class)
from tempfile import TemporaryFile
from typing import NamedTuple

import msgspec
from msgspec import Struct

from cardhouse.server.core.tokens import kin_of

INLINE_BYTES = 32_768
"""Longer messages are passed as a file, because the system limits the size of a datagram."""
MESSAGES_AT_ONCE = 16
"""Messages read in one iteration of the event loop."""
MOST_WAITING = 1000
"""How many messages wait for a worker that is busy or restarting; further connections are closed."""
CONNECTION, HANDED_OVER = "cardhouse.connection", "cardhouse.handed"
"""Keys in the state of an ASGI scope: the connection, which can be handed over, and what was handed over to it."""
_FILED = b"f"
log = logging.getLogger("cardhouse.server")


class HandedOverConnection(Struct, array_like=True, frozen=True, tag=True):
    """A connection with an unanswered request; `request` is everything read of it.

    For a WebSocket, `request` is the handshake, which was answered, and `frames` are the unread frames after it;
    `spent` is how much of its frame burst was used.
    """

    request: bytes
    frames: bytes | None = None
    spent: int = 0


class Charged(Struct, array_like=True, frozen=True, tag=True):
    """A visitor has used up part of a rate limit."""

    kind: str
    visitor: str
    count: int = 1


class WrongWorker(Exception):
    """The table, or the lab, belongs to the worker `place`."""

    def __init__(self, place: int) -> None:
        super().__init__(f"process {place} has it")
        self.place = place


class Lines(NamedTuple):
    """A worker's channels: its inbox, and outlets to all workers, its own included."""

    place: int
    inbox: Socket
    outlets: Sequence[Socket]


def create_channels(count: int) -> list[Lines]:
    """Create the channels between `count` workers. Unread messages in an inbox survive its reader."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
    outlets = [outlet for outlet, _ in pairs]
    return [Lines(place, inbox, outlets) for place, (_, inbox) in enumerate(pairs)]


Accept = Callable[[HandedOverConnection, Socket], Awaitable[None]]


class Siblings:
    """The other workers of this server, seen from one of them. Call everything here in its event loop."""

    def __init__(self, lines: Lines) -> None:
        self.place = lines.place
        self.count = len(lines.outlets)
        self.on_charged: Callable[[str, str, int], object] = lambda kind, visitor, count: None
        self._inbox = lines.inbox
        self._others = {place: _Outlet(to) for place, to in enumerate(lines.outlets) if place != lines.place}
        self._decode = msgspec.msgpack.Decoder(HandedOverConnection | Charged).decode
        self._encode = msgspec.msgpack.Encoder().encode
        self._accept: Accept | None = None
        self._accepting: set[asyncio.Task[None]] = set()

    def begin(self, accept: Accept) -> None:
        """Start reading messages; `accept` continues a connection that was handed over."""
        self._accept = accept
        self._inbox.setblocking(False)
        asyncio.get_running_loop().add_reader(self._inbox.fileno(), self._read)

    def close(self) -> None:
        """Stop sending and reading."""
        if self._accept is not None:
            asyncio.get_running_loop().remove_reader(self._inbox.fileno())
            self._accept = None
        for outlet in self._others.values():
            outlet.close()

    # Ownership.

    @property
    def is_first(self) -> bool:
        """Whether this worker does what a server does only once, such as the lab's studies."""
        return self.place == 0

    def check(self, table: str) -> None:
        """Raises WrongWorker unless this worker has the table. `table` must be a table id."""
        place = kin_of(table) % self.count
        if place != self.place:
            raise WrongWorker(place)

    # Sending.

    def hand_over(self, place: int, file: int, handed: HandedOverConnection) -> None:
        """Hand the connection of this file descriptor to another worker; the caller may then close the descriptor."""
        data, files = self._encode(handed), [os.dup(file)]
        if len(data) > INLINE_BYTES:
            with TemporaryFile() as long:
                long.write(data)
                long.flush()
                files.append(os.dup(long.fileno()))
            data = _FILED
        self._others[place].put(data, files)

    def share_charge(self, kind: str, visitor: str, count: int) -> None:
        """Make all other workers count what a visitor has used here."""
        data = self._encode(Charged(kind, visitor, count))
        for outlet in self._others.values():
            outlet.put(data)

    # Receiving.

    def _read(self) -> None:
        for _ in range(MESSAGES_AT_ONCE):
            try:
                data, files, _, _ = socket.recv_fds(self._inbox, 2 * INLINE_BYTES, 2)
            except BlockingIOError:
                return
            for file in files:
                os.set_inheritable(file, False)
            if data == _FILED:
                with os.fdopen(files.pop(), "rb") as long:
                    long.seek(0)
                    data = long.read()
            self._handle(self._decode(data), files)

    def _handle(self, message: HandedOverConnection | Charged, files: list[int]) -> None:
        if isinstance(message, Charged):
            self.on_charged(message.kind, message.visitor, message.count)
            return
        assert self._accept is not None
        connection = Socket(fileno=files[0])
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(_until_gone(self._accept(message, connection), connection))
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)


async def _until_gone(accepting: Awaitable[None], connection: Socket) -> None:
    try:
        await accepting
    except OSError:  # the client has gone meanwhile
        connection.close()


class _Outlet:
    """The channel to another worker; messages that it can't accept yet wait."""

    def __init__(self, to: Socket) -> None:
        self._to = to
        self._to.setblocking(False)
        self._waiting: deque[tuple[bytes, list[int]]] = deque()
        self._waits = False

    def put(self, data: bytes, files: Sequence[int] = ()) -> None:
        """Send a message with file descriptors, which are then closed here."""
        if len(self._waiting) >= MOST_WAITING:
            _close(files)
            if files:
                log.warning("A server process doesn't accept connections; they are closed")
            return
        self._waiting.append((data, list(files)))
        if not self._waits:
            self._send()

    def close(self) -> None:
        """Stop sending."""
        self._wait(False)
        while self._waiting:
            _close(self._waiting.popleft()[1])

    def _send(self) -> None:
        while self._waiting:
            data, files = self._waiting[0]
            try:
                socket.send_fds(self._to, [data], files) if files else self._to.send(data)
            except BlockingIOError:
                self._wait(True)
                return
            except OSError as error:
                log.warning("Could not pass a message to another server process: %s", error)
            self._waiting.popleft()
            _close(files)
        self._wait(False)

    def _wait(self, waits: bool) -> None:
        if waits == self._waits:
            return
        self._waits = waits
        loop = asyncio.get_running_loop()
        if waits:
            loop.add_writer(self._to.fileno(), self._send)
        else:
            loop.remove_writer(self._to.fileno())


def _close(files: Sequence[int]) -> None:
    for file in files:
        with suppress(OSError):
            os.close(file)
