"""Loads a table from the database: a snapshot of the game, and the entries after it."""

import logging

import msgspec

from cardhouse.engine import (
    CardhouseError,
    FairDealer,
    Header,
    NeedsHistory,
    Snapshot,
    Table,
    package_of,
    read_header,
)
from cardhouse.engine.values.transcript import read_object
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.persistence.records import SAVE_SNAPSHOT_EVERY, TableRecord
from cardhouse.server.persistence.repository import Store
from cardhouse.server.table.broadcaster import STORY_CATCH_UP
from cardhouse.server.table.dev_reload import Author

AT_ONCE = 20
"""Entries replayed before other tasks get a turn."""
log = logging.getLogger("cardhouse.server")


class EntriesMissing(CardhouseError):
    """A log has a gap, so the entries after it can't be replayed."""

    def __init__(self, first: int, last: int) -> None:
        which = f"Entry {first}" if first == last else f"The entries {first} to {last}"
        super().__init__(f"{which} of this table's log is missing.", "read_only")


class Loaded(msgspec.Struct):
    """A loaded table.

    If the installed rules can't replay its log, `table` is None and `read_only` says why: `shown` is then the table as
    far as they can, for display, or None. `ids` maps answer ids to numbers of entries in memory; `snapshots` are those
    of the game that should be saved.
    """

    header: Header
    number: int
    table: Table | None
    read_only: str | None
    ids: dict[str, int] = {}
    snapshots: list[Snapshot] = []
    shown: Table | None = None


async def load(saver: Saver, record: TableRecord, upto: int | None, author: Author | None = None) -> Loaded:
    """Load a table, with the entries from `upto` on, and some before, in memory; all of them if it is 0.

    While an author changes the rules, the whole log is replayed, because snapshots were made by other rules.

    Raises NotSaved if the database doesn't answer; CardhouseError if the transcript format is newer.
    """
    try:
        header = read_header(record.header)
    except CardhouseError as error:
        raise CardhouseError(error.message, "read_only") from None
    snapshot, texts = await saver.read(_tail, saver.store, record.id, upto if author is None else 0)
    last = texts[-1][0] if texts else snapshot.number if snapshot else 0
    try:
        table = Table(header, FairDealer(bytes.fromhex(record.seed)), snapshot)
        table.replay_at_most = AT_ONCE
    except Exception as error:  # noqa: BLE001 (rules that have changed)
        if snapshot is not None:
            return await load(saver, record, 0, author)  # the snapshot is from other rules; the log may still fit these
        if author is not None and not isinstance(error, CardhouseError):
            return Loaded(header, last, None, author.misfit(record.id, 0, texts, error))
        log.warning("Table %s can't be opened: %s", record.id, error)
        return Loaded(header, last, None, _unopened(header, error))
    ids: dict[str, int] = {}
    try:
        snapshots = await _replay_all(saver, table, texts, ids)
        if author is not None:
            author.look_at(table)
    except NeedsHistory:
        return await load(saver, record, 0, author)
    except EntriesMissing as error:
        log.warning("Table %s can't be replayed: %s", record.id, error)
        sentence = f"{error.message} {_way_out(table, 'Nothing else')}"
        return Loaded(header, last, None, sentence, shown=await _as_far_as_it_goes(saver, table))
    except Exception as error:  # noqa: BLE001 (rules that have changed may stumble over an old log in any way)
        shown = await _as_far_as_it_goes(saver, table)
        if author is not None:
            return Loaded(header, last, None, author.misfit(record.id, table.number, texts, error), shown=shown)
        log.warning("Table %s can't be replayed: entry %s: %s", record.id, table.number + 1, error)
        return Loaded(header, last, None, _misfit(table), shown=shown)
    if table.base and not any(entry.counts for entry in table.entries):
        return await load(saver, record, 0, author)  # the entries that an undo would take back must be in memory
    table.ask_devices()
    return Loaded(header, table.number, table, None, ids, snapshots)


def _unopened(header: Header, error: Exception) -> str:
    """Return why a table can't start, and the remedy; players get no other details of the error."""
    why = error.message if isinstance(error, CardhouseError) else f"The installed {header.game} can't begin this table."
    made_by = f", {header.package}" if header.package else ""
    return f"{why} Nothing is lost. To play on, install the version of {header.game} that it was played with{made_by}."


def _misfit(table: Table) -> str:
    """Return which entry doesn't fit the installed rules, and the remedy.

    Players read this, so it doesn't say why, which may be a secret.
    """
    game, number = table.header.game, table.number + 1
    played, now = table.header.version, table.kind.version
    made_by = f": {table.header.package}" if table.header.package else ""
    older = f", which have been changed since version {played} (now {now})" if played < now else ""
    return (
        f"Entry {number} of this table's log doesn't fit the installed rules of {game} ({package_of(game)}){older}. "
        f"{_way_out(table)} To play on here, install the version that it was played with{made_by}."
    )


def _way_out(table: Table, what: str = "Nothing") -> str:
    if not table.number:
        return f"{what} is lost."
    copy = " The game master can play on from there in a copy." if table.kind.open_to_gm else ""
    return f"{what} is lost. This is the table after entry {table.number}.{copy}"


async def _as_far_as_it_goes(saver: Saver, table: Table) -> Table | None:
    """Return a table whose log can't be replayed to its end, as far as it goes; None if it can't be shown."""
    try:
        await settle(saver, table)
        Author.look_at(table)
    except Exception as error:  # noqa: BLE001 (rules that have changed)
        log.warning("A table can't be shown as it stood after entry %s: %s", table.number, error)
        return None
    return table


async def _replay_all(saver: Saver, table: Table, texts: list[tuple[int, str]], ids: dict[str, int]) -> list[Snapshot]:
    """Replay a log; return the snapshots that should be saved. Raises what `replay` raises."""
    snapshots = [table.last_snapshot]
    for start in range(0, len(texts), AT_ONCE):
        await replay(saver, table, texts[start : start + AT_ONCE], ids)
        if table.last_snapshot.number - snapshots[-1].number >= SAVE_SNAPSHOT_EVERY:
            snapshots.append(table.with_log(table.last_snapshot))
        await saver.give_way()
    return snapshots[1:]


async def settle(saver: Saver, table: Table) -> None:
    """Let a stale table catch up, giving other tasks turns."""
    for done, _ in enumerate(table.catch_up(), start=1):
        if done % AT_ONCE == 0:
            await saver.give_way()


def _tail(store: Store, id: str, upto: int | None) -> tuple[Snapshot | None, list[tuple[int, str]]]:
    last = store.last_number(id)
    within = last - STORY_CATCH_UP if upto is None else min(upto, last - STORY_CATCH_UP)
    snapshot = store.snapshot(id, within) if within > 0 else None
    return snapshot, list(store.entries(id, snapshot.number if snapshot else 0))


async def replay(saver: Saver, table: Table, texts: list[tuple[int, str]], ids: dict[str, int]) -> None:
    """Replay entries, a few at a time.

    Raises BadTranscript; EntriesMissing.
    """
    for number, text in texts:
        if number != table.number + 1:
            raise EntriesMissing(table.number + 1, number - 1)
        lines = [read_object(line) for line in text.split("\n")]
        table.replay([(number, line) for line in lines])
        if "id" in lines[0]:
            ids[lines[0]["id"]] = number
        await settle(saver, table)
