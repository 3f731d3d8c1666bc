"""All tables of a server: those in memory with clients, and operations on stored ones or on several tables."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import SCREEN, CardhouseError
from cardhouse.engine.table.lessons import MOMENT
from cardhouse.engine.values.whole_numbers import LARGEST
from cardhouse.server.cluster import lease
from cardhouse.server.cluster.change_feed import ChangeFeed
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.cluster.presence import ClusterPresence
from cardhouse.server.cluster.pubsub import AnyTableMessage, DevicesPresent, TableChannel
from cardhouse.server.core.clock import Clock
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.core.tokens import clean_code, hash_of, is_table_id, new_code, new_mark, new_token
from cardhouse.server.jobs.pool import Workers, fair_share
from cardhouse.server.management.announcements import Announcements
from cardhouse.server.management.fork import ForkRequest
from cardhouse.server.management.retention_job import RetentionJob
from cardhouse.server.management.table_documents import TableDocuments
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.records import DOOR, DOOR_ROW, Row, SeatRecord, TableRecord
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.retention_policy import RetentionPolicy
from cardhouse.server.process.handoff import Siblings
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.factory import BuiltTable, make, new
from cardhouse.server.table.invites import CodeTyped, PlayerSeats, SeatRequest, SeatTaken, TableOfCode
from cardhouse.server.transcripts.lessons import ContinuedTable, SceneRequest, continue_lesson
from cardhouse.server.transcripts.transcript_import import IMPORT_SECONDS, read_in, rows_of
from cardhouse.server.wire import protocol, requests
from cardhouse.server.wire.requests import SHORT_BYTES

if TYPE_CHECKING:
    from redis.asyncio import Redis

IDLE_SECONDS = 120.0
"""The time a table without clients stays in memory."""
POLL_SECONDS = 3.0
"""The interval of polling, which bounds the delay after a lost message from another server."""
log = logging.getLogger("cardhouse.server")


class NewTable(msgspec.Struct, frozen=True):
    """A new table: its id, its commitment, and the secret of each seat's link.

    The links of the `screen` and the invite (`door`) are included. `mark` is the join code's (`About.door`).
    """

    table: str
    commitment: str
    links: dict[str, str]
    mark: str = ""


class TableManager:
    """The tables of a server. Create and `close` it in the event loop; `clock` is its source of time.

    `workers` run long jobs; they are closed with this. `author` is set while a game is being developed, `siblings` if
    this is one of several processes, each of which has some of the tables. `counting` receives metrics. `keeping` is
    the retention policy, None for a server without visitors.
    """

    def __init__(
        self,
        store: Store,
        redis: "Redis | None" = None,
        clock: Clock = time,
        workers: Workers | None = None,
        author: Author | None = None,
        siblings: Siblings | None = None,
        counting: NullMetrics | None = None,
        keeping: RetentionPolicy | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.author = author
        self._siblings = siblings
        share = fair_share(1 if siblings is None else siblings.count)
        self.counting = counting or NullMetrics()
        self.workers = Workers(share, self.counting) if workers is None else workers
        self.saver = Saver(store, self.counting)
        self.documents = TableDocuments(self.saver, self.workers, self.table)
        self.saver.on_trouble = self._on_trouble
        self.saver.on_saved = self._on_saved
        self._tables: dict[str, OpenTable] = {}
        self._opening: dict[str, asyncio.Task[OpenTable]] = {}
        self._news = None if redis is None else ChangeFeed(redis, self._on_changes, self._on_devices)
        self._tasks: set[asyncio.Task[None]] = set()
        self._adding: set[asyncio.Future[NewTable]] = set()
        self.on_added: Callable[[int], None] = lambda size: None
        """Called with the approximate size in bytes of each new table."""
        self._heard: tuple[int, int] | None = None
        """The database file's version as of the last poll of all tables."""
        self._start(self._drop_idle())
        self._start(self._poll())
        if store.shared:
            self._start(self._confirm())
        self.announcements = Announcements(
            self.saver, lambda message: self.broadcast(protocol.HouseSays(message or None))
        )
        self.cluster_presence = ClusterPresence(self.saver, clock, self._seated)
        if keeping is not None:
            self._start(self.announcements.run())
            self._start(self.cluster_presence.run())
            self._start(RetentionJob(self.saver, clock, keeping, self.is_used, self.let_go).run())

    async def close(self) -> None:
        """Save all pending entries and stop."""
        for task in self._tasks:
            task.cancel()
        for table in self._tables.values():
            table.rest()
        if self._news is not None:
            await self._news.close()
        await self.workers.close()
        if self._adding:
            await asyncio.wait(self._adding)
        await self.saver.close()

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables.

    @property
    def tables_open(self) -> int:
        """The number of tables in memory."""
        return len(self._tables)

    async def table(self, id: str) -> OpenTable:
        """Return the table of this id, from memory or from the store.

        Raises TableDeleted if there is none; NotSaved if the database doesn't answer; WrongWorker if it belongs to
        another process.
        """
        if not is_table_id(id):
            raise TableDeleted
        self.check_here(id)
        if id in self._tables:
            self._tables[id].idle_since = time.monotonic()
            return self._tables[id]
        if id not in self._opening:
            task = asyncio.get_running_loop().create_task(self._open(id))
            self._opening[id] = task
            task.add_done_callback(lambda _: self._opening.pop(id))
        return await asyncio.shield(self._opening[id])

    def check_here(self, id: str) -> None:
        """Raises WrongWorker if another process of this server has the table of this id."""
        if self._siblings is not None and is_table_id(id):
            self._siblings.check(id)

    async def _open(self, id: str) -> OpenTable:
        record = await self.saver.read(self.store.table, id)
        if record is None:
            raise TableDeleted
        if any(seat.bot for seat in record.seats):
            self.workers.warm()  # a bot's pause is short
        workers, refresh, author = self.workers, self.refresh, self.author
        table = self._tables[id] = OpenTable(
            self.saver, record, self._on_change, self._channel(id), self.clock, workers, refresh, author
        )
        return table

    async def create(self, game: str, seats: Sequence[str], **settings: Any) -> NewTable:
        """Create a table with the arguments of `factory.new`.

        Raises CardhouseError for an unknown game, option, deck, step or bot; NotSaved.
        """
        return await self.add(new(game, list(seats), **settings))

    async def make(self, visitor: str, body: bytes) -> NewTable:
        """Create a table from the body of a request.

        Raises CardhouseError if it is malformed, or for an unknown game, option, deck, step or bot; NotSaved.
        """
        short = len(body) <= SHORT_BYTES
        return await self.add(make(body) if short else await self.workers.run(visitor, make, body))

    async def import_transcript(self, visitor: str, text: bytes) -> NewTable:
        """Create a table that goes on where a transcript ends.

        A finished game stays finished, with its seed public, for viewing. Otherwise all further draws come from a new
        seed; since a commitment can't cover both seeds, the table has none. Raises BadTranscript; NotSaved;
        CardhouseError if too many jobs wait or this takes too long.
        """
        return await self.add(await self.workers.run(visitor, read_in, text, seconds=IMPORT_SECONDS))

    async def continue_lesson_table(self, visitor: str, game: str, lesson: str, body: bytes) -> ContinuedTable:
        """Create a table that goes on where a game's lesson ends, or from the scene that the body asks for.

        Raises CardhouseError if there is none, or too many jobs wait; NotSaved.
        """
        wanted = requests.read(body, SceneRequest) if body and lesson == MOMENT else SceneRequest()
        found = await self.workers.run(visitor, continue_lesson, game, lesson, wanted, seconds=IMPORT_SECONDS)
        new = await self.add(found.made)
        return ContinuedTable(new.table, new.links, new.mark, found.you, found.about, found.scene)

    async def fork(self, visitor: str, id: str, token: str, body: bytes) -> ContinuedTable:
        """Create a table that goes on from a position of another; the link must be allowed to replay that.

        Raises CardhouseError if it isn't, or if the game can't go on from there; NotSaved.
        """
        made, seat = await self.documents.fork(visitor, id, token, requests.read(body, ForkRequest))
        new = await self.add(made)
        return ContinuedTable(new.table, new.links, new.mark, seat)

    async def add(self, made: BuiltTable) -> NewTable:
        """Save a new table; it is saved completely even if the caller is cancelled.

        Raises NotSaved.
        """
        adding = asyncio.ensure_future(self._add(made))
        self._adding.add(adding)
        adding.add_done_callback(self._adding.discard)
        return await asyncio.shield(adding)

    async def _add(self, made: BuiltTable) -> NewTable:
        self.on_added(len(made.header) + sum(map(len, made.portions)))
        links = {seat: new_token() for seat in (*made.seats, SCREEN)}
        records = [
            SeatRecord(seat, hash_of(token), made.names.get(seat, ""), made.bots.get(seat, ""))
            for seat, token in links.items()
        ]
        if DOOR not in links:  # a seat with that name has the key for its own link
            links[DOOR] = new_code()
            records.append(SeatRecord(DOOR_ROW, await self.store.codes.hash_of_new(links[DOOR]), mark=new_mark()))
        faces = msgspec.json.encode(made.faces).decode()
        record = TableRecord(made.table, made.header, made.seed, made.odds, 0, records, faces=faces)
        await self.saver.write(self.store.create, record)
        # Nobody has the links yet, so a long log may be saved in portions, between the entries of others.
        for portion in made.portions:
            await asyncio.gather(*map(self.saver.append, rows_of(portion)))
        return NewTable(made.table, made.commitment, links, record.door_mark)

    async def table_of_code(self, body: bytes) -> TableOfCode:
        """Return the table that a join code opens, from the body of a request.

        Raises CardhouseError if it opens none; NotSaved.
        """
        code = clean_code(requests.read(body, CodeTyped).code)
        table = await self.saver.read(self.store.table_of_door, await self.store.codes.hash_of(code))
        if table is None:
            raise CardhouseError(
                "This code opens no table. Check each letter, or ask the host for the code under Invite.", "old_link"
            )
        return TableOfCode(table)

    async def seats(self, id: str, token: str) -> PlayerSeats:
        """Return a table's seats, given the secret of its invite.

        Raises CardhouseError if the secret is wrong, or nobody can join any more; NotSaved.
        """
        return await (await self.table(id)).settings.door.seats(token)

    async def take_seat(self, id: str, token: str, body: bytes) -> SeatTaken:
        """Take the open seat named in the body of a request, given the secret of the table's invite.

        Raises CardhouseError as `seats` does, and if there is no such seat or it isn't open; NotSaved.
        """
        request = requests.read(body, SeatRequest)
        return await (await self.table(id)).settings.door.take(token, request.seat, request.name)

    # All tables.

    def broadcast(self, frame: protocol.FromServer) -> None:
        """Send the same frame to the clients of all tables."""
        for table in self._tables.values():
            table.people.send_to_all(frame)

    def _on_trouble(self, healthy: bool) -> None:
        message = None if healthy else NotSaved().message
        if healthy:
            self._start(self._recover())
            return
        self.broadcast(protocol.Trouble(message))

    async def _recover(self) -> None:
        for table in list(self._tables.values()):
            try:
                await table.recover()
            except TableDeleted:
                self.let_go(table.id)
            except NotSaved:
                return  # saving failed again; clients hear of it when it works
            table.people.send_to_all(protocol.Trouble(None))

    async def _drop_idle(self) -> None:
        """Drop tables without clients from memory."""
        while True:
            await asyncio.sleep(IDLE_SECONDS / 4)
            now = time.monotonic()
            for table in list(self._tables.values()):
                if not table.is_used() and now - table.idle_since > IDLE_SECONDS:
                    table.release()
                    del self._tables[table.id]

    def is_used(self, id: str) -> bool:
        """Return whether a table has clients at this server."""
        return id in self._tables and self._tables[id].is_used()

    def _seated(self) -> Iterator[tuple[str, list[str]]]:
        for table in self._tables.values():
            yield table.id, [client.seat for client in table.clients]

    def let_go(self, id: str) -> None:
        """Disconnect everyone from a deleted table."""
        if (table := self._tables.pop(id, None)) is not None:
            table.close(TableDeleted())

    # Changes at other servers.

    async def is_redis_available(self, seconds: float) -> bool | None:
        """Return whether Redis answers within this many seconds; None if there are no other servers."""
        return None if self._news is None else await self._news.is_there(seconds)

    def _on_saved(self, rows: Sequence[Row]) -> None:
        if self._news is not None and rows:
            self._news.tell([(row.table, row.number, 0) for row in rows])

    def _on_change(self, id: str) -> None:
        if self._news is not None and id in self._tables:
            self._news.tell([(id, 0, self._tables[id].record.now.changed)])

    def _on_changes(self, news: Sequence[tuple[str, int, int]]) -> None:
        latest: dict[str, tuple[int, int]] = {}
        for name, number, changed in news:
            before = latest.get(name, (0, 0))
            latest[name] = max(number, before[0]), max(changed, before[1])
        for name, (number, changed) in latest.items():
            if name in self._tables and self._tables[name].is_behind(number, changed):
                self._start(self._update_table(self._tables[name], number, changed))

    def _channel(self, id: str) -> TableChannel:
        return TableChannel() if self._news is None else self._news.party.at(id)

    def _on_devices(self, id: str, server: str, message: AnyTableMessage) -> DevicesPresent | None:
        return self._tables[id].handle_message(server, message) if id in self._tables else None

    async def refresh(self, tables: Sequence[str]) -> None:
        """Read the links of these tables again, and disconnect clients whose link was replaced."""
        for table in [self._tables[one] for one in tables if one in self._tables]:
            await self._update_table(table, 0, LARGEST)

    async def _update_table(self, table: OpenTable, number: int, changed: int) -> None:
        try:
            await table.catch_up(number, changed)
        except TableDeleted:
            self.let_go(table.id)
        except NotSaved:
            self._heard = None  # make the next poll look, even if the file's version is unchanged

    async def _confirm(self) -> None:
        """Renew the leases of all tables with clients, so that hardly any request has to wait for it."""
        while True:
            await asyncio.sleep(lease.CONFIRM_SECONDS)
            tables = [table for table in self._tables.values() if table.clients]
            try:
                asked_at = lease.now()
                found = await self.saver.confirm(self.store.changed, [one.id for one in tables]) if tables else {}
            except NotSaved:
                continue
            for table in tables:
                if not table.record.renew(found.get(table.id), asked_at):
                    self._start(self._update_table(table, 0, LARGEST))

    async def _poll(self) -> None:
        """Poll the database, in case a message got lost or a command deleted a table."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            # With SQLite only commands write besides this server, and unused tables can learn of that only here.
            ids = [table.id for table in self._tables.values() if table.clients or not self.store.shared]
            try:
                version = None if self.store.shared else await self.saver.write(self.store.version)
                if version is not None and version == self._heard:
                    continue
                found = await self.saver.read(self.store.news, ids) if ids else {}
            except NotSaved:
                continue
            self._heard = version
            self._on_changes([(name, *counts) for name, counts in found.items()])
            for name in set(ids) - set(found):
                if name in self._tables:
                    await self._update_table(self._tables[name], 0, LARGEST)  # deleted, which this will find
