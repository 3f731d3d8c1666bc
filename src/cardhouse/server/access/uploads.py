"""Turns of large uploads, so that few of them are in memory at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

from litestar import Request

from cardhouse.engine import CardhouseError
from cardhouse.server.core.visitors import widest_network

AT_ONCE = 4
"""The uploads of all visitors that are read and worked on at once, one of each visitor."""
READ_SECONDS = 30.0
"""The time for the body of an upload, once its turn has come."""


class Uploads:
    """The uploads in work: `most` at once, one of each visitor. The others wait, and stay unread with their senders."""

    def __init__(self, most: int = AT_ONCE) -> None:
        self._all = asyncio.Semaphore(most)
        self._of: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """Wait for this visitor's turn, which lasts until the end of the block."""
        network = widest_network(visitor)
        own = self._of.get(network)
        if own is None:
            own = self._of[network] = asyncio.Lock()
        async with own, self._all:
            yield


async def read_body(request: Request[Any, Any, Any], seconds: float = READ_SECONDS) -> bytes:
    """Return the body of an upload. Raises CardhouseError if it comes too slowly."""
    try:
        async with asyncio.timeout(seconds):
            return await request.body()
    except TimeoutError:
        raise CardhouseError(f"This file took longer than {seconds:g} seconds to arrive. Send a smaller one.") from None
