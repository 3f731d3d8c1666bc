"""Strangers who connect, send nearly nothing, and hold their connections as long as they can."""

import time
from collections.abc import Callable
from socket import socket as Socket  # noqa: N812 (a class)

from benchmarks.attacks.raw import RawSocket, connect
from benchmarks.attacks.target import Prepared, Target, attack

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"
)
PAUSE_SECONDS = 0.5


def hold(target: Target, many: int, begin: Callable[[], Socket]) -> None:
    """Keep this many connections open, each sending a byte now and then; lost ones are replaced."""
    held: list[Socket] = []
    for _ in target.turns():
        while len(held) < many and target.left > 0:
            try:
                held.append(begin())
                target.count("asked")
            except OSError:
                target.count("refused")
                break
        lost = [one for one in held if not is_open(one)]
        target.count("closed", len(lost))
        held = [one for one in held if one not in lost]
        time.sleep(PAUSE_SECONDS)
    target.count("served", len(held))
    for one in held:
        one.close()


def is_open(connection: Socket) -> bool:
    """Send another byte; return whether the connection is open."""
    connection.setblocking(False)
    try:
        connection.send(b"a")
        return bool(connection.recv(1000))
    except BlockingIOError:
        return True
    except OSError:
        return False


def half_of(target: Target, request: bytes) -> Callable[[], Socket]:
    """Return a function that starts a request and doesn't finish it."""

    def begin() -> Socket:
        connection = connect(target.port)
        connection.sendall(request)
        return connection

    return begin


@attack(shared=True)
def half_requests(target: Target) -> Prepared:
    """1,200 requests whose head never ends."""
    yield
    hold(target, 1_200, half_of(target, HALF_HEAD))


@attack()
def half_bodies(target: Target) -> Prepared:
    """300 requests whose body never ends."""
    yield
    hold(target, 300, half_of(target, HALF_BODY))


@attack(shared=True)
def idle_connections(target: Target) -> Prepared:
    """1,200 connections on which nothing is sent."""
    yield
    held: list[Socket] = []
    for _ in target.turns(1_200):
        try:
            held.append(connect(target.port))
            target.count("asked")
        except OSError:
            target.count("refused")
    time.sleep(max(0.0, target.left))
    for one in held:
        one.close()


@attack(shared=True)
def idle_sockets(target: Target) -> Prepared:
    """1,200 WebSockets that never join a table."""
    yield
    held: list[RawSocket] = []
    for _ in target.turns(1_200):
        try:
            held.append(RawSocket(target))
            target.count("asked")
        except OSError:
            target.count("refused")
            time.sleep(0.01)
    time.sleep(max(0.0, target.left))
    for one in held:
        one.close()


@attack()
def comings_and_goings(target: Target) -> Prepared:
    """Connections that are opened and closed at once, by 4 clients."""
    yield

    def work(_: int) -> None:
        for _ in target.turns(20_000):
            try:
                target.count("asked")
                RawSocket(target).close()
                target.count("served")
            except OSError:
                target.count("refused")

    target.at_once(4, work)
