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
    """The current `message`, empty for none. `on_change` gets it when it changes."""

    def __init__(self, saver: Saver, on_change: Callable[[str], None]) -> None:
        self.message = ""
        self._saver = saver
        self._on_change = on_change

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            with suppress(NotSaved):  # keep the current message
                self._update(await self._saver.read(read_announcement, self._saver.store))
            await asyncio.sleep(LOOK_SECONDS)

    async def announce(self, message: str) -> None:
        """Replace the announcement; an empty message removes it.

        Raises NotSaved.
        """
        await self._saver.write(store_announcement, self._saver.store, message)
        self._update(message)

    def _update(self, message: str) -> None:
        if message != self.message:
            self.message = message
            self._on_change(message)


def read_announcement(store: Store) -> str:
    """Return the announcement; empty for none."""
    with store.engine.connect() as connection:
        return connection.scalar(select(schema.house.c.message)) or ""


def store_announcement(store: Store, message: str) -> None:
    """Store the announcement, for all servers."""
    with store.changing() as connection:
        connection.execute(update(schema.house).values(message=message))
