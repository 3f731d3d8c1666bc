"""A frame for one socket or many: encoded once for all its recipients."""

import zlib

from websockets.frames import Opcode

DEFLATE_BITS = 12
"""The window of frame compression, as a power of two in bytes."""
MEMORY_LEVEL = 5
_LEVEL = 3
_SHORT = 1_200
"""A message up to this many bytes fits one packet of any network, compressed or not."""
_TEXT, _COMPRESSED = 0x80 | Opcode.TEXT, 0x40
_LONG, _LONGEST = 126, 127
_LENGTH_IN_TWO = 1 << 16
_FLUSHED = b"\0\0\xff\xff"
"""The end of a flushed deflate block, which RFC 7692 leaves out."""


class Outgoing:
    """A JSON frame of the protocol, encoded for a socket (RFC 6455), both compressed (RFC 7692) and plain.

    Each frame is compressed independently of earlier ones. So all recipients of a frame get the same bytes, and its
    length reveals nothing about frames sent to other seats.
    """

    __slots__ = ("_compressed", "_plain", "content")

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._plain = self._compressed = b""  # not a cached_property, which takes a lock up to CPython 3.11

    @property
    def plain(self) -> bytes:
        """The socket frame, uncompressed."""
        if not self._plain:
            self._plain = _head(_TEXT, len(self.content)) + self.content
        return self._plain

    @property
    def compressed(self) -> bytes:
        """The socket frame, compressed if that is worth while."""
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
