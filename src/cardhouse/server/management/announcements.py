"""The administrator's announcement to everyone, shown until it is removed."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import select, update

from cardhouse.server.persistence import schema
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.repository import Store

LOOK_SECONDS = 3.0
"""The delay of an announcement made at another server or by a command."""


class Announcements:
    """The current `message`, empty for none. `tell` gets it when it changes."""

    def __init__(self, saver: Saver, tell: Callable[[str], None]) -> None:
        self.message = ""
        self._saver = saver
        self._tell = tell

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            with suppress(NotSaved):  # keep the current message
                self._heard(await self._saver.read(said, self._saver.store))
            await asyncio.sleep(LOOK_SECONDS)

    async def say(self, message: str) -> None:
        """Replace the announcement; an empty message removes it.

        Raises NotSaved.
        """
        await self._saver.write(say, self._saver.store, message)
        self._heard(message)

    def _heard(self, message: str) -> None:
        if message != self.message:
            self.message = message
            self._tell(message)


def said(store: Store) -> str:
    """Return the announcement; empty for none."""
    with store.engine.connect() as connection:
        return connection.scalar(select(schema.house.c.message)) or ""


def say(store: Store, message: str) -> None:
    """Store the announcement, for all servers."""
    with store.changing() as connection:
        connection.execute(update(schema.house).values(message=message))
