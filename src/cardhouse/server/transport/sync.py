"""An event and a queue for a single waiter, smaller than asyncio's: ten thousand sockets have four of them each."""

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class LightEvent:
    """An `asyncio.Event` for one waiter."""

    __slots__ = ("_raised", "_waiter")

    def __init__(self) -> None:
        self._raised = False
        self._waiter: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        """Return whether the flag is set."""
        return self._raised

    def set(self) -> None:
        """Set the flag and wake the waiter."""
        self._raised = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        self._waiter = None

    def clear(self) -> None:
        """Reset the flag."""
        self._raised = False

    async def wait(self) -> None:
        """Wait until the flag is set; only one task may wait."""
        while not self._raised:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter


class LightQueue(Generic[T]):
    """An `asyncio.Queue` for one reader."""

    __slots__ = ("_items", "_some")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._some = LightEvent()

    def empty(self) -> bool:
        """Return whether the queue is empty."""
        return not self._items

    def qsize(self) -> int:
        """Return the number of queued items."""
        return len(self._items)

    def put_nowait(self, item: T) -> None:
        """Add an item."""
        self._items.append(item)
        self._some.set()

    def get_nowait(self) -> T:
        """Return and remove the first item; there must be one."""
        item = self._items.pop(0)
        if not self._items:
            self._some.clear()
        return item

    async def get(self) -> T:
        """Wait for an item, then return and remove it; only one task may wait."""
        await self._some.wait()
        return self.get_nowait()
