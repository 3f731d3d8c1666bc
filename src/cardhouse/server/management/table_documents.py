"""The documents of stored tables, such as transcripts, replays and recaps. Workers make them.

A link may have a document only while nothing at the table is hidden from it. Permission is checked before a document is
made and again afterwards: in the meantime, a player may have begun to choose secretly, or the link may be a new one.
"""

from collections.abc import Awaitable, Callable
from typing import Literal, TypeVar

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.jobs.tasks import continuing_characters, roster_of
from cardhouse.server.management.campaign_archive import write_campaign
from cardhouse.server.management.campaign_view import Campaign, Characters, SavedCharacter, view_campaign
from cardhouse.server.management.fork import ForkRequest, FromHere, ask_from, fork
from cardhouse.server.persistence.campaign_repository import CampaignRecord
from cardhouse.server.persistence.group_commit import NotSaved, Saver
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.table.factory import BuiltTable
from cardhouse.server.transcripts.recap import Evenings, is_replay_secret
from cardhouse.server.transcripts.replay import ReplayRequest, build_replay
from cardhouse.server.transcripts.transcript_export import export_deal, export_transcript, transcript_of
from cardhouse.server.transcripts.transcript_import import IMPORT_SECONDS

Document = Literal["transcript", "replay", "deal", "roster", "recap"]
REPLAYED = ("replay", "recap")
"""The documents that the replay link of a finished table opens."""
SHOWN = "recap"
"""The document that the table screen shows; its link opens no other."""
NOBODY = ""
T = TypeVar("T")


