"""What whoever runs the house says to all, from when it is said until it is taken back."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import select, update

from cardhouse.server.persistence import schema
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.repository import Store

LOOK_SECONDS = 3.0
"""What was said at another server, or by a command, is told after so long."""


class Bulletin:
    """The `message` as it is now, empty for none. `tell` is called with it when it has changed."""

    def __init__(self, saver: Saver, tell: Callable[[str], None]) -> None:
        self.message = ""
        self._saver = saver
        self._tell = tell

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            with suppress(NotSaved):  # what was said stands
                self._heard(await self._saver.read(said, self._saver.store))
            await asyncio.sleep(LOOK_SECONDS)

    async def say(self, message: str) -> None:
        """Say something to all, in place of what was said; nothing takes it back.

        Raises NotSaved.
        """
        await self._saver.write(say, self._saver.store, message)
        self._heard(message)

    def _heard(self, message: str) -> None:
        if message != self.message:
            self.message = message
            self._tell(message)


def said(store: Store) -> str:
    """What is said to all; empty for nothing."""
    with store.engine.connect() as connection:
        return connection.scalar(select(schema.house.c.message)) or ""


def say(store: Store, message: str) -> None:
    """Say it to all, at every server."""
    with store.changing() as connection:
        connection.execute(update(schema.house).values(message=message))
