"""The objects that the parts of an open table share."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardhouse.server.cluster.leased_record import LeasedRecord
from cardhouse.server.persistence.group_commit import Saver
from cardhouse.server.table.cache import CachedTable
from cardhouse.server.wire import protocol


class TableParts(NamedTuple):
    """The table's record and its game. Hold `lock` to read or change the game.

    `seated` returns all seats, their players and who is connected.
    """

    saver: Saver
    record: LeasedRecord
    lock: asyncio.Lock
    cache: CachedTable
    seated: Callable[[], Sequence[protocol.Seated]]
