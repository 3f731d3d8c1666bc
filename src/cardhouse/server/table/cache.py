"""A table's game in memory: a cache of its log, discarded when it may be wrong, and reloaded when needed."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from sqlalchemy.exc import IntegrityError

from cardhouse.engine import (
    GM,
    Ask,
    BadTranscript,
    CardhouseError,
    Entry,
    Header,
    NeedsHistory,
    Over,
    Refused,
    Table,
    find_game,
)
from cardhouse.engine.table.visibility import doc_of
from cardhouse.server.cluster.leased_record import LeasedRecord
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.records import SAVE_SNAPSHOT_EVERY, row_of
from cardhouse.server.table.broadcaster import story_before
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.table.loader import EntriesMissing, load, replay
from cardhouse.server.wire.protocol import encode


class LastSeen(NamedTuple):
    """The visible state of a read-only table: its last entry, the document as JSON, and the log up to it."""

    number: int
    doc: bytes
    story: list[dict[str, Any]]
    more: bool = False


class CachedTable:
    """The saved state of one table's game. Hold the table's lock to call anything here.

    `table` is None if the state in memory may be wrong (an entry could not be saved, or another server was faster), and
    permanently if the installed rules can't replay the log; `read_only` then says why. `header` and `number` are those
    of the log as loaded, `ids` maps answer ids to entry numbers. `told` is the number of the last entry that clients
    have been sent.
    """

    header: Header
    number: int

    def __init__(
        self,
        saver: Saver,
        record: LeasedRecord,
        is_watched: Callable[[], bool],
        on_load: Callable[[Table], Awaitable[None]],
        author: Author | None = None,
    ) -> None:
        """Create an empty cache. `is_watched` is whether the table has clients; `on_load` is called after each load.

        `author` is set while the game is being developed.
        """
        self.table: Table | None = None
        self.read_only: str | None = None
        self.ids: dict[str, int] = {}
        self.told: int | None = None
        self._saver = saver
        self._record = record
        self._is_watched = is_watched
        self._on_load = on_load
        self._author = author
        self._as_far: Table | None = None  # a read-only table, as far as its log can be replayed
        self._kept = 0  # the number of the last game snapshot handed over for saving

    @property
    def shown(self) -> Table | None:
        """The table for display: as saved, or, if it is read-only, as far as its log can be replayed."""
        return self._as_far if self.table is None else self.table

    async def ready(self) -> Table | None:
        """Return the table as saved; None if it is read-only.

        Raises NotSaved if it must be loaded and can't be.
        """
        if self.table is None and self.read_only is None:
            await self._load()
        return self.table

    async def playing(self) -> Table:
        """Return the table as saved.

        Raises CardhouseError if it is read-only; NotSaved.
        """
        table = await self.ready()
        if table is None:
            raise Refused(self.read_only or "", "read_only")
        return table

    async def reload_whole(self) -> Table:
        """Return the table with its whole log.

        Raises as `playing` does.
        """
        await self._load(whole=True)
        return await self.playing()

    async def _load(self, *, whole: bool = False) -> None:
        loaded = await load(self._saver, self._record.now, 0 if whole else self.told, self._author)
        if self._is_watched():
            await self._record.confirm()
        self.header, self.number = loaded.header, loaded.number
        self.table, self.read_only, self.ids = loaded.table, loaded.read_only, loaded.ids
        self._as_far = loaded.shown
        if self.table is not None:
            self._kept = self.table.last_snapshot.number
            if loaded.snapshots:
                self._saver.save_snapshots([(self._record.now.id, snapshot) for snapshot in loaded.snapshots])
            await self._on_load(self.table)

    async def append(self, entry: Entry) -> bool:
        """Save the last entry of the table; return False if another server was faster.

        Raises NotSaved, TableDeleted and the database's errors; the cache is then invalid.
        """
        assert self.table is not None
        snapshot = self.table.last_snapshot
        due = snapshot.number == entry.number and snapshot.number - self._kept >= SAVE_SNAPSHOT_EVERY
        keep = self.table.with_log(snapshot) if due else None
        try:
            saved = await self._saver.append(row_of(self._record.now.id, entry, keep))
        except IntegrityError:
            self.invalidate()
            await self._record.refresh()  # raises TableDeleted if that is the reason
            raise
        except BaseException:
            self.invalidate()
            raise
        if saved and keep is not None:
            self._kept = keep.number
        return saved

    async def catch_up(self) -> Table | None:
        """Apply what another server has saved; return None if the table had to be reloaded, or is read-only.

        Raises NotSaved; TableDeleted.
        """
        table = self.table
        if table is None or self.read_only:
            await self.ready()
            return None
        texts = await self._saver.read(self._saver.store.entries, self._record.now.id, table.number)
        await self._record.confirm()
        try:
            await replay(self._saver, table, list(texts), self.ids)
        except (NeedsHistory, BadTranscript, EntriesMissing):
            self.invalidate()
            await self.ready()
            return None
        return table

    def why_closed(self, seat: str) -> str | None:
        """Return who alone may see everything now, as the end of a sentence; None if this seat may.

        Usually this is the game master; it is nobody in games that hide things even from them, and while players choose
        secretly; after the end it is everyone. The table must be loaded.
        """
        if self.table is not None and isinstance(self.table.question, Over):
            return None
        table = self.shown
        question = None if table is None else table.question
        if seat != GM:
            return "only the game master may have it until the table has ended"
        if not (_is_open_to_gm(self.header.game) if table is None else table.kind.open_to_gm):
            return "no one may have it until the table has ended"
        return "no one may have it until all have chosen" if isinstance(question, Ask) and question.secret else None

    def last_seen(self, seat: str) -> LastSeen:
        """Return what this seat is shown of a read-only table, without questions.

        Under development, this is the table before the rules changed; otherwise the state up to which the log can be
        replayed.
        """
        if kept := self._author and self._author.last_seen(self._record.now.id, self.number, seat):
            return LastSeen(self.number, *kept)
        if (table := self._as_far) is None:
            return LastSeen(self.number, _NOTHING_SEEN, [])
        asks = table.asks()
        asks["seats"] = []
        asks.pop("waits_for", None)
        story, more = story_before(table, seat, table.number + 1)
        return LastSeen(table.number, doc_of(table.game, seat, asks), story, more)

    def report_to_author(self, error: CardhouseError) -> None:
        """Report an error in the rules, met by an answer, to the author."""
        if self._author is not None and error.code == "bad_game":
            self._author.say(error.message)

    def store_for_author(self) -> None:
        """Store how the table looks now, for its author."""
        if self._author is not None and self.table is not None:
            self._author.keep(self._record.now.id, self.table)

    def invalidate(self) -> None:
        """Discard the state in memory."""
        self.table = None

    def clear(self) -> None:
        """Release the whole log, because the table is being closed."""
        self.table, self._as_far, self.ids = None, None, {}


_NOTHING_SEEN = encode({"view": None, "asks": {"key": "over", "kind": "over", "seats": [], "with": {}}})


def _is_open_to_gm(game: str) -> bool:
    """Return whether the game master may see all of this game; it may not be installed any more."""
    try:
        return find_game(game).open_to_gm
    except CardhouseError:
        return True
