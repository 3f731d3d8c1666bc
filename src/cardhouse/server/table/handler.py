"""Checks and applies commands at a table, and saves their entries; it broadcasts nothing."""

from collections.abc import Callable, Sequence

from cardhouse.engine import GM, CardhouseError, Entry, NeedsHistory, NeedsLinks, Table
from cardhouse.engine.table.hash_chain import digest_of, fixed
from cardhouse.engine.values.transcript import Line, read_object
from cardhouse.server.access.quotas import TableRoom
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.table.commands import Command, DuplicateCommand, apply, check_same
from cardhouse.server.table.devices import Devices
from cardhouse.server.table.loader import settle
from cardhouse.server.table.parts import TableParts


class CommandHandler:
    """Handles the answers at one table; hold the table's lock.

    `unix_time` returns the time in whole seconds, for rules that use it.
    """

    def __init__(self, parts: TableParts, devices: Devices, unix_time: Callable[[], int]) -> None:
        self._saver, self._record, self._cache = parts.saver, parts.record, parts.cache
        self._devices = devices
        self._unix_time = unix_time
        self._room = TableRoom(parts.saver, parts.record.now.id)

    async def take(self, command: Command) -> Entry:
        """Apply and save an answer; return its entry, which still has to be broadcast.

        Raises CardhouseError if it is refused; DuplicateCommand.
        """
        if not self._saver.healthy:
            raise NotSaved
        while True:
            table = await self._cache.playing()
            await self._room.check(table.number, command.answer)
            await self._record.check_link(command.token)
            if command.id in self._cache.ids:
                await self._check_saved(table, command)
            try:
                entry = await self._apply(table, command)
            except CardhouseError as error:
                self._cache.report_to_author(error)
                # Its entry may be earlier than those in memory, or newer and saved by another server.
                if table.base or self._saver.store.shared:
                    await self._check_saved(table, command)
                raise
            if await self._cache.append(entry):
                return entry
            self._cache.invalidate()
            await self._check_saved(table, command)

    async def _apply(self, table: Table, command: Command) -> Entry:
        """Apply the answer to the game.

        Raises CardhouseError if it is refused.
        """
        now = self._unix_time()  # once, so that the devices' links can't change the time that the rules read
        try:
            entry = self._say(table, command, now)
        except NeedsHistory:
            table = await self._cache.reload_whole()
            entry = self._say(table, command, now)
        except NeedsLinks as needs:
            await settle(self._saver, table)
            links = await self._links(table, needs.lines)
            await self._record.check_link(command.token)
            entry = self._say(table, command, now, links)
        await settle(self._saver, table)
        return entry

    def _say(self, table: Table, command: Command, now: int, links: Sequence[Line] = ()) -> Entry:
        hosted = not any(seat.seat == GM and seat.bot for seat in self._record.now.seats)
        return apply(table, command, now, links, hosted=hosted)

    async def _check_saved(self, table: Table, command: Command) -> None:
        """Raises DuplicateCommand if this answer was saved before; Refused if another answer was saved with its id."""
        number = self._cache.ids.get(command.id, 0)
        if number > table.base:
            line = table.entries[number - table.base - 1].lines[0]
        elif found := await self._saver.read(self._saver.store.entry_with_id, self._record.now.id, command.id):
            number, line = found[0], read_object(found[1].split("\n", 1)[0])
        else:
            return
        check_same(table, command, line)
        raise DuplicateCommand(number)

    async def _links(self, table: Table, lines: list[Line]) -> list[Line]:
        """Return the devices' links for an answer that draws; `lines` are its own and the chance before the draw."""
        line, head, seed = lines[0], table.log_state(table.number).head, bytes.fromhex(self._record.now.seed)
        return await self._devices.ask(
            table.together, digest_of(line["id"]), line["by"], lambda expected: fixed(seed, head, lines, expected)
        )
