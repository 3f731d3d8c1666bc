"""What one task waits for at a socket. asyncio's own are made for many, and ten thousand sockets have four of them."""

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Flag:
    """Raised or not, as `asyncio.Event`."""

    __slots__ = ("_raised", "_waiter")

    def __init__(self) -> None:
        self._raised = False
        self._waiter: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        """Whether it is raised."""
        return self._raised

    def set(self) -> None:
        """Raise it: whoever waits goes on."""
        self._raised = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        self._waiter = None

    def clear(self) -> None:
        """Lower it."""
        self._raised = False

    async def wait(self) -> None:
        """Until it is raised; one waits at a time."""
        while not self._raised:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter


class Inbox(Generic[T]):
    """What has come and wasn't taken yet, first come first, as `asyncio.Queue`."""

    __slots__ = ("_items", "_some")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._some = Flag()

    def empty(self) -> bool:
        """Whether nothing is there."""
        return not self._items

    def qsize(self) -> int:
        """How many are there."""
        return len(self._items)

    def put_nowait(self, item: T) -> None:
        """Add something."""
        self._items.append(item)
        self._some.set()

    def get_nowait(self) -> T:
        """The next, which must be there."""
        item = self._items.pop(0)
        if not self._items:
            self._some.clear()
        return item

    async def get(self) -> T:
        """The next, when it is there; one waits at a time."""
        await self._some.wait()
        return self.get_nowait()