class TableDocuments:
    """The documents of a server's tables, made by `workers`; `open_table` returns the table of an id.

    Every method raises CardhouseError if the link may not have the document, or too many jobs wait; NotSaved.
    """

    def __init__(self, saver: Saver, workers: Workers, open_table: Callable[[str], Awaitable[OpenTable]]) -> None:
        self._saver = saver
        self.workers = workers
        self._open_table = open_table
        self._url = saver.store.engine.url.render_as_string(hide_password=False)
        self._recaps = Evenings(workers, self._url)

    async def transcript(self, visitor: str, id: str, token: str, upto: int | None = None) -> bytes:
        """Return a table's transcript, gzipped: for the game master at any time, for every seat after the end.

        With `upto` it ends with that entry.
        """
        return await self._document(id, token, "transcript", lambda table: self.write_transcript(visitor, table, upto))

    async def write_transcript(self, visitor: str, table: OpenTable, upto: int | None = None) -> bytes:
        """Return a table's transcript, gzipped, up to an entry or to its end, without checking permission."""
        try:
            return await self.workers.run(visitor, run_and_gzip, export_transcript, self._url, table.record.now, upto)
        except NotSaved:  # a file that was moved away can't be opened again, but it is open here
            return await self._saver.read(run_and_gzip, transcript_of, self._saver.store, table.record.now, upto)

    async def replay(self, visitor: str, id: str, token: str, you: str, after: int) -> bytes:
        """Return a seat's view of a table, entry by entry: a Replay as JSON, gzipped. The seat must exist."""

        async def make(table: OpenTable) -> bytes:
            about, seats = table.about(), table.all_seats()
            request = ReplayRequest(table.record.now, about, seats, you, after, table.replays_upto)
            return await self.workers.run(visitor, run_and_gzip, build_replay, self._url, request)

        return await self._document(id, token, "replay", make)

    async def fork(self, visitor: str, id: str, token: str, request: ForkRequest) -> tuple[BuiltTable, str]:
        """Return a new table that goes on from a position of another, and its seat for the person who asked."""

        async def make(table: OpenTable) -> tuple[BuiltTable, str]:
            here = FromHere(table.record.now, table.all_seats(), request.seat, request.at)
            return await self.workers.run(visitor, fork, self._url, here, request.name, seconds=IMPORT_SECONDS)

        return await self._document(id, token, "replay", make)

    async def lab_questions_at(self, visitor: str, id: str, token: str, seat: str, at: int) -> bytes:
        """Return the lab questions about a position of a table: LabFromHere as JSON, gzipped. The seat must exist."""

        async def make(table: OpenTable) -> bytes:
            here = FromHere(table.record.now, table.all_seats(), seat, at)
            return await self.workers.run(visitor, run_and_gzip, ask_from, self._url, here)

        return await self._document(id, token, "replay", make)

    async def deal(self, visitor: str, id: str, token: str) -> bytes:
        """Return how a table was dealt, for every seat after its end: a Deal as JSON, gzipped.

        Refused if the table has no commitment.
        """

        async def make(table: OpenTable) -> bytes:
            return await self.workers.run(visitor, run_and_gzip, export_deal, self._url, table.record.now)

        return await self._document(id, token, "deal", make)

    async def roster(self, visitor: str, id: str, token: str) -> bytes:
        """Return a table's roster file, gzipped, if the game has one."""

        async def make(table: OpenTable) -> bytes:
            state, faces = await table.table_state(), table.record.now.faces_drawn
            return await self.workers.run(visitor, run_and_gzip, roster_of, state, faces)

        return await self._document(id, token, "roster", make)

    async def continuing_characters(self, visitor: str, id: str, token: str) -> Characters:
        """Return the characters that go on from a table to the next one."""

        async def make(table: OpenTable) -> Characters:
            state = await table.table_state()
            answers = await self.workers.run(visitor, continuing_characters, state)
            seats = {seat.seat: seat for seat in table.record.now.seats}
            owned = [(answer, seats.get(answer.get("controller", GM), seats[GM])) for answer in answers]
            return Characters(
                state.header.options, [SavedCharacter(answer, seat.seat, seat.name, seat.bot) for answer, seat in owned]
            )

        return await self._document(id, token, "roster", make)

    async def recap(self, visitor: str, id: str, token: str) -> bytes:
        """Return a table's recap: a RecapResponse as JSON, gzipped; the table screen's has no replay link."""

        async def make(table: OpenTable) -> bytes:
            shared = _is_replay_link(table, token, "recap") or await table.record.seat_by(token) != SCREEN
            return await self._recaps.of(table.record.now, (await table.table_state()).number, visitor, shared=shared)

        return await self._document(id, token, "recap", make)

    async def _document(self, id: str, token: str, name: Document, make: Callable[[OpenTable], Awaitable[T]]) -> T:
        """Return what `make` makes of a table, if this link may have it, by the current links, before and after."""
        table = await self._open_table(id)
        await _check_permission(table, token, name)
        document = await make(table)
        if not _is_replay_link(table, token, name):
            await table.record.confirm_link(token)
        await _check_permission(table, token, name)
        return document

    # Campaigns.

    async def view_campaign(self, visitor: str, record: CampaignRecord) -> Campaign:
        """Return everything in a campaign, without checking permission."""
        return await self.workers.run(visitor, view_campaign, self._url, record)

    async def write_campaign(self, visitor: str, record: CampaignRecord) -> bytes:
        """Return the file of a campaign, gzipped, without checking permission."""
        return await self.workers.run(visitor, run_and_gzip, write_campaign, self._url, record)


async def _check_permission(table: OpenTable, token: str, name: Document) -> None:
    """Raise CardhouseError unless nothing at the table is hidden from this link."""
    seat = NOBODY if _is_replay_link(table, token, name) else await table.record.seat_by(token)
    if seat == SCREEN and name != SHOWN:
        raise CardhouseError(f"The table screen only watches, so its link doesn't open the {name}.", "not_yours")
    await table.check_open(seat, f"The {name} shows hidden cards")


def _is_replay_link(table: OpenTable, token: str, name: Document) -> bool:
    """Return whether this is the replay link of a table, and the document one that it opens."""
    return name in REPLAYED and is_replay_secret(table.record.now, token)
