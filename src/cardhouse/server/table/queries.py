"""Clients' queries about their table, for data that isn't sent with every change."""

from cardhouse.engine import GM, SCREEN, NeedsHistory
from cardhouse.server.table.broadcaster import STORY, Client, story_before
from cardhouse.server.table.parts import TableParts
from cardhouse.server.wire import protocol


class TableQueries:
    """Answers what the clients of an open table ask.

    Each query raises CardhouseError if the client's link has been replaced; NotSaved if that is unknown.
    """

    def __init__(self, parts: TableParts) -> None:
        self._lock, self._cache, self._record = parts.lock, parts.cache, parts.record

    async def offers(self, client: Client) -> None:
        """Send a client all its offers."""
        async with self._lock:
            table = await self._cache.ready()
            await self._record.check_link(client.token)
            if table is None:
                client.send(protocol.OffersNow(self._cache.number, []))
            else:
                found = [] if client.seat == SCREEN else table.offers(client.seat, anytime=True)
                client.send(protocol.OffersNow(table.number, found))

    async def editable(self, client: Client) -> None:
        """Send the game master's client all values that can be edited by hand."""
        async with self._lock:
            table = await self._cache.ready()
            await self._record.check_link(client.token)
            found = [] if table is None else [protocol.Editable(**one) for one in table.editable(client.seat)]
            client.send(protocol.EditableNow(self._cache.number if table is None else table.number, found))

    async def undo_count(self, client: Client, entry: int) -> None:
        """Send the game master's client the number of moves that an undo from `entry` on takes back."""
        async with self._lock:
            table = await self._cache.ready()
            count = 0
            if table is not None and client.seat == GM:
                try:
                    count = table.moves_to_undo_from(entry)
                except NeedsHistory:
                    table = await self._cache.reload_whole()
                    count = table.moves_to_undo_from(entry)
            await self._record.check_link(client.token)
            client.send(protocol.UndoCountNow(self._cache.number if table is None else table.number, entry, count))

    async def story(self, client: Client, before: int) -> None:
        """Send a client the log before an entry."""
        async with self._lock:
            table = await self._cache.ready()
            if table is None:
                await self._record.check_link(client.token)
                shown = self._cache.shown
                page, more = ([], False) if shown is None else story_before(shown, client.seat, before)
                client.send(protocol.StoryBefore(page, more and bool(page)))
                return
            if table.base and before - STORY <= table.base:
                table = await self._cache.reload_whole()
            await self._record.check_link(client.token)
            page, more = story_before(table, client.seat, before)
            client.send(protocol.StoryBefore(page, more))
