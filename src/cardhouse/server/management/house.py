"""The house: all tables, those in memory with people at them, and what concerns more than one of them."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.cluster import lease
from cardhouse.server.cluster.change_feed import ChangeFeed
from cardhouse.server.cluster.leased_record import TableDeleted
from cardhouse.server.cluster.presence import Attendance
from cardhouse.server.cluster.pubsub import AnyWhere, DevicesPresent, Elsewhere
from cardhouse.server.core.clock import Clock
from cardhouse.server.core.compression import packed
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.core.tokens import hash_of, is_table_id, new_code, new_token, typed
from cardhouse.server.jobs.pool import Workers, fair_share
from cardhouse.server.jobs.tasks import roster_of, who_comes_again
from cardhouse.server.management.announcements import Bulletin
from cardhouse.server.management.campaign_archive import write_campaign
from cardhouse.server.management.campaign_view import Campaign, Characters, SavedCharacter, view_campaign
from cardhouse.server.management.fork import FromHere, ask_from, fork
from cardhouse.server.management.retention_job import RetentionJob
from cardhouse.server.persistence.campaign_repository import CampaignRecord
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.persistence.records import DOOR, DOOR_ROW, Row, SeatRecord, TableRecord
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.retention_policy import RetentionPolicy
from cardhouse.server.process.handoff import Siblings
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.factory import BuiltTable, make, new
from cardhouse.server.table.invites import PlayerSeats, SeatTaken, TableOfCode
from cardhouse.server.table.lessons import ContinuedTable, go_on
from cardhouse.server.table.recap import Evenings, may_look
from cardhouse.server.table.replay import Looking, look_back
from cardhouse.server.table.transcript_export import export_deal, export_transcript, transcript_of
from cardhouse.server.table.transcript_import import read_in, rows_of
from cardhouse.server.wire import protocol, requests
from cardhouse.server.wire.protocol import NUMBER
from cardhouse.server.wire.requests import SHORT_BYTES, CodeTyped, ForkWanted, SeatWanted

if TYPE_CHECKING:
    from redis.asyncio import Redis

IDLE_SECONDS = 120.0
"""A table with nobody at it stays in memory so long."""
POLL_SECONDS = 3.0
"""News from other servers that got lost costs so long."""
IMPORT_SECONDS = 30.0
"""The reading of a transcript may take so long."""
LOOKED_AT = ("replay", "evening")
"""What the link for looking back tells, once it is over."""
NOBODY = ""
log = logging.getLogger("cardhouse.server")


class NewTable(msgspec.Struct, frozen=True):
    """A table just made: its id, what was committed to, and the secret of each seat's link.

    The links of the `screen` and the `door` are among them.
    """

    table: str
    commitment: str
    links: dict[str, str]


class House:
    """Where tables are. Made inside the event loop; `close` it there. `clock` tells the time.

    `workers` do what takes long; they are closed with the house. `author` is there if rules are being changed,
    `siblings` if this is one of several processes, which have some of the tables each. `counting` is told of what
    happens.
    `keeping` is how long tables are kept, None for a house that people don't come to.
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
        self._url = store.engine.url.render_as_string(hide_password=False)
        self._evenings = Evenings(self.workers, self._url)
        self.saver = Saver(store, self.counting)
        self.saver.on_trouble = self._on_trouble
        self.saver.on_saved = self._on_saved
        self._tables: dict[str, OpenTable] = {}
        self._opening: dict[str, asyncio.Task[OpenTable]] = {}
        self._news = None if redis is None else ChangeFeed(redis, self._on_news, self._on_devices)
        self._tasks: set[asyncio.Task[None]] = set()
        self._adding: set[asyncio.Future[NewTable]] = set()
        self.on_added: Callable[[int], None] = lambda size: None
        """Called with about how many bytes a new table takes."""
        self._heard: tuple[int, int] | None = None
        """The version of the file at which all tables have heard what there is."""
        self._start(self._tidy())
        self._start(self._poll())
        if store.shared:
            self._start(self._confirm())
        self.bulletin = Bulletin(self.saver, lambda said: self.say_to_all(protocol.HouseSays(said or None)))
        self.attendance = Attendance(self.saver, clock, self._seated)
        if keeping is not None:
            self._start(self.bulletin.run())
            self._start(self.attendance.run())
            self._start(RetentionJob(self.saver, clock, keeping, self.is_used, self.let_go).run())

    async def close(self) -> None:
        """Save what is under way and stop."""
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
        """How many are in memory."""
        return len(self._tables)

    async def table(self, id: str) -> OpenTable:
        """The table of this id, from memory or from the store.

        Raises Gone if there is none; NotSaved if the database doesn't answer; NotHere if another process has it.
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
        """Raises NotHere if another process of this house has the table of this id."""
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
            self.saver, record, self._on_change, self._elsewhere(id), self.clock, workers, refresh, author
        )
        return table

    async def create(self, game: str, seats: Sequence[str], **wanted: Any) -> NewTable:
        """Make a table, as `making.new` is asked to.

        Raises CardhouseError for an unknown game, option, deck, step or bot; NotSaved.
        """
        return await self.add(new(game, list(seats), **wanted))

    async def make(self, visitor: str, body: bytes) -> NewTable:
        """Make a table, as the body of a request asks for it.

        Raises CardhouseError if it is malformed, or for an unknown game, option, deck, step or bot; NotSaved.
        """
        short = len(body) <= SHORT_BYTES
        return await self.add(make(body) if short else await self.workers.run(visitor, make, body))

    async def import_transcript(self, visitor: str, text: bytes) -> NewTable:
        """Make a table that goes on where a transcript ends.

        One that has ended stays as it is, its seed told, for looking at. Otherwise what is drawn from here on comes
        from a new seed, to which no commitment can be made for the whole, so the table has none.
        Raises BadTranscript; NotSaved; CardhouseError if there is too much to do, or this takes too long.
        """
        return await self.add(await self.workers.run(visitor, read_in, text, seconds=IMPORT_SECONDS))

    async def play_on(self, visitor: str, game: str, lesson: str) -> ContinuedTable:
        """Make a table that goes on where a game's lesson ends, or its moment.

        Raises CardhouseError if there is none, or there is too much to do; NotSaved.
        """
        made, about = await self.workers.run(visitor, go_on, game, lesson, seconds=IMPORT_SECONDS)
        new = await self.add(made)
        return ContinuedTable(new.table, new.links, about.you, about.about)

    async def view_campaign(self, visitor: str, record: CampaignRecord) -> Campaign:
        """What a campaign keeps, read by a worker.

        Raises NotSaved.
        """
        return await self.workers.run(visitor, view_campaign, self._url, record)

    async def write_campaign(self, visitor: str, record: CampaignRecord) -> bytes:
        """The file of a campaign, packed.

        Raises NotSaved.
        """
        return await self.workers.run(visitor, packed, write_campaign, self._url, record)

    async def add(self, made: BuiltTable) -> NewTable:
        """Save a table that was made; it is saved whole, even if whoever waits for it is cancelled.

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
        if DOOR not in links:  # where a seat is called so, its own link has the name
            links[DOOR] = new_code()
            records.append(SeatRecord(DOOR_ROW, hash_of(links[DOOR])))
        faces = msgspec.json.encode(made.faces).decode()
        record = TableRecord(made.table, made.header, made.seed, made.odds, 0, records, faces=faces)
        await self.saver.write(self.store.create, record)
        # Nobody has its links yet, so that a long log may go to disk in portions, among the entries of others.
        for portion in made.portions:
            await asyncio.gather(*map(self.saver.append, rows_of(portion)))
        return NewTable(made.table, made.commitment, links)

    async def table_of_code(self, body: bytes) -> TableOfCode:
        """The table that a typed code opens, as the body of a request has it.

        Raises CardhouseError if it opens none; NotSaved.
        """
        code = typed(requests.read(body, CodeTyped).code)
        table = await self.saver.read(self.store.table_of_door, hash_of(code))
        if table is None:
            raise CardhouseError(
                "This code opens no table. Check each letter, or ask the host for the code under Invite.", "old_link"
            )
        return TableOfCode(table)

    async def seats(self, id: str, token: str) -> PlayerSeats:
        """A table's seats, for whoever has the secret of its door.

        Raises CardhouseError if they haven't, or nobody can sit down there any more; NotSaved.
        """
        return await (await self.table(id)).settings.door.seats(token)

    async def take_seat(self, id: str, token: str, body: bytes) -> SeatTaken:
        """Take a free seat, which the body of a request names, for whoever has the secret of the table's door.

        Raises CardhouseError as `seats` does, and if there is no such seat or it isn't free; NotSaved.
        """
        wanted = requests.read(body, SeatWanted)
        return await (await self.table(id)).settings.door.take(token, wanted.seat, wanted.name)

    async def transcript(self, visitor: str, id: str, token: str, upto: int | None = None) -> bytes:
        """A table's transcript, packed, for the game master at any time, for every seat when it has ended.

        With `upto` it ends with that entry. Raises CardhouseError if this link may not have it.
        """
        table = await self._laid_open(id, token, "transcript")
        text = await self.write_transcript(visitor, table, upto)
        await self._confirm_open(table, token, "transcript")
        return text

    async def write_transcript(self, visitor: str, table: OpenTable, upto: int | None = None) -> bytes:
        """A table's transcript, packed, up to an entry or to its end, whoever may have it.

        Raises NotSaved.
        """
        try:
            return await self.workers.run(visitor, packed, export_transcript, self._url, table.record.now, upto)
        except NotSaved:  # a file that has gone can't be opened again, but it is open here
            return await self.saver.read(packed, transcript_of, self.store, table.record.now, upto)

    async def replay(self, visitor: str, id: str, token: str, you: str, after: int) -> bytes:
        """What a seat saw of a table, entry by entry, for whoever may have its transcript: a Replay as JSON, packed.

        Raises CardhouseError if this link may not, or there is no such seat.
        """
        table = await self._laid_open(id, token, "replay")
        looking = Looking(table.record.now, table.about(), table.all_seats(), you, after, table.replays_upto)
        replay = await self.workers.run(visitor, packed, look_back, self._url, looking)
        await self._confirm_open(table, token, "replay")
        return replay

    async def fork(self, visitor: str, id: str, token: str, body: bytes) -> ContinuedTable:
        """Make a table that goes on from a moment of another, for whoever may look back at that.

        Raises CardhouseError if this link may not, or nothing can go on from there; NotSaved.
        """
        wanted = requests.read(body, ForkWanted)
        table = await self._laid_open(id, token, "replay")
        here = FromHere(table.record.now, table.all_seats(), wanted.seat, wanted.at)
        made, sit = await self.workers.run(visitor, fork, self._url, here, wanted.name, seconds=IMPORT_SECONDS)
        await self._confirm_open(table, token, "replay")
        new = await self.add(made)
        return ContinuedTable(new.table, new.links, sit)

    async def lab_from_here(self, visitor: str, id: str, token: str, seat: str, at: int) -> bytes:
        """What the lab can be asked about a moment of a table, for whoever may look back: LabFromHere as JSON, packed.

        Raises CardhouseError if this link may not, or there is no such seat; NotSaved.
        """
        table = await self._laid_open(id, token, "replay")
        here = FromHere(table.record.now, table.all_seats(), seat, at)
        found = await self.workers.run(visitor, packed, ask_from, self._url, here)
        await self._confirm_open(table, token, "replay")
        return found

    async def deal(self, visitor: str, id: str, token: str) -> bytes:
        """How a table was dealt, for every seat when it has ended: a Deal as JSON, packed.

        Raises CardhouseError if it hasn't, or no seed was committed to.
        """
        table = await self._laid_open(id, token, "deal")
        deal = await self.workers.run(visitor, packed, export_deal, self._url, table.record.now)
        await self._confirm_open(table, token, "deal")
        return deal

    async def roster(self, visitor: str, id: str, token: str) -> bytes:
        """A table's roster file, packed, for whoever may have its transcript.

        Raises CardhouseError if this link may not have it, or the game keeps none.
        """
        table = await self._laid_open(id, token, "roster")
        roster = await self.workers.run(
            visitor, packed, roster_of, await table.standing(), table.record.now.faces_chosen
        )
        await self._confirm_open(table, token, "roster")
        return roster

    async def who_comes_again(self, visitor: str, id: str, token: str) -> Characters:
        """Return the characters that go on from a table to the next one.

        Raises CardhouseError if this link may not see the roster.
        """
        table = await self._laid_open(id, token, "roster")
        at = await table.standing()
        answers = await self.workers.run(visitor, who_comes_again, at)
        await self._confirm_open(table, token, "roster")
        seats = {one.seat: one for one in table.record.now.seats}
        kept = [(answer, seats.get(answer.get("controller", GM), seats[GM])) for answer in answers]
        return Characters(
            at.header.options, [SavedCharacter(answer, one.seat, one.name, one.bot) for answer, one in kept]
        )

    async def evening(self, visitor: str, id: str, token: str) -> bytes:
        """What was worth remembering of a table, for whoever may have its transcript: an EveningTold as JSON, packed.

        Raises CardhouseError if this link may not.
        """
        table = await self._laid_open(id, token, "evening")
        told = await self._evenings.of(table.record.now, (await table.standing()).number, visitor)
        await self._confirm_open(table, token, "evening")
        return told

    async def _laid_open(self, id: str, token: str, what: str) -> OpenTable:
        """The table, for whoever may know all there is to know of it.

        Raises CardhouseError, about what was asked for, if this link may not.
        """
        table = await self.table(id)
        await self._check_open(table, token, what)
        return table

    async def _check_open(self, table: OpenTable, token: str, what: str) -> None:
        """Raises CardhouseError unless this link may have what tells everything; also once it has been read.

        For meanwhile somebody may have begun to choose in secret.
        """
        if (whose := await table.whose(await self._who(table, token, what))) is not None:
            raise CardhouseError(f"The {what} tells what is hidden, so it is {whose}.", "not_yours")

    async def _confirm_open(self, table: OpenTable, token: str, what: str) -> None:
        """As `_check_open`, when it has been read, by links that may have been replaced meanwhile."""
        if not (what in LOOKED_AT and may_look(table.record.now, token)):
            await table.record.confirm_link(token)
        await self._check_open(table, token, what)

    async def _who(self, table: OpenTable, token: str, what: str) -> str:
        """The seat whose link has this secret; nobody's for the one by which others look back, where that is asked."""
        if what in LOOKED_AT and may_look(table.record.now, token):
            return NOBODY
        return await table.record.seat_by(token)

    # What concerns all tables.

    def say_to_all(self, frame: protocol.FromServer) -> None:
        """Send the same frame to all who are at any table."""
        for table in self._tables.values():
            table.people.say(frame)

    def _on_trouble(self, healthy: bool) -> None:
        message = None if healthy else NotSaved().message
        if healthy:
            self._start(self._recover())
            return
        self.say_to_all(protocol.Trouble(message))

    async def _recover(self) -> None:
        for table in list(self._tables.values()):
            try:
                await table.recover()
            except TableDeleted:
                self.let_go(table.id)
            except NotSaved:
                return  # in trouble again; it is told when it is over
            table.people.say(protocol.Trouble(None))

    async def _tidy(self) -> None:
        """Forget tables nobody is at."""
        while True:
            await asyncio.sleep(IDLE_SECONDS / 4)
            now = time.monotonic()
            for table in list(self._tables.values()):
                if not table.is_used() and now - table.idle_since > IDLE_SECONDS:
                    table.put_away()
                    del self._tables[table.id]

    def is_used(self, id: str) -> bool:
        """Whether somebody is at this table here."""
        return id in self._tables and self._tables[id].is_used()

    def _seated(self) -> Iterator[tuple[str, list[str]]]:
        for table in self._tables.values():
            yield table.id, [client.seat for client in table.clients]

    def let_go(self, id: str) -> None:
        """A table was deleted: send everybody away from it."""
        if (table := self._tables.pop(id, None)) is not None:
            table.close(TableDeleted())

    # News between servers.

    async def hears_news(self, seconds: float) -> bool | None:
        """Whether Redis answers within so many seconds; None where there are no other servers."""
        return None if self._news is None else await self._news.is_there(seconds)

    def _on_saved(self, rows: Sequence[Row]) -> None:
        if self._news is not None and rows:
            self._news.tell([(row.table, row.number, 0) for row in rows])

    def _on_change(self, id: str) -> None:
        if self._news is not None and id in self._tables:
            self._news.tell([(id, 0, self._tables[id].record.now.changed)])

    def _on_news(self, news: Sequence[tuple[str, int, int]]) -> None:
        latest: dict[str, tuple[int, int]] = {}
        for name, number, changed in news:
            before = latest.get(name, (0, 0))
            latest[name] = max(number, before[0]), max(changed, before[1])
        for name, (number, changed) in latest.items():
            if name in self._tables and self._tables[name].is_behind(number, changed):
                self._start(self._hear(self._tables[name], number, changed))

    def _elsewhere(self, id: str) -> Elsewhere:
        return Elsewhere() if self._news is None else self._news.party.at(id)

    def _on_devices(self, id: str, server: str, said: AnyWhere) -> DevicesPresent | None:
        return self._tables[id].hear_elsewhere(server, said) if id in self._tables else None

    async def refresh(self, tables: Sequence[str]) -> None:
        """Read the links of these tables again, of which some have been replaced, and send those away who had them."""
        for table in [self._tables[one] for one in tables if one in self._tables]:
            await self._hear(table, 0, NUMBER)

    async def _hear(self, table: OpenTable, number: int, changed: int) -> None:
        try:
            await table.hear(number, changed)
        except TableDeleted:
            self.let_go(table.id)
        except NotSaved:
            self._heard = None  # the next poll finds it, though nothing may have changed since

    async def _confirm(self) -> None:
        """Confirm the links of all tables with people at them, so that hardly anything has to wait for it."""
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
                    self._start(self._hear(table, 0, NUMBER))

    async def _poll(self) -> None:
        """Ask the database itself, in case news got lost or somebody deleted a table."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            # Where nobody else writes but commands, those that nobody is at have no other way to hear of them.
            ids = [table.id for table in self._tables.values() if table.clients or not self.store.shared]
            try:
                version = None if self.store.shared else await self.saver.write(self.store.version)
                if version is not None and version == self._heard:
                    continue
                found = await self.saver.read(self.store.news, ids) if ids else {}
            except NotSaved:
                continue
            self._heard = version
            self._on_news([(name, *counts) for name, counts in found.items()])
            for name in set(ids) - set(found):
                if name in self._tables:
                    await self._hear(self._tables[name], 0, NUMBER)  # deleted, as it will find
