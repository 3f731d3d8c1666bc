"""What was worth remembering of a table, worked out once for all who look; and the link by which others look back."""

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
    Highlight,
    Recap,
    SeededDealer,
    Table,
    read_header,
    recap_of,
)
from cardhouse.engine.game.recap import plain_evening, replay_steps
from cardhouse.engine.values.transcript import read_object
from cardhouse.server.core.compression import packed
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.table.transcript_export import store_to_read

KEPT = 100
"""So many evenings are kept, the latest that were looked at."""
LOOK_SECONDS = 30.0
"""For so long an evening may be looked over: its whole log is played twice, and some have ten thousand entries."""
log = logging.getLogger("cardhouse.server")


class RecapResponse(Struct, frozen=True, omit_defaults=True):
    """The figures and moments of a table. `look` is a secret with which anybody may look back at it, once it is over.

    `problem` is what the game's own evening stumbled over: then it is the plain one.
    """

    figures: list[Figure]
    moments: list[Highlight]
    look: str
    problem: str = ""
    headline: Highlight | None = None
    people: list[CharacterOutcome] = []


def look_secret(record: TableRecord) -> str:
    """The secret of the link for looking back: it opens no seat, here or where the same people play again."""
    made = hmac.digest(bytes.fromhex(record.seed), b"look back", hashlib.sha256)[:16]
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def may_look(record: TableRecord, token: str) -> bool:
    """Whether this is that secret."""
    return hmac.compare_digest(look_secret(record).encode(), token.encode())


def look_over(database: str, record: TableRecord) -> RecapResponse:
    """The evening of a table, from the database at this URL. It is worked out by a worker process.

    If the installed rules can't replay its log, it is of what they can. Raises NotSaved.
    """
    with store_to_read(database) as store:
        entries = store.entries(record.id)
    table = Table(read_header(record.header), SeededDealer())
    with suppress(BadTranscript):
        table.replay((number, read_object(line)) for number, text in entries for line in text.split("\n"))
    evening, problem = _told(table)
    return RecapResponse(
        evening.figures, evening.moments, look_secret(record), problem, evening.headline, evening.people
    )


def _told(table: Table) -> tuple[Recap, str]:
    try:
        return recap_of(table), ""
    except Exception as error:
        log.warning("The evening of %s: %s", table.header.game, error, exc_info=error)
        return plain_evening(table.game, replay_steps(table)), f"{type(error).__name__}: {error}"[:300]


class Evenings:
    """The evenings of tables, as JSON, packed: each is worked out once as long as its log stays as it is."""

    def __init__(self, workers: Workers, database: str) -> None:
        self._workers = workers
        self._database = database
        self._found: OrderedDict[tuple[str, int], asyncio.Task[Any]] = OrderedDict()

    async def of(self, record: TableRecord, number: int, visitor: str) -> bytes:
        """That of a table whose last entry has this number.

        Raises CardhouseError.
        """
        key = record.id, number
        if key not in self._found:
            work = self._workers.run(visitor, packed, look_over, self._database, record, seconds=LOOK_SECONDS)
            self._found[key] = asyncio.ensure_future(work)
        self._found.move_to_end(key)
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
        try:
            told: bytes = await asyncio.shield(self._found[key])
        except CardhouseError:
            self._found.pop(key, None)  # it may have been for want of time
            raise
        return told
