"""Strangers with sockets that haven't joined: frames that are too large, too many, or never end."""

import time
from collections.abc import Callable

from benchmarks.attacks.raw import BINARY, CONTINUATION, PING, PONG, TEXT, RawSocket, frame
from benchmarks.attacks.target import Prepared, Target, attack

LARGE = b"x" * 1_000_000
"""994 bytes on the wire."""
SMALL = b"x" * 16_000
ONE_CHUNK = 8_000
MOST_CONNECTIONS = 10_000
RETRY_SECONDS = 0.05


def each_connection(target: Target, sockets: int, use: Callable[[RawSocket], None], *, plain: bool = False) -> None:
    """Keep this many sockets open, each used until the server or the time ends it, and then replaced."""

    def work(_: int) -> None:
        for _ in target.turns(MOST_CONNECTIONS):
            try:
                socket = RawSocket(target, plain=plain)
                try:
                    use(socket)
                finally:
                    socket.close()
            except TimeoutError:
                return
            except OSError:
                target.count("closed")
                time.sleep(RETRY_SECONDS)

    target.at_once(sockets, work)


def send_on(target: Target, sockets: int, data: bytes, frames: int = 1, *, listen: bool = True) -> None:
    """Send the same data, of this many frames, on this many sockets as fast as possible."""

    def use(socket: RawSocket) -> None:
        for _ in target.turns():
            socket.send(data)
            target.count("asked", frames)
            if listen:
                heard = socket.heard()
                target.count("refused", heard[TEXT])  # without a seat, every text frame is an error
                target.count("served", heard[PONG])

    each_connection(target, sockets, use)


@attack(shared=True)
def large_frames_2(target: Target) -> Prepared:
    """A megabyte of one letter in a kilobyte on the wire, repeatedly, over 2 sockets."""
    yield
    send_on(target, 2, frame(TEXT, LARGE, deflated=True))


@attack()
def large_frames_4(target: Target) -> Prepared:
    """A megabyte of one letter in a kilobyte on the wire, repeatedly, over 4 sockets."""
    yield
    send_on(target, 4, frame(TEXT, LARGE, deflated=True))


@attack()
def binary_frames(target: Target) -> Prepared:
    """A megabyte of one byte in a binary frame, repeatedly, over 2 sockets."""
    yield
    send_on(target, 2, frame(BINARY, LARGE, deflated=True))


@attack()
def small_frames(target: Target) -> Prepared:
    """8,000 compressed frames of 16 kB in one chunk, repeatedly, over 2 sockets."""
    chunk = frame(TEXT, SMALL, deflated=True) * ONE_CHUNK
    yield
    send_on(target, 2, chunk, ONE_CHUNK)


@attack()
def endless_messages(target: Target) -> Prepared:
    """200 messages that grow to a megabyte each and never end."""
    begun = frame(TEXT, LARGE, end=False, deflated=True)
    more = frame(CONTINUATION, end=False)
    yield

    def use(socket: RawSocket) -> None:
        socket.send(begun)
        target.count("asked")
        for _ in target.turns():
            time.sleep(0.5)
            socket.send(more)
            socket.heard()

    each_connection(target, 200, use)


@attack()
def empty_fragments(target: Target) -> Prepared:
    """A message of empty fragments that never ends, as fast as possible, over 2 sockets."""
    chunk = frame(TEXT, end=False) + frame(CONTINUATION, end=False) * 10_000
    yield

    def use(socket: RawSocket) -> None:
        socket.send(chunk)
        for _ in target.turns():
            socket.send(chunk[6:])
            target.count("asked", 10_000)
            socket.heard()

    each_connection(target, 2, use)


@attack()
def pings(target: Target) -> Prepared:
    """Pings as fast as possible, over 2 sockets."""
    yield
    send_on(target, 2, frame(PING, b"x" * 125) * 500, 500)


@attack()
def pings_unread(target: Target) -> Prepared:
    """Pings as fast as possible, over 2 sockets that read no pong."""
    yield
    send_on(target, 2, frame(PING, b"x" * 125) * 500, 500, listen=False)
