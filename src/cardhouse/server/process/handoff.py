"""The processes of one house on one machine: whose a table is, and what they say to each other.

Each table belongs to one of them, by its id, so that all who are at it are in one process whatever connection they came
by. Whoever comes to another one is handed over: the connection itself, as a file descriptor, and what was read of it go
to the table's own process, which goes on as if they had come there. So nothing of what is played is passed on.
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
"""A longer message goes as a file, since the system bounds how much one may have."""
MESSAGES_AT_ONCE = 16
"""So many messages are read in one turn of the event loop."""
MOST_WAITING = 1000
"""So many messages wait for a process that is busy, or is being started again; with those above one hangs up."""
CONNECTION, HANDED = "cardhouse.connection", "cardhouse.handed"
"""What the state of an ASGI scope has: the connection, which can be handed over; as what it was, if it was."""
_FILED = b"f"
log = logging.getLogger("cardhouse.server")


class Handed(Struct, array_like=True, frozen=True, tag=True):
    """A connection: a request that wasn't answered, all that was read of it.

    Of a socket it is the handshake, which was answered, and `frames` are those that came behind it and are to be read;
    `spent` is how many of those that it may send at once have been used up.
    """

    request: bytes
    frames: bytes | None = None
    spent: int = 0


class Charged(Struct, array_like=True, frozen=True, tag=True):
    """A visitor has done something of which there is only so much."""

    kind: str
    visitor: str
    count: int = 1


class NotHere(Exception):
    """The table, or the lab, is another process's, that of this `place`."""

    def __init__(self, place: int) -> None:
        super().__init__(f"process {place} has it")
        self.place = place


class Lines(NamedTuple):
    """How a process hears of its siblings, and they of it; `outlets` lead to all of them, its own included."""

    place: int
    inbox: Socket
    outlets: Sequence[Socket]


def lines_between(count: int) -> list[Lines]:
    """The ways between so many processes, for whoever starts them; what is in an inbox outlives its reader."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
    outlets = [outlet for outlet, _ in pairs]
    return [Lines(place, inbox, outlets) for place, (_, inbox) in enumerate(pairs)]


Accept = Callable[[Handed, Socket], Awaitable[None]]


class Siblings:
    """The processes of this house, seen from one of them. Everything here belongs to its event loop."""

    def __init__(self, lines: Lines) -> None:
        self.place = lines.place
        self.count = len(lines.outlets)
        self.on_charged: Callable[[str, str, int], object] = lambda kind, visitor, count: None
        self._inbox = lines.inbox
        self._others = {place: _Outlet(to) for place, to in enumerate(lines.outlets) if place != lines.place}
        self._decode = msgspec.msgpack.Decoder(Handed | Charged).decode
        self._encode = msgspec.msgpack.Encoder().encode
        self._accept: Accept | None = None
        self._accepting: set[asyncio.Task[None]] = set()

    def begin(self, accept: Accept) -> None:
        """Listen to the others; `accept` goes on with a connection that is handed over."""
        self._accept = accept
        self._inbox.setblocking(False)
        asyncio.get_running_loop().add_reader(self._inbox.fileno(), self._read)

    def close(self) -> None:
        """Say and hear nothing more."""
        if self._accept is not None:
            asyncio.get_running_loop().remove_reader(self._inbox.fileno())
            self._accept = None
        for outlet in self._others.values():
            outlet.close()

    # Whose it is.

    @property
    def is_first(self) -> bool:
        """Whether this one does what a house does once, as the lab's studies."""
        return self.place == 0

    def check(self, table: str) -> None:
        """Raises NotHere unless the table of this id, which must be one, belongs to this process."""
        place = kin_of(table) % self.count
        if place != self.place:
            raise NotHere(place)

    # What is said.

    def hand_over(self, place: int, file: int, handed: Handed) -> None:
        """Have another process go on with the connection of this file descriptor, which may be closed here then."""
        data, files = self._encode(handed), [os.dup(file)]
        if len(data) > INLINE_BYTES:
            with TemporaryFile() as long:
                long.write(data)
                long.flush()
                files.append(os.dup(long.fileno()))
            data = _FILED
        self._others[place].put(data, files)

    def tell_charged(self, kind: str, visitor: str, count: int) -> None:
        """Let all others count what a visitor has done here."""
        data = self._encode(Charged(kind, visitor, count))
        for outlet in self._others.values():
            outlet.put(data)

    # What is heard.

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
            self._hear(self._decode(data), files)

    def _hear(self, message: Handed | Charged, files: list[int]) -> None:
        if isinstance(message, Charged):
            self.on_charged(message.kind, message.visitor, message.count)
            return
        assert self._accept is not None
        connection = Socket(fileno=files[0])
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(_unless_gone(self._accept(message, connection), connection))
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)


async def _unless_gone(accepting: Awaitable[None], connection: Socket) -> None:
    try:
        await accepting
    except OSError:  # it has gone meanwhile
        connection.close()


class _Outlet:
    """The way to another process; what it can't take in yet waits."""

    def __init__(self, to: Socket) -> None:
        self._to = to
        self._to.setblocking(False)
        self._waiting: deque[tuple[bytes, list[int]]] = deque()
        self._waits = False

    def put(self, data: bytes, files: Sequence[int] = ()) -> None:
        """Send a message with file descriptors, which are closed here then."""
        if len(self._waiting) >= MOST_WAITING:
            _close(files)
            if files:
                log.warning("A server process doesn't accept connections; they are closed")
            return
        self._waiting.append((data, list(files)))
        if not self._waits:
            self._send()

    def close(self) -> None:
        """Send nothing more."""
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
