"""A rate limit on log lines, so that repeated requests can't fill the disk.

Lines of the same kind are counted instead of repeated.
"""

import logging
import time
from asyncio import CancelledError
from collections import OrderedDict
from collections.abc import Callable

QUIET_SECONDS = 60.0
KINDS = 500
"""LRU size of the remembered kinds of lines."""
LOGGERS = ("cardhouse.server", "uvicorn.error")

_Kind = tuple[object, ...]


class PrivateText(str):
    """User-written text, or text quoting it. It may contain names and cards, so JSON logs leave it out."""

    __slots__ = ()


class Repeats(logging.Filter):
    """Passes the first warning or error of a kind, then at most one a minute, with the number left out."""

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


def limit_repeats() -> None:
    """Install the filter on this process's server loggers."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(Repeats())


def is_not_cancelled(record: logging.LogRecord) -> bool:
    """Filter out cancelled work: the server cancels and counts what takes too long, so it isn't an error."""
    return not (record.exc_info and isinstance(record.exc_info[1], CancelledError))


def _kind(record: logging.LogRecord) -> _Kind:
    """Return what makes two lines the same kind: level, message template, and where the error was raised."""
    where: _Kind = ()
    if record.exc_info and record.exc_info[2]:
        traceback = record.exc_info[2]
        while traceback.tb_next:
            traceback = traceback.tb_next
        where = record.exc_info[0], traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
    return record.levelno, str(record.msg)[:200], *where
