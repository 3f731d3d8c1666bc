"""Long responses, compressed where they are created, to keep that work off the event loop."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

_LEVEL = 4
"""Hardly larger than at higher levels, in half the time."""
_CHUNK = 65_536


def run_and_gzip(function: Callable[..., Any], *args: Any) -> bytes:
    """Call a function and return its result gzipped: bytes as they are, anything else as JSON."""
    result = function(*args)
    return gzipped(result if isinstance(result, bytes) else msgspec.json.encode(result))


def gzipped(content: bytes) -> bytes:
    """Return the content, gzipped."""
    return gzip.compress(content, _LEVEL, mtime=0)


def gunzip_chunks(content: bytes) -> Iterator[bytes]:
    """Yield the content of `gzipped`, in chunks."""
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    while not unpacking.eof:
        yield unpacking.decompress(content, _CHUNK)
        content = unpacking.unconsumed_tail
