"""One open table: answers are applied one at a time, saved, and only then broadcast."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from cardhouse.engine import (
    GM,
    HOUSE,
    SCREEN,
    TOGETHER,
    BadGame,
    CardhouseError,
    Entry,
    Header,
    Over,
    Refused,
    Table,
)
from cardhouse.server.cluster.leased_record import LeasedRecord
from cardhouse.server.cluster.pubsub import AnyTableMessage, DevicesPresent, ReactionSent, TableChannel
from cardhouse.server.core.clock import Clock
from cardhouse.server.core.tokens import hash_of, new_token
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.queue import ODDS
from cardhouse.server.jobs.tasks import TableState, table_state
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.table.activity import Activity
from cardhouse.server.table.broadcaster import Broadcaster, Client
from cardhouse.server.table.cache import CachedTable
from cardhouse.server.table.commands import Command, DuplicateCommand, check_may_answer
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.devices import Devices
from cardhouse.server.table.encounters import Brought, Encounter, freely_named, lines_of
from cardhouse.server.table.handler import CommandHandler
from cardhouse.server.table.initial_state import about, seated, settings_of, welcome
from cardhouse.server.table.loader import settle
from cardhouse.server.table.odds import OddsSender
from cardhouse.server.table.parts import TableParts
from cardhouse.server.table.portraits import TablePortraits
from cardhouse.server.table.presence import Presence
from cardhouse.server.table.queries import TableQueries
from cardhouse.server.table.reactions import Reactions
from cardhouse.server.table.scheduler import END, Due, Scheduler, asked_once
from cardhouse.server.table.settings import TableSettings
from cardhouse.server.wire import protocol
from cardhouse.server.wire.protocol import encode

log = logging.getLogger("cardhouse.server")


class OpenTable:
    """A table in memory with its clients.

    Hold `_lock` to read or change the game, so that nobody sees unsaved changes.
    """

    def __init__(
        self,
        saver: Saver,
        record: TableRecord,
        on_change: Callable[[str], None],
        elsewhere: TableChannel,
        clock: Clock,
        workers: Workers,
        refresh: Callable[[Sequence[str]], Awaitable[None]],
        author: Author | None = None,
    ) -> None:
        self.id = record.id
        self.saver = saver
        self.record = LeasedRecord(saver, record, self._record_changed, lambda: on_change(record.id))
        self.people = Broadcaster()
        self.activity = Activity(saver, self.record, clock)
        self.devices = Devices(self._next_round, elsewhere)
        self.idle_since = time.monotonic()
        self._lock = asyncio.Lock()
        self._cache = CachedTable(saver, self.record, lambda: bool(self.clients), self._loaded, author)
        parts = TableParts(saver=saver, record=self.record, lock=self._lock, cache=self._cache, seated=self._seated)
        self._handler = CommandHandler(parts, self.devices, lambda: int(clock.time()))
        self.reactions = Reactions(self.people, elsewhere, lambda: self._cache.table, self._check_client)
        self.presence = Presence(lambda: self.clients, self._seated)
        self._clock = clock
        self._workers = workers
        self._scheduler = Scheduler(
            record.id, self._bots, self._is_alone, lambda: self.record.now.ends_at, self._apply_due, clock, workers
        )
        self.settings = TableSettings(parts, clock, self._check_client, refresh)
        self.portraits = TablePortraits(parts)
        self.queries = TableQueries(parts)
        self.odds = OddsSender(parts, workers, lambda: self.clients)

    @property
    def clients(self) -> set[Client]:
        """The connected clients."""
        return self.people.clients

    @property
    def deals_together(self) -> bool:
        """Whether devices contribute randomness to the deals."""
        return self._cache.table is not None and self._cache.table.header.deal == TOGETHER

    @property
    def game(self) -> str:
        """The name of the table's game."""
        return self._cache.header.game

    def is_used(self) -> bool:
        """Return whether the table has clients or work in progress."""
        return bool(self.clients) or self._lock.locked()

    async def _loaded(self, table: Table) -> None:
        """Handle that the table was loaded from the database, for the first time or again."""
        self._broadcast_pending(table)
        if self._cache.told is None and self.deals_together:
            await self.devices.open()
        self._cache.told = table.number
        self._wake_scheduler()

    def _broadcast_pending(self, table: Table) -> None:
        """Broadcast the entries saved since the last broadcast."""
        if self._cache.told is not None and table.number > self._cache.told:
            self.people.tell(table, table.entries[self._cache.told - table.base :])
            self._after_entry()

    # Joining and leaving.

    async def keep(self, client: Client) -> None:
        """Cancel the table's announced deletion for a client.

        Raises CardhouseError for the table screen; NotSaved.
        """
        await self._check_client(client)
        await self.activity.keep(client.seat)

    async def _check_client(self, client: Client) -> None:
        """Raises CardhouseError if this client's link has been replaced; NotSaved if that is unknown."""
        await self.record.check_link(client.token)

    async def sit(self, client: Client, frame: protocol.Sit) -> None:
        """Let a client join with a seat's link.

        Raises CardhouseError if the link isn't one of this table's; NotSaved.
        """
        seat = await self.record.seat_by(frame.token)
        async with self._lock:
            await self._cache.ready()
            await self.record.confirm_link(frame.token)
            client.seat, client.token = seat, hash_of(frame.token)
            now = int(self._clock.time() * 1000)
            client.send(welcome(client, frame.since, self._cache, self.record.now, self.people, now))
            self._wake_scheduler()
        self.activity.opened(seat)
        self.presence.came(client)

    def about(self) -> protocol.About:
        """Return the facts about the table, which must be loaded, that are independent of its game."""
        return about(self._cache, self.record.now)

    @property
    def replays_upto(self) -> int | None:
        """The last entry that the installed rules can replay; None in the usual case that they can replay all."""
        shown = self._cache.shown
        return shown.number if self._cache.read_only and shown is not None else None

    def _seated(self) -> list[protocol.Seated]:
        return seated(self._cache, self.record.now, self.clients)

    def all_seats(self) -> list[str]:
        """Return all seats but the screen, in order; the table must be loaded."""
        return [one.seat for one in self._seated() if one.seat != SCREEN]

    def leave(self, client: Client) -> None:
        """Remove a client."""
        if client in self.clients:
            self.people.leave(client)
            self.devices.leave(client)
            self.idle_since = time.monotonic()
            self.presence.changed()

    def close(self, reason: CardhouseError) -> None:
        """Disconnect all clients, with this reason."""
        self.rest()
        for client in list(self.clients):
            self.people.leave(client)
            client.refuse(reason.code, reason.message)

    # Answering.

    async def answer(self, client: Client, frame: protocol.Answer) -> None:
        """Apply a client's answer and acknowledge it once it is saved, or send its refusal.

        Raises CardhouseError if the answer can't be considered at all.
        """
        began, outcome = time.perf_counter(), "failed"
        try:
            async with self._lock:
                await self._ring_alarm()
                command = Command(client.seat, bytes(frame.answer), frame.id, frame.at, client.token)
                number = await self._answer(command, client)
                if client not in self.clients:  # connected clients get the acknowledgement with the broadcast
                    client.send(protocol.Ack(frame.id, number))
            outcome = "saved"
        except DuplicateCommand as repeated:
            outcome = "repeated"
            client.send(protocol.Ack(frame.id, repeated.number))
        except CardhouseError as error:
            outcome = error.code
            if not isinstance(error, Refused):
                raise
            client.refuse_answer(error, frame.id)
        finally:
            self.saver.counting.answered(self.game, outcome, time.perf_counter() - began)

    async def _answer(self, command: Command, answerer: Client | None = None) -> int:
        """Apply, save and broadcast an answer; return its entry's number.

        Raises CardhouseError if it is refused; DuplicateCommand.
        """
        try:
            entry = await self._handler.take(command)
        except CardhouseError as error:
            if isinstance(error, BadGame):
                log.error("Table %s: %s", self.id, error.message, exc_info=error.__cause__)
            if self._cache.table is not None:
                await settle(self.saver, self._cache.table)
            raise
        except DuplicateCommand:
            await self._cache.ready()
            raise
        except BaseException:
            self._cache.invalidate()
            raise
        await self._confirm_telling()
        self._tell_entry(entry, answerer, command.id)
        self.activity.played()
        if entry.kind == "seat" and answerer is not None:
            await self.settings.link_new_seat(answerer, entry.lines[0]["seat"])
        return entry.number

    async def _next_round(self, last: int) -> int:
        """Return the number of a round that no server has asked for yet, above `last`."""
        return await self.saver.write(self.saver.store.next_round, self.id, last)

    async def take_part(self, client: Client, frame: protocol.Device) -> None:
        """Add a client's device to the shared deal.

        Raises CardhouseError if it is unknown, has no hash chain, or is the table screen's.
        """
        async with self._lock:
            table = await self._cache.playing()
            await self._check_client(client)
            if client.seat == SCREEN:
                raise CardhouseError("The table screen only watches: it takes no part in the deals.", "not_yours")
            number = frame.number
            if number is None:
                self.devices.count_new(client.seat)
                number = await self._add_device(client, frame.anchor)
                table = await self._cache.playing()
            await self.devices.arrive(client, number, frame.anchor, table.together, self._last_round)

    async def _add_device(self, client: Client, anchor: str | None) -> int:
        """Log a new device and return its number.

        Raises CardhouseError if `anchor` is invalid; NotSaved.
        """
        while True:
            table = await self._cache.playing()
            number = self.devices.place_for(client.seat, table.together)
            answer = encode({"device": anchor, "number": number})
            try:
                await self._answer(
                    Command(client.seat, answer, new_token(), table.number, client.token, is_device=True)
                )
            except Refused:  # another server may have logged a device first
                if self.devices.place_for(client.seat, (await self._cache.playing()).together) == number:
                    raise
            else:
                return number

    async def _last_round(self) -> int:
        """Return the last round that any server has asked for."""
        return await self.saver.read(self.saver.store.last_round, self.id)

    def set_pace(self, client: Client, frame: protocol.SetPace) -> None:
        """Set the pause of the bots; for the game master, and for somebody who plays with bots alone.

        Raises CardhouseError for anyone else, and where others would wait with the bots.
        """
        alone = self._is_alone()
        if client.seat == SCREEN or (client.seat != GM and not alone):
            raise CardhouseError("Only the game master can set the bots' pace, except in play alone.", "not_yours")
        if frame.pace == "wait" and not alone:
            raise CardhouseError("Bots can wait for you only in play alone.", "not_yours")
        self._scheduler.set_pace(frame.pace, go=frame.go)

    def _is_alone(self) -> bool:
        """Return whether at most one person plays; of the others, nobody has come or they are bots."""
        people = [one for one in self._seated() if one.seat != SCREEN and not one.bot and (one.name or one.here)]
        return len(people) <= 1

    async def let_bot(self, client: Client, frame: protocol.LetBot) -> None:
        """Let a bot answer once for this client; the answer is logged as the seat's own.

        Raises CardhouseError if the bot has nothing to answer, or another answer comes first.
        """
        async with self._lock:
            await self._ring_alarm()
            table = await self._cache.playing()
            if table.base and frame.bot == HOUSE:
                table = await self._cache.reload_whole()
            await self._check_client(client)
            seen = table.number if frame.at is None else min(frame.at, table.number)
            check_may_answer(client.seat)
            task = asked_once(table, client.seat, frame.bot)
        # bots that play seats must not wait behind these
        answer = await self._workers.run(self.id, task.function, *task.arguments, priority=ODDS)
        if answer is None:
            raise Refused(f"The {frame.bot} bot can't answer this. A person must, or another seat.")
        async with self._lock:
            await self._ring_alarm()
            await self._answer(Command(client.seat, answer, new_token(), seen, client.token))

    async def _confirm_telling(self) -> None:
        """Ensure that a saved entry may be broadcast; if that is unknown, it is broadcast after the next load.

        Raises NotSaved; TableDeleted.
        """
        try:
            await self.record.confirm()
        except CardhouseError:
            self._cache.invalidate()
            raise

    def _tell_entry(self, entry: Entry, answerer: Client | None, id: str) -> None:
        assert self._cache.table is not None
        self._cache.ids[id] = self._cache.told = entry.number
        self.people.tell(self._cache.table, [entry], answerer, id)
        self._after_entry()

    def _after_entry(self) -> None:
        self.odds.table_changed()
        self._wake_scheduler()

    # Actions of the server itself.

    def _bots(self) -> dict[str, str]:
        return {seat.seat: seat.bot for seat in self.record.now.seats if seat.bot}

    def _wake_scheduler(self) -> None:
        """Start the scheduler if something may be due. Without clients, only the announced end is."""
        table = self._cache.table
        if table is None or table.ended:
            return
        if self.record.now.ends_at or (self.clients and (any(self._bots().values()) or table.game.alarm() is not None)):
            self._scheduler.wake()

    async def _apply_due(self, find: Callable[[Table], Due | None]) -> float | None:
        """Apply what `find` returns if it is due; return the seconds until the next action, None for none.

        Raises Refused if it isn't offered; NotSaved.
        """
        async with self._lock:
            table = await self._cache.ready() if self.clients or self.record.now.ends_at else None
            if table is not None and table.base and HOUSE in self._bots().values():
                table = await self._cache.reload_whole()  # the general bot simulates from the beginning
            due = None if table is None else find(table)
            if due is not None and due.ends and due.seconds == 0:
                await self.record.compare()  # the end may have been cancelled at another server
                due = find(table) if table is not None else None
            if table is None or due is None or due.seconds > 0:
                return None if due is None else due.seconds
            await self._apply(table, due)
            return 0

    async def _apply(self, table: Table, due: Due) -> None:
        try:
            await self._answer(Command(due.seat, due.answer, new_token(), table.number))
        except Refused:
            if self._cache.table is table:  # otherwise another server was faster
                raise

    async def _ring_alarm(self) -> None:
        """Apply an expired alarm before anything else, so that late answers find it has rung."""
        table = await self._cache.ready() if self.saver.healthy else None
        due = None if table is None or table.ended else self._scheduler.ring(table)
        if table is not None and due is not None and due.seconds == 0:
            with suppress(Refused):
                await self._apply(table, due)

    async def wait_until_idle(self) -> None:
        """Wait until no work is in progress."""
        async with self._lock:
            pass

    def rest(self) -> None:
        """Stop the server's own actions at this table."""
        self._scheduler.stop()
        self._cache.store_for_author()

    def release(self) -> None:
        """Release the table, which has no clients.

        Its log is freed at once: table and helpers form a reference cycle, and the garbage collector runs too rarely.
        """
        self.rest()
        self._cache.clear()

    # Changes at other servers, and database failures.

    def is_behind(self, number: int, changed: int) -> bool:
        """Return whether entry `number`, or change number `changed` of the record, is news here."""
        return changed > self.record.now.changed or (self._cache.told is not None and number > self._cache.told)

    async def catch_up(self, number: int, changed: int) -> None:
        """Catch up after another server saved entry `number`, or made change number `changed` of the record."""
        if changed > self.record.now.changed:
            await self.record.refresh()
        if self._cache.told is None or number <= self._cache.told:
            return
        async with self._lock:
            table = await self._cache.catch_up()
            if table is not None:
                self._broadcast_pending(table)
                self._cache.told = table.number

    def handle_message(self, server: str, message: AnyTableMessage) -> DevicesPresent | None:
        """Handle another server's message that is in no log; return the reply."""
        if isinstance(message, ReactionSent):
            self.reactions.hear(message)
            return None
        return self.devices.handle(server, message)

    async def recover(self) -> None:
        """Reload after a database failure, to see what was saved."""
        async with self._lock:
            self._cache.invalidate()
            await self.record.refresh()
            await self._cache.ready()

    def _record_changed(self, before: TableRecord) -> None:
        """React to changed names, links and settings."""
        record = self.record.now
        self._disconnect_replaced()
        if (settings := settings_of(record)) != settings_of(before):
            self.people.send_to_all(settings)
        if before.odds != record.odds:
            self.odds.update()
        self._wake_scheduler()
        self.presence.confirm()

    def _disconnect_replaced(self) -> None:
        valid = {(seat.seat, token) for seat in self.record.now.seats for token in (seat.token, seat.claimed)}
        for client in self.clients:
            if (client.seat, client.next_token) in valid:
                client.token = client.next_token
        for client in [client for client in self.clients if (client.seat, client.token) not in valid]:
            self.leave(client)
            client.refuse("old_link", "This seat has a new link; ask the game master for it.")

    # Queries.

    async def table_state(self) -> TableState:
        """Return the table's state for a worker; if it is read-only, as far as its log can be replayed.

        Raises CardhouseError if it can't be shown at all.
        """
        async with self._lock:
            await self._cache.ready()
            return table_state(self._cache.shown or await self._cache.playing())

    async def end_now(self) -> None:
        """End the table at once, for the administrator.

        Raises CardhouseError if it has ended, or can't be played on; NotSaved.
        """
        async with self._lock:
            table = await self._cache.playing()
            if table.ended:
                raise CardhouseError("The table has ended already.", "ended")
            await self._answer(Command(GM, END, new_token(), table.number))

    async def finish(self, token: str, *, ends: bool = False) -> tuple[Header, list[str]]:
        """End the table if necessary, for the game master with this link secret; return its header and seats.

        Raises CardhouseError while the game goes on, unless `ends` is set.
        """
        async with self._lock:
            table = await self._cache.playing()
            if not ends and not isinstance(table.question, Over):
                message = "This table isn't over yet. Finish or end it first, then play again."
                raise CardhouseError(message, "not_ended")
            if not table.ended:
                await self._answer(Command(GM, END, new_token(), table.number, hash_of(token)))
            return table.header, table.seats

    async def bring_in(self, encounter: Encounter, *, hidden: bool) -> Brought:
        """Let an encounter's NPCs join, each under an unused name.

        Raises CardhouseError if the table is read-only, or its game has no encounters; NotSaved.
        """
        names: list[str] = []
        problems: list[str] = []
        async with self._lock:
            await self._cache.playing()
            for line in lines_of(self.game, encounter, hidden=hidden):
                table = await self._cache.playing()
                named = freely_named(table, line)
                try:
                    await self._answer(Command(GM, encode(named), new_token(), table.number))
                    names.append(named["name"])
                except Refused as error:
                    problems.append(f"{named['name']}: {error.problem}")
        return Brought(names, list(dict.fromkeys(problems)))

    async def check_open(self, seat: str, content: str, instead: str = "") -> None:
        """Raises CardhouseError if anything is hidden from this seat, so that it may not have everything.

        The message begins with `content`, a clause such as "The roster shows hidden cards", and ends with `instead`.
        """
        async with self._lock:
            await self._cache.ready()
            reason = self._cache.why_closed(seat)
        if reason is not None:
            raise CardhouseError(f"{content}, so {reason}.{instead}", "not_yours")
