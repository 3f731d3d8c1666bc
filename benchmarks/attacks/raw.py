"""A WebSocket as bytes, to send what no library would."""

import base64
import os
import socket
import zlib
from collections import Counter
from contextlib import suppress

from benchmarks.attacks.target import Target
from benchmarks.attacks.web import ATTACKER

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
FIN, DEFLATED = 0x80, 0x40


def frame(opcode: int, payload: bytes = b"", *, end: bool = True, deflated: bool = False) -> bytes:
    """Return a frame as bytes, masked with zeros; `end` if it is the last of its message."""
    if deflated:
        compress = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
        payload = (compress.compress(payload) + compress.flush(zlib.Z_SYNC_FLUSH))[:-4]
    length = len(payload)
    first = opcode | (FIN if end else 0) | (DEFLATED if deflated else 0)
    if length < 126:
        head = bytes((first, 0x80 | length))
    elif length < 65536:
        head = bytes((first, 0xFE)) + length.to_bytes(2, "big")
    else:
        head = bytes((first, 0xFF)) + length.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


def connect(port: int, source: str = ATTACKER, timeout: float = 5.0) -> socket.socket:
    """Open a TCP connection from an address."""
    return socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0))


class RawSocket:
    """A socket that hasn't joined a table. Raises OSError if the server has closed the connection.

    Frames are compressed in both directions, unless `plain`.
    """

    def __init__(self, target: Target, *, plain: bool = False) -> None:
        self.socket = connect(target.port, timeout=max(0.5, target.left))
        self.buffer = bytearray()
        key = base64.b64encode(os.urandom(16)).decode()
        extension = "" if plain else "Sec-WebSocket-Extensions: permessage-deflate\r\n"
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"{extension}\r\n".encode()
        )
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        if not self.buffer.startswith(b"HTTP/1.1 101"):
            raise ConnectionRefusedError(bytes(self.buffer[:100]))
        del self.buffer[: self.buffer.index(b"\r\n\r\n") + 4]

    def wait(self, seconds: float = 1.0) -> Counter[int]:
        """Wait briefly for data; return the number of frames received, by opcode."""
        self.socket.settimeout(seconds)
        with suppress(TimeoutError):
            self._receive()
        return self._frames()

    def _receive(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError
        self.buffer += data

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def heard(self) -> Counter[int]:
        """Return the number of frames received so far, by opcode."""
        timeout = self.socket.gettimeout()
        self.socket.setblocking(False)
        try:
            while True:
                self._receive()
        except BlockingIOError:
            return self._frames()
        finally:
            self.socket.settimeout(timeout)

    def _frames(self) -> Counter[int]:
        found: Counter[int] = Counter()
        start, buffer = 0, self.buffer
        while len(buffer) - start >= 2:
            length, head = buffer[start + 1], 2
            if length == 126:
                length, head = int.from_bytes(buffer[start + 2 : start + 4].ljust(2, b"\xff"), "big"), 4
            if len(buffer) - start < head + length:
                break
            found[buffer[start] & 0x0F] += 1
            start += head + length
        del buffer[:start]
        return found

    def close(self) -> None:
        self.socket.close()
