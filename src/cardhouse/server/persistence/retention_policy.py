"""The retention policy: which unused tables are announced for deletion, and deleted.

The deletion of a table is announced NOTICE_DAYS before, to everyone who opens it, and cancelled if someone plays there
or keeps it. These days are counted twice: by the clock, and by the days on which the server was running. So a clock set
a year forward announces many tables but deletes none, and a server that was off for a year gives everyone notice.
"""

import re
from enum import Enum

from msgspec import Struct

from cardhouse.engine import CardhouseError

DAY_SECONDS = 86_400
NOTICE_DAYS = 14
UNUSED_DAYS = 30
"""Retention of a table without answers, at most."""
TINY, TINY_DAYS = 10, 90
"""Retention of a table with fewer answers than `TINY`, at most."""
SHORTEST_DAYS = UNUSED_DAYS
_SPAN = re.compile(r"([1-9]\d{0,4})([dw])")
_DAYS = {"d": 1, "w": 7}


class RetentionDecision(Enum):
    """The next step for a table."""

    KEEP = "keep"
    ANNOUNCE = "announce"
    PARDON = "pardon"
    DELETE = "delete"


class TableUsage(Struct, frozen=True):
    """How a table is used: when it was last used (Unix seconds), and how many entries it has.

    `goes_at` and `goes_day` are the announced deletion, as Unix seconds and as a count of days on which the server ran;
    0 for none.
    """

    id: str
    campaign: str
    used_at: int
    entries: int
    goes_at: int
    goes_day: int


class Calendar(Struct, frozen=True):
    """The present: in Unix seconds, and as the number of days on which the server has run."""

    at: int
    day: int


class RetentionPolicy(Struct, frozen=True):
    """The days for which unused tables are kept; 0 means forever."""

    days: int = 0

    def goes_at(self, kept: TableUsage) -> int:
        """Return when a table has been unused for long enough, in Unix seconds."""
        days = self.days
        if not kept.campaign and kept.entries < TINY:
            days = min(days, TINY_DAYS if kept.entries else UNUSED_DAYS)
        return kept.used_at + days * DAY_SECONDS

    def fate(self, kept: TableUsage, now: Calendar) -> RetentionDecision:
        """Return the next step for a table."""
        if now.at < self.goes_at(kept) - NOTICE_DAYS * DAY_SECONDS:
            return RetentionDecision.PARDON if kept.goes_at else RetentionDecision.KEEP
        if not kept.goes_at:
            return RetentionDecision.ANNOUNCE
        return (
            RetentionDecision.DELETE if now.at >= kept.goes_at and now.day >= kept.goes_day else RetentionDecision.KEEP
        )

    def announced(self, kept: TableUsage, now: Calendar) -> tuple[int, int]:
        """Return a table's `goes_at` and `goes_day` if its deletion is announced now."""
        return max(self.goes_at(kept), now.at + NOTICE_DAYS * DAY_SECONDS), now.day + NOTICE_DAYS


def parse_retention(span: str | None) -> RetentionPolicy:
    """Parse a retention time: `365d` or `52w`; None means forever.

    Raises CardhouseError if it is invalid or too short.
    """
    if span is None:
        return RetentionPolicy()
    found = _SPAN.fullmatch(span)
    if found is None:
        raise CardhouseError(f'"{span[:40]}" isn\'t a span of time. Write days or weeks, like 365d or 52w.')
    days = int(found[1]) * _DAYS[found[2]]
    if days < SHORTEST_DAYS:
        raise CardhouseError(f"Keep tables for at least {SHORTEST_DAYS}d.")
    return RetentionPolicy(days)
