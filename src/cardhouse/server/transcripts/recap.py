"""A table's recap, computed once for all viewers; and the link by which others can replay the table."""

import asyncio
import base64
import hashlib
import hmac
import logging
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from msgspec import Struct

from cardhouse.engine import (
    BadTranscript,
    CardhouseError,
    CharacterOutcome,
    Figure,
    GameVerdict,
    Highlight,
    Recap,
    SeededDealer,
    Table,
    read_header,
    recap_of,
)
from cardhouse.engine.game.recap import default_recap, replay_steps
from cardhouse.engine.values.transcript import read_object
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.transcripts.transcript_export import store_to_read

KEPT = 100
"""LRU size of the cached recaps."""
LOOK_SECONDS = 30.0
"""Time limit of a recap: the whole log, which may have ten thousand entries, is replayed twice."""
log = logging.getLogger("cardhouse.server")


class RecapResponse(Struct, frozen=True, omit_defaults=True):
    """A table's totals and highlights. `look` is the secret of the replay link; the table screen doesn't get it.

    `problem` is the error in the game's own recap, which the generic one then replaces.
    """

    figures: list[Figure]
    moments: list[Highlight]
    look: str
    problem: str = ""
    headline: Highlight | None = None
    people: list[CharacterOutcome] = []
    verdict: GameVerdict | None = None


def replay_secret(record: TableRecord) -> str:
    """Return the secret of the replay link: it opens no seat, neither here nor at a rematch."""
    digest = hmac.digest(bytes.fromhex(record.seed), b"look back", hashlib.sha256)[:16]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def is_replay_secret(record: TableRecord, token: str) -> bool:
    """Return whether this is the replay link's secret."""
    return hmac.compare_digest(replay_secret(record).encode(), token.encode())


def build_recap(database: str, record: TableRecord, shared: bool) -> RecapResponse:
    """Return a table's recap, from the database at this URL; for a worker process.

    It has the replay link if it is `shared`. If the installed rules can't replay the log to its end, it covers what
    they can. Raises NotSaved.
    """
    with store_to_read(database) as store:
        entries = store.entries(record.id)
    table = Table(read_header(record.header), SeededDealer())
    with suppress(BadTranscript):
        table.replay((number, read_object(line)) for number, text in entries for line in text.split("\n"))
    evening, problem = _recap_or_generic(table)
    look = replay_secret(record) if shared else ""
    return RecapResponse(
        evening.figures, evening.moments, look, problem, evening.headline, evening.people, evening.verdict
    )


def _recap_or_generic(table: Table) -> tuple[Recap, str]:
    try:
        return recap_of(table), ""
    except Exception as error:
        log.warning("The evening of %s: %s", table.header.game, error, exc_info=error)
        return default_recap(table.game, replay_steps(table)), f"{type(error).__name__}: {error}"[:300]


class Evenings:
    """The recaps of tables, as gzipped JSON, each cached while its log is unchanged."""

    def __init__(self, workers: Workers, database: str) -> None:
        self._workers = workers
        self._database = database
        self._found: OrderedDict[tuple[str, int, bool], asyncio.Task[Any]] = OrderedDict()

    async def of(self, record: TableRecord, number: int, visitor: str, *, shared: bool) -> bytes:
        """Return the recap of a table whose last entry has this number.

        Raises CardhouseError.
        """
        key = record.id, number, shared
        if key not in self._found:
            how = (build_recap, self._database, record, shared)
            work = self._workers.run(visitor, run_and_gzip, *how, seconds=LOOK_SECONDS)
            self._found[key] = asyncio.ensure_future(work)
        self._found.move_to_end(key)
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        try:
            recap: bytes = await asyncio.shield(self._found[key])
        except CardhouseError:
            self._found.pop(key, None)  # it may have failed for lack of time
            raise
        return recap
