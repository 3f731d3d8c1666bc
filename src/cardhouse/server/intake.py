"""Takes what is said at a table: it is checked, the rules apply it, and it is saved. Nothing is told of it here."""

from collections.abc import Callable

from cardhouse.engine import CardhouseError, Entry, NeedsHistory, NeedsLinks, Table
from cardhouse.engine.transcript import Line
from cardhouse.engine.witness import fixed
from cardhouse.server.cached_table import CachedTable
from cardhouse.server.devices import Devices
from cardhouse.server.leased_record import LeasedRecord
from cardhouse.server.loading import settle
from cardhouse.server.quotas import TableRoom
from cardhouse.server.said import Repeated, Said, say
from cardhouse.server.saver import NotSaved, Saver


class Intake:
    """The way of an answer from somebody's mouth to the disk, at one table, whose lock is held meanwhile.

    `unix_time` tells what time it is, in whole seconds, for rules that ask.
    """

    def __init__(
        self,
        saver: Saver,
        record: LeasedRecord,
        cache: CachedTable,
        devices: Devices,
        unix_time: Callable[[], int],
    ) -> None:
        self._saver = saver
        self._record = record
        self._cache = cache
        self._devices = devices
        self._unix_time = unix_time
        self._room = TableRoom(saver, record.now.id)

    async def take(self, said: Said) -> Entry:
        """Its entry, saved and not told yet.

        Raises CardhouseError if it is refused; Repeated.
        """
        if not self._saver.healthy:
            raise NotSaved
        while True:
            table = await self._cache.playing()
            await self._room.check(table.number, said.answer)
            await self._record.check_link(said.token)
            if (number := self._cache.ids.get(said.id)) is not None:
                raise Repeated(number)
            try:
                entry = await self._apply(table, said)
            except CardhouseError as error:
                self._cache.tell_author(error)
                # Its entry may lie before those that are here, or behind them, saved by another server.
                if table.base or self._saver.store.shared:
                    await self._check_saved(said.id)
                raise
            if await self._cache.append(entry):
                return entry
            self._cache.invalidate()
            await self._check_saved(said.id)

    async def _apply(self, table: Table, said: Said) -> Entry:
        """The game goes on by it.

        Raises CardhouseError if it is refused.
        """
        try:
            entry = say(table, said, self._unix_time())
        except NeedsHistory:
            table = await self._cache.reload_whole()
            entry = say(table, said, self._unix_time())
        except NeedsLinks as needs:
            await settle(self._saver, table)
            links = await self._links(table, needs.line)
            await self._record.check_link(said.token)
            entry = say(table, said, self._unix_time(), links)
        await settle(self._saver, table)
        return entry

    async def _check_saved(self, id: str) -> None:
        """Raises Repeated if an answer with this id has been saved."""
        if number := await self._saver.read(self._saver.store.number_of, self._record.now.id, id):
            raise Repeated(number)

    async def _links(self, table: Table, line: Line) -> list[Line]:
        """What the devices give for an answer that draws, once it can't be another any more."""
        head = table.log_state(table.number).head
        told = fixed(bytes.fromhex(self._record.now.seed), head, line)
        return await self._devices.ask(table.together, line["id"], line["by"], told)
