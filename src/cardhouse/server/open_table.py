"""One open table: its answers are taken one after the other, saved, and only then told."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import IntegrityError

from cardhouse.engine import (
    GM,
    SCREEN,
    TOGETHER,
    BadTranscript,
    CardhouseError,
    Entry,
    NeedsHistory,
    NeedsLinks,
    Over,
    Refused,
    Table,
    find_game,
)
from cardhouse.engine.transcript import Line
from cardhouse.engine.witness import fixed
from cardhouse.server import frames
from cardhouse.server.devices import Devices
from cardhouse.server.elsewhere import Elsewhere
from cardhouse.server.frames import encode
from cardhouse.server.leased_record import LeasedRecord
from cardhouse.server.loading import EntriesMissing, hash_of, load, replay, settle
from cardhouse.server.odds import OddsTeller
from cardhouse.server.records import REST_EVERY, TableRecord, row_of
from cardhouse.server.said import Repeated, Said, check_may_answer, say
from cardhouse.server.saver import NotSaved, Saver
from cardhouse.server.settings import TableSettings
from cardhouse.server.telling import STORY, STORY_CATCH_UP, Audiences, Client, story_before
from cardhouse.server.thinking import Standing, answer_of, standing
from cardhouse.server.tokens import new_token
from cardhouse.server.unattended import Clock, Due, Unattended, seen_by
from cardhouse.server.work import ODDS, Workers


class OpenTable:
    """A table in memory with the people at it.

    Whoever reads or changes the game holds `_lock`, so that nobody sees what isn't saved yet. `_table` is None when
    what is in memory can't be trusted (an entry could not be saved, another server was quicker): it is loaded again
    when it is needed. `told` is the number of the last entry that the clients know of.
    """

    def __init__(
        self,
        saver: Saver,
        record: TableRecord,
        on_change: Callable[[str], None],
        elsewhere: Elsewhere,
        clock: Clock,
        workers: Workers,
    ) -> None:
        self.id = record.id
        self.saver = saver
        self.record = LeasedRecord(saver, record, self._record_changed, lambda: on_change(record.id))
        self.people = Audiences()
        self.devices = Devices(self._next_round, elsewhere)
        self.told: int | None = None
        self.idle_since = time.monotonic()
        self._lock = asyncio.Lock()
        self._table: Table | None = None
        self._read_only: str | None = None
        self._ids: dict[str, int] = {}
        self._kept = 0  # the number of the last copy of the game that was handed over to be kept
        self._seats_due = False
        self._clock = clock
        self._workers = workers
        self._unattended = Unattended(
            record.id, self._bots, lambda: self.record.now.ends_at, self._say_due, clock, workers
        )
        self.settings = TableSettings(
            saver, self.record, clock, self._lock, self._playing, self._seated, self._check_client
        )
        self.odds = OddsTeller(
            record.id,
            workers,
            self._lock,
            lambda: self._table,
            lambda: self.clients,
            lambda: self.record.now.odds,
            self.record.confirm,
        )

    @property
    def clients(self) -> set[Client]:
        """Who is there."""
        return self.people.clients

    @property
    def deals_together(self) -> bool:
        """Whether devices take part in what is dealt."""
        return self._table is not None and self._table.header.deal == TOGETHER

    def is_used(self) -> bool:
        """Whether somebody is here or something is under way."""
        return bool(self.clients) or self._lock.locked()

    # Being up to date. All of this is called with the lock held.

    async def _ready(self) -> Table | None:
        """The table as it is saved; None if it is read-only.

        Raises NotSaved if it must be loaded and can't be.
        """
        if self._table is None and self._read_only is None:
            await self._load()
        return self._table

    async def _load(self, *, whole: bool = False) -> None:
        loaded = await load(self.saver, self.record.now, 0 if whole else self.told)
        if self.clients:
            await self.record.confirm()
        self._header, self._number = loaded.header, loaded.number
        self._table, self._read_only, self._ids = loaded.table, loaded.read_only, loaded.ids
        if self._table is not None:
            self._kept = self._table.last_rest.number
            if loaded.rests:
                self.saver.keep([(self.id, rest) for rest in loaded.rests])
            self._tell_rest(self._table)
            if self.told is None and self.deals_together:
                await self.devices.open()
            self.told = self._table.number
            self._look()

    def _tell_rest(self, table: Table) -> None:
        """Tell what has been saved since the clients were last told."""
        if self.told is not None and table.number > self.told:
            self.people.tell(table, table.entries[self.told - table.base :])
            self._after_entry()

    def _distrust(self) -> None:
        self._table = None

    async def _reload_whole(self) -> Table:
        await self._load(whole=True)
        return await self._playing()

    async def _playing(self) -> Table:
        """The table as it is saved.

        Raises CardhouseError if it is read-only; NotSaved.
        """
        table = await self._ready()
        if table is None:
            raise Refused(self._read_only or "", "read_only")
        return table

    # Coming and going.

    async def _check_client(self, client: Client) -> None:
        """Raises CardhouseError if this client's link has been replaced; NotSaved if nobody can tell."""
        await self._check_link(client.token)

    async def _check_link(self, token: str) -> None:
        """The same of a link; none is needed for what the house says by itself."""
        await self.record.confirm()
        if token:
            self.record.seat_with(token)

    async def sit(self, client: Client, frame: frames.Sit) -> None:
        """Somebody comes with a seat's link.

        Raises CardhouseError if it is none of this table's; NotSaved.
        """
        seat = await self.record.seat_by(frame.token)
        async with self._lock:
            table = await self._ready()
            await self.record.confirm_link(frame.token)
            client.seat, client.token = seat, hash_of(frame.token)
            client.say(self._whole(client, table, frame.since))
            self._look()
        self._seats_changed()

    def _whole(self, client: Client, table: Table | None, since: int | None) -> frames.Table:
        if table is None:
            self.people.clients.add(client)
            over = {"key": "over", "kind": "over", "seats": [], "with": {}}
            return self._frame(client, {"view": None, "asks": over}, [], more=False)
        doc = self.people.join(client, table)
        most = STORY if since is None else max(STORY, min(STORY_CATCH_UP, table.number - since))
        story, more = story_before(table, client.seat, table.number + 1, most)
        return self._frame(client, doc, story, more=more)

    def _frame(self, client: Client, doc: Any, story: list[dict[str, Any]], *, more: bool) -> frames.Table:
        number = self._number if self._table is None else self._table.number
        head = "" if self._table is None else self._table.log_state(number).head
        now = int(self._clock.time() * 1000)
        return frames.Table(
            number, now, client.seat, self.about(), self._seated(), doc, client.offers, client.mine, story, more, head
        )

    def about(self) -> frames.About:
        """What is known of the table, which must be loaded, beside its game."""
        header = self._header
        ended = self._table is not None and self._table.ended
        return frames.About(
            self.id,
            header.name,
            header.game,
            header.options,
            header.decks,
            header.by_hand,
            self.record.now.odds,
            header.commitment,
            header.deal,
            ended,
            self._read_only,
            None if ended else self.record.now.ends_at or None,
            self.record.now.door_mark,
        )

    def all_seats(self) -> list[str]:
        """All seats but the screen, in their order; the table must be loaded."""
        return [seated.seat for seated in self._seated() if seated.seat != SCREEN]

    def leave(self, client: Client) -> None:
        """Somebody goes."""
        if client in self.clients:
            self.people.leave(client)
            self.devices.leave(client)
            self.idle_since = time.monotonic()
            self._seats_changed()

    def close(self, reason: CardhouseError) -> None:
        """Send everybody away."""
        self.rest()
        for client in list(self.clients):
            self.people.leave(client)
            client.refuse(reason.code, reason.message)

    def _seated(self) -> list[frames.Seated]:
        here = {client.seat for client in self.clients}
        order = [*(self._header.seats if self._table is None else self._table.seats), SCREEN]
        known = {seat.seat: (seat.name, seat.bot) for seat in self.record.now.seats}
        return [
            frames.Seated(seat, name, seat in here, bot) for seat in order for name, bot in (known.get(seat, ("", "")),)
        ]

    def _seats_changed(self) -> None:
        """Tell all who is there, once for all that changes at one moment."""
        if not self._seats_due:
            self._seats_due = True
            asyncio.get_running_loop().call_soon(self._tell_seats)

    def _tell_seats(self) -> None:
        self._seats_due = False
        if self.clients:
            self.people.say(frames.Seats(self._seated()))

    # Answering.

    async def answer(self, client: Client, frame: frames.Answer) -> None:
        """Somebody gives an answer; it is acknowledged when it is saved, or refused."""
        try:
            async with self._lock:
                await self._ring_first()
                said = Said(client.seat, bytes(frame.answer), frame.id, frame.at, client.token)
                number = await self._answer(said, client)
                if client not in self.clients:  # those who are here find it in what is told to all
                    client.say(frames.Ack(frame.id, number))
        except Repeated as repeated:
            client.say(frames.Ack(frame.id, repeated.number))
        except Refused as error:
            client.refuse_answer(error, frame.id)
        except CardhouseError as error:
            client.refuse(error.code, error.message, frame.id)

    async def _answer(self, said: Said, answerer: Client | None = None) -> int:
        """Save it and tell of it; the number of its entry.

        Raises CardhouseError if it is refused; Repeated.
        """
        try:
            entry = await self._take(said)
        except CardhouseError:
            if self._table is not None:
                await settle(self._table)
            raise
        except Repeated:
            await self._ready()
            raise
        except BaseException:
            self._distrust()
            raise
        await self._confirm_telling()
        self._tell_entry(entry, answerer, said.id)
        if entry.kind == "seat" and answerer is not None:
            await self.settings.link_new_seat(answerer, entry.lines[0]["seat"])
        return entry.number

    async def _take(self, said: Said) -> Entry:
        """Its entry, saved and not told yet.

        Raises CardhouseError if it is refused; Repeated.
        """
        if not self.saver.healthy:
            raise NotSaved
        while True:
            table = await self._playing()
            await self._check_link(said.token)
            if (number := self._ids.get(said.id)) is not None:
                raise Repeated(number)
            try:
                entry = await self._apply(table, said)
            except CardhouseError:
                if table.base:  # its entry may lie before those that are here
                    await self._check_saved(said.id)
                raise
            if await self._save(entry):
                return entry
            self._distrust()
            await self._check_saved(said.id)

    async def _apply(self, table: Table, said: Said) -> Entry:
        """The game goes on by it.

        Raises CardhouseError if it is refused.
        """
        try:
            entry = say(table, said, self._unix_time())
        except NeedsHistory:
            table = await self._reload_whole()
            entry = say(table, said, self._unix_time())
        except NeedsLinks as needs:
            await settle(table)
            links = await self._links(table, needs.line)
            await self._check_link(said.token)
            entry = say(table, said, self._unix_time(), links)
        await settle(table)
        return entry

    def _unix_time(self) -> int:
        return int(self._clock.time())

    async def _check_saved(self, id: str) -> None:
        """Raises Repeated if an answer with this id has been saved."""
        if number := await self.saver.read(self.saver.store.number_of, self.id, id):
            raise Repeated(number)

    async def _links(self, table: Table, line: Line) -> list[Line]:
        """What the devices give for an answer that draws, once it can't be another any more."""
        head = table.log_state(table.number).head
        told = fixed(bytes.fromhex(self.record.now.seed), head, line)
        return await self.devices.ask(table.together, line["id"], line["by"], told)

    async def _next_round(self, last: int) -> int:
        """The number of a round that no server has asked for yet, above this one."""
        if not self.saver.store.shared:
            return last + 1
        return await self.saver.write(self.saver.store.next_round, self.id, last)

    async def take_part(self, client: Client, frame: frames.Device) -> None:
        """A client's device takes part in the deals.

        Raises CardhouseError if it is unknown, or has no hash chain.
        """
        async with self._lock:
            table = await self._playing()
            await self._check_client(client)
            number = frame.number
            if number is None:
                anchor = encode({"device": frame.anchor})
                await self._answer(Said(client.seat, anchor, new_token(), table.number, client.token))
                table = await self._playing()
                number = len(table.together.devices)
            await self.devices.arrive(client, number, frame.round, table.together)

    async def let_bot(self, client: Client, frame: frames.LetBot) -> None:
        """A bot answers what is asked in this client's place, this once; the answer is logged as the seat's own.

        Raises CardhouseError if there is nothing for it to answer, or somebody is quicker.
        """
        async with self._lock:
            await self._ring_first()
            table = await self._playing()
            await self._check_client(client)
            seen = table.number if frame.at is None else min(frame.at, table.number)
            check_may_answer(client.seat, {})
            thought = table.header.game, frame.bot, seen_by(table, client.seat, frame.bot)
        answer = await self._workers.run(self.id, answer_of, *thought, lane=ODDS)  # seats' own bots needn't wait
        if answer is None:
            raise Refused(f"{frame.bot} has no answer to this: it is for a person to say, or for another seat.")
        async with self._lock:
            await self._ring_first()
            await self._answer(Said(client.seat, answer, new_token(), seen, client.token))

    async def _save(self, entry: Entry) -> bool:
        """Whether it is saved; False if another server was quicker."""
        assert self._table is not None
        rest = self._table.last_rest
        due = rest.number == entry.number and rest.number - self._kept >= REST_EVERY
        keep = self._table.with_log(rest) if due else None
        try:
            saved = await self.saver.append(row_of(self.id, entry, keep))
        except IntegrityError:
            self._distrust()
            await self.record.refresh()  # tells if the table has been deleted
            raise
        except BaseException:
            self._distrust()
            raise
        if saved and keep is not None:
            self._kept = keep.number
        return saved

    async def _confirm_telling(self) -> None:
        """See to it that what has been saved may be told; if nobody can tell, it is when the table is loaded again.

        Raises NotSaved; Gone.
        """
        try:
            await self.record.confirm()
        except CardhouseError:
            self._distrust()
            raise

    def _tell_entry(self, entry: Entry, answerer: Client | None, id: str) -> None:
        assert self._table is not None
        self._ids[id] = self.told = entry.number
        self.people.tell(self._table, [entry], answerer, id)
        self._after_entry()

    def _after_entry(self) -> None:
        self.odds.table_changed()
        self._look()

    # What happens by itself.

    def _bots(self) -> dict[str, str]:
        return {seat.seat: seat.bot for seat in self.record.now.seats if seat.bot}

    def _look(self) -> None:
        """Something may be due now; at a table with nobody at it, all but its end is due when somebody comes."""
        table = self._table
        if table is None or table.ended:
            return
        if self.record.now.ends_at or (self.clients and (table.kind.bots or table.game.alarm() is not None)):
            self._unattended.look()

    async def _say_due(self, find: Callable[[Table], Due | None]) -> float | None:
        """Say what is found due, if it is time; in how many seconds something will be, None if nothing is to come.

        Raises Refused if it is not offered; NotSaved.
        """
        async with self._lock:
            table = await self._ready() if self.clients or self.record.now.ends_at else None
            due = None if table is None else find(table)
            if due is not None and due.ends and due.seconds == 0:
                await self.record.compare()  # it may have been taken back at another server
                due = find(table) if table is not None else None
            if table is None or due is None or due.seconds > 0:
                return None if due is None else due.seconds
            await self._say(table, due)
            return 0

    async def _say(self, table: Table, due: Due) -> None:
        try:
            await self._answer(Said(due.seat, due.answer, new_token(), table.number))
        except Refused:
            if self._table is table:  # else another server was quicker
                raise

    async def _ring_first(self) -> None:
        """Whoever answers after the clock's time finds that it has rung."""
        table = await self._ready() if self.saver.healthy else None
        due = None if table is None or table.ended else self._unattended.ring(table)
        if table is not None and due is not None and due.seconds == 0:
            with suppress(Refused):
                await self._say(table, due)

    def rest(self) -> None:
        """Nothing more happens here by itself."""
        self._unattended.stop()

    def put_away(self) -> None:
        """The table is to be forgotten; nobody is here.

        Its log is let go of at once: this and those who work for it know each other, which the server looks for too
        seldom to wait for that.
        """
        self.rest()
        self._table, self._ids = None, {}

    # News from other servers, trouble and its end.

    async def hear(self, number: int, changed: int) -> None:
        """Another server has saved entry `number`, or changed names, links or settings for the `changed`-th time."""
        if changed > self.record.now.changed:
            await self.record.refresh()
        if self.told is None or number <= self.told:
            return
        async with self._lock:
            table = self._table
            if table is None or self._read_only:
                await self._ready()
                return
            texts = await self.saver.read(self.saver.store.entries, self.id, table.number)
            await self.record.confirm()
            try:
                await replay(table, list(texts), self._ids)
            except (NeedsHistory, BadTranscript, EntriesMissing):
                self._distrust()
                await self._ready()
                return
            self._tell_rest(table)
            self.told = table.number

    async def recover(self) -> None:
        """The database is back: see what was saved."""
        async with self._lock:
            self._distrust()
            await self.record.refresh()
            await self._ready()

    def _record_changed(self, before: TableRecord) -> None:
        """Act on what has changed of names, links and settings."""
        record = self.record.now
        self._send_away_replaced()
        if (before.odds, before.ends_at, before.door) != (record.odds, record.ends_at, record.door):
            self.people.say(frames.Settings(record.odds, record.ends_at or None, record.door_mark))
        if before.odds != record.odds:
            self.odds.look()
        self._look()
        self._seats_changed()

    def _send_away_replaced(self) -> None:
        valid = {(seat.seat, token) for seat in self.record.now.seats for token in (seat.token, seat.claimed)}
        for client in self.clients:
            if (client.seat, client.next_token) in valid:
                client.token = client.next_token
        for client in [client for client in self.clients if (client.seat, client.token) not in valid]:
            self.leave(client)
            client.refuse("old_link", "This seat has a new link; ask the game master for it.")

    # Looking.

    async def offers(self, client: Client) -> None:
        """Everything this client may do now."""
        async with self._lock:
            table = await self._ready()
            await self._check_client(client)
            if table is None:
                client.say(frames.OffersNow(self._number, []))
            else:
                found = [] if client.seat == SCREEN else table.offers(client.seat, anytime=True)
                client.say(frames.OffersNow(table.number, found))

    async def story(self, client: Client, before: int) -> None:
        """What happened before an entry."""
        async with self._lock:
            table = await self._ready()
            if table is None:
                client.say(frames.StoryBefore([], more=False))
                return
            if table.base and before - STORY <= table.base:
                table = await self._reload_whole()
            await self._check_client(client)
            told, more = story_before(table, client.seat, before)
            client.say(frames.StoryBefore(told, more))

    async def standing(self) -> Standing:
        """The table as it stands, for a worker.

        Raises CardhouseError if the present rules can't replay it.
        """
        async with self._lock:
            table = await self._playing()
            return standing(table)

    async def is_laid_open(self, seat: str) -> bool:
        """Whether this seat may know all there is to know.

        The game master may, but where nobody is to know more than the others; everybody may when all is over.
        """
        async with self._lock:
            table = await self._ready()
            if table is None:
                return seat == GM and _is_open_to_gm(self._header.game)
            return (seat == GM and table.kind.open_to_gm) or isinstance(table.question, Over)


def _is_open_to_gm(game: str) -> bool:
    """Whether the game master may know all of this game, which may not be installed any more."""
    try:
        return find_game(game).open_to_gm
    except CardhouseError:
        return True
