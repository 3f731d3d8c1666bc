"""The change feed: tells other servers through Redis what was saved. Messages may get lost, so servers also poll."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.server.cluster.pubsub import AnyTableMessage, Bus, DevicesPresent
from cardhouse.server.core.tokens import new_token

if TYPE_CHECKING:
    from redis.asyncio import Redis

CHANNEL = "cardhouse"
RETRY_SECONDS = 1.0
_BACKLOG = 1000
log = logging.getLogger("cardhouse.server")

Item = tuple[str, int, int]
"""A table, the number of its last entry, and its count of changes (0 for either: nothing new)."""


class Message(msgspec.Struct, array_like=True, frozen=True):
    """A message on the channel; `sender` identifies a server's own messages, which it ignores."""

    sender: str
    items: list[Item]


def redis_at(url: str) -> "Redis":
    """Return a client for the Redis at this URL, not yet connected.

    Raises CardhouseError if the URL is invalid.
    """
    try:
        from redis.asyncio import Redis
    except ImportError:
        raise CardhouseError("Redis needs another package: pip install 'cardhouse[postgres]'.") from None
    try:
        return Redis.from_url(url, socket_connect_timeout=5, health_check_interval=10)
    except ValueError as error:
        raise CardhouseError(f'"{url}" isn\'t a Redis URL: {error}.') from None


class ChangeFeed:
    """The connection to the other servers of one database. `hear` is called with their changes.

    It connects in the background, and reconnects when needed.
    """

    def __init__(
        self,
        redis: "Redis",
        hear: Callable[[Sequence[Item]], None],
        hear_of_devices: Callable[[str, str, AnyTableMessage], DevicesPresent | None],
        channel: str = CHANNEL,
    ) -> None:
        self._redis = redis
        self._hear = hear
        self._channel = channel
        self.party = Bus(self._publish_of_devices, hear_of_devices)
        self._me = new_token()
        self._decode = msgspec.json.Decoder(Message).decode
        self._due: asyncio.Queue[Item] = asyncio.Queue(_BACKLOG)
        self._away = False
        self._errors = _errors()
        self._tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]

    def tell(self, items: Sequence[Item]) -> None:
        """Publish changes, at once if Redis is available."""
        for item in items:
            if not self._due.full():
                self._due.put_nowait(item)

    async def _publish_of_devices(self, data: bytes) -> int:
        try:
            heard: int = await self._redis.publish(f"{self._channel} devices", data)
        except self._errors:
            return 0  # the other loop reports the failure
        return heard

    async def is_there(self, seconds: float) -> bool:
        """Return whether Redis answers within this many seconds."""
        try:
            await asyncio.wait_for(self._redis.ping(), seconds)
        except TimeoutError:
            return False
        except self._errors:
            return False
        return True

    async def close(self) -> None:
        """Close the connection."""
        await self.party.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _speak(self) -> None:
        while True:
            items = {(await self._due.get()): None}
            while not self._due.empty():
                items[self._due.get_nowait()] = None
            try:
                await self._redis.publish(self._channel, msgspec.json.encode(Message(self._me, list(items))))
            except self._errors as error:
                await self._try_again(error)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await pubsub.subscribe(self._channel, f"{self._channel} devices")
                    self._away = False
                    async for message in pubsub.listen():
                        read = self._read if message["channel"] == self._channel.encode() else self.party.read
                        read(message["data"])
            except self._errors as error:
                await self._try_again(error)

    async def _try_again(self, error: Exception) -> None:
        if not self._away:
            self._away = True
            log.warning("Redis can't be reached, so news from other servers takes some seconds: %s", error)
        await asyncio.sleep(RETRY_SECONDS)

    def _read(self, data: bytes) -> None:
        try:
            message = self._decode(data)
        except msgspec.DecodeError:
            return  # not ours
        if message.sender != self._me:
            self._hear(message.items)


def _errors() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError  # the package may be missing where it isn't used

    return RedisError, OSError
