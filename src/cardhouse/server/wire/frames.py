"""A frame on its way to one socket or to many: it is made ready for the wire once, whoever gets it."""

import zlib

from websockets.frames import Opcode

DEFLATE_BITS = 12
"""The size of the window that frames are compressed in, as a power of two of bytes."""
MEMORY_LEVEL = 5
_LEVEL = 3
_SHORT = 1_200
"""So many bytes go in one packet of any network, compressed or not."""
_TEXT, _COMPRESSED = 0x80 | Opcode.TEXT, 0x40
_LONG, _LONGEST = 126, 127
_LENGTH_IN_TWO = 1 << 16
_FLUSHED = b"\0\0\xff\xff"
"""What a flush ends with, and RFC 7692 leaves out."""


class Outgoing:
    """A frame of the protocol as JSON, and how it goes over a socket (RFC 6455), compressed (RFC 7692) and not.

    It is compressed by itself, from nothing that was sent before: so all who are told the same are sent the same bytes,
    and how long they are tells nothing of what other seats were sent.
    """

    __slots__ = ("_compressed", "_plain", "content")

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._plain = self._compressed = b""  # a cached_property takes a lock, up to CPython 3.11

    @property
    def plain(self) -> bytes:
        """A socket's frame with the content as it is."""
        if not self._plain:
            self._plain = _head(_TEXT, len(self.content)) + self.content
        return self._plain

    @property
    def compressed(self) -> bytes:
        """A socket's frame with the content compressed, if that is worth while."""
        if not self._compressed:
            self._compressed = self.plain if len(self.content) < _SHORT else self._packed()
        return self._compressed

    def _packed(self) -> bytes:
        deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -DEFLATE_BITS, MEMORY_LEVEL)
        packed = (deflate.compress(self.content) + deflate.flush(zlib.Z_SYNC_FLUSH)).removesuffix(_FLUSHED)
        return _head(_TEXT | _COMPRESSED, len(packed)) + packed


def _head(first: int, length: int) -> bytes:
    if length < _LONG:
        return bytes((first, length))
    if length < _LENGTH_IN_TWO:
        return bytes((first, _LONG)) + length.to_bytes(2, "big")
    return bytes((first, _LONGEST)) + length.to_bytes(8, "big")
