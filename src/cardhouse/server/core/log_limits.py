"""A rate limit on log lines, so that nobody fills a disk by asking for the same thing again.

Those of one kind are counted, not repeated.
"""

import logging
import time
from asyncio import CancelledError
from collections import OrderedDict
from collections.abc import Callable

QUIET_SECONDS = 60.0
KINDS = 500
"""So many kinds of lines are counted, the latest: an LRU cache."""
LOGGERS = ("cardhouse.server", "uvicorn.error")

_Kind = tuple[object, ...]


class PrivateText(str):
    """What somebody said, or what was said of it: names and cards may be in it, so that not every log tells it."""

    __slots__ = ()


class Repeats(logging.Filter):
    """Lets the first warning or error of a kind through, then at most one a minute, with how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: OrderedDict[_Kind, tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind, now = _kind(record), self._clock()
        at, left_out = self._told.pop(kind, (now - QUIET_SECONDS, 0))
        if now - at < QUIET_SECONDS:
            self._told[kind] = at, left_out + 1
            return False
        if left_out:
            args = record.args if isinstance(record.args, tuple) else (record.args,)
            message = str(record.msg) if args else str(record.msg).replace("%", "%%")
            record.msg, record.args = f"{message} (%d more of these were left out)", (*args, left_out)
        self._told[kind] = now, 0
        if len(self._told) > KINDS:
            self._told.popitem(last=False)
        return True


def count_repeats() -> None:
    """Have this process's server count the repeats in its log."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(Repeats())


def is_no_end(record: logging.LogRecord) -> bool:
    """A filter: whatever the server ends when it has waited long enough is counted by it, and is no error of ours."""
    return not (record.exc_info and isinstance(record.exc_info[1], CancelledError))


def _kind(record: logging.LogRecord) -> _Kind:
    """What makes two lines the same: what is said, whatever it is said of, and where an error was raised."""
    where: _Kind = ()
    if record.exc_info and record.exc_info[2]:
        traceback = record.exc_info[2]
        while traceback.tb_next:
            traceback = traceback.tb_next
        where = record.exc_info[0], traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
    return record.levelno, str(record.msg)[:200], *where
