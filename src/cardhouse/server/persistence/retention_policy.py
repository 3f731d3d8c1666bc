"""How long tables are kept: the rule by which those that nobody wants any more are found, announced and deleted.

A table that is to go is announced NOTICE_DAYS before, to everybody who opens it, and stays if anybody at it plays or
says so. Those days are counted twice: by the clock, and by the days on which the house was seen open. So a clock that
is set a year forward announces much and deletes nothing, and a house that was away for a year gives everybody notice.
"""

import re
from enum import Enum

from msgspec import Struct

from cardhouse.engine import CardhouseError

DAY_SECONDS = 86_400
NOTICE_DAYS = 14
UNUSED_DAYS = 30
"""A table at which nobody ever answered is kept so long at most."""
TINY, TINY_DAYS = 10, 90
"""One with fewer answers than this is kept so long at most."""
SHORTEST_DAYS = UNUSED_DAYS
_SPAN = re.compile(r"([1-9]\d{0,4})([dw])")
_DAYS = {"d": 1, "w": 7}


class RetentionDecision(Enum):
    """What is to be done about a table."""

    KEEP = "keep"
    ANNOUNCE = "announce"
    PARDON = "pardon"
    DELETE = "delete"


class TableUsage(Struct, frozen=True):
    """A table as it is looked at: when it was last used (Unix seconds), and how many entries it has.

    `goes_at` and `goes_day` say when it is to be deleted if that was announced, 0 if not: as Unix seconds, and as a
    number of days on which the house was open.
    """

    id: str
    campaign: str
    used_at: int
    entries: int
    goes_at: int
    goes_day: int


class Calendar(Struct, frozen=True):
    """The present: in Unix seconds, and on how many days the house has been open."""

    at: int
    day: int


class RetentionPolicy(Struct, frozen=True):
    """For how many days tables are kept that nobody opens and nobody plays at; 0: for ever."""

    days: int = 0

    def goes_at(self, kept: TableUsage) -> int:
        """When a table has been unused for long enough, in Unix seconds."""
        days = self.days
        if not kept.campaign and kept.entries < TINY:
            days = min(days, TINY_DAYS if kept.entries else UNUSED_DAYS)
        return kept.used_at + days * DAY_SECONDS

    def fate(self, kept: TableUsage, now: Calendar) -> RetentionDecision:
        """What is to be done about a table now."""
        if now.at < self.goes_at(kept) - NOTICE_DAYS * DAY_SECONDS:
            return RetentionDecision.PARDON if kept.goes_at else RetentionDecision.KEEP
        if not kept.goes_at:
            return RetentionDecision.ANNOUNCE
        return (
            RetentionDecision.DELETE if now.at >= kept.goes_at and now.day >= kept.goes_day else RetentionDecision.KEEP
        )

    def announced(self, kept: TableUsage, now: Calendar) -> tuple[int, int]:
        """Its `goes_at` and `goes_day`, if it is announced now."""
        return max(self.goes_at(kept), now.at + NOTICE_DAYS * DAY_SECONDS), now.day + NOTICE_DAYS


def parse_retention(span: str | None) -> RetentionPolicy:
    """How long tables are kept, as somebody writes it: `365d` or `52w`; None for ever.

    Raises CardhouseError if it can't be read, or is too short.
    """
    if span is None:
        return RetentionPolicy()
    found = _SPAN.fullmatch(span)
    if found is None:
        raise CardhouseError(f'"{span[:40]}" is no span of time: write days or weeks, like 365d or 52w.')
    days = int(found[1]) * _DAYS[found[2]]
    if days < SHORTEST_DAYS:
        raise CardhouseError(f"Keep tables for at least {SHORTEST_DAYS}d.")
    return RetentionPolicy(days)
