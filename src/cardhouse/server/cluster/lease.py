"""A lease on what a server read of a table's links, where other servers may replace them."""

import asyncio
import time

LEASE_SECONDS = 1.0
"""A lease lasts so long. Whoever replaces one lets so much time pass before the new one is told."""
CONFIRM_SECONDS = 0.4
"""Leases of tables with people at them are renewed so often, so that hardly anything has to wait for it."""
_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def now() -> float:
    """Seconds since some moment or other, those included in which the process or the machine was stopped."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


class Lease:
    """Whether what was read of a store may still be gone by; always, if nobody else writes to it."""

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._asked_at = float("-inf")

    def renew(self, asked_at: float) -> None:
        """The store has answered, and was asked at this time by `now`."""
        self._asked_at = max(self._asked_at, asked_at)

    def holds(self) -> bool:
        """Whether nothing can have been replaced and told of since."""
        return not self._shared or now() - self._asked_at < LEASE_SECONDS


async def outlast() -> None:
    """Wait until every lease is over that was held when this was called."""
    until = now() + LEASE_SECONDS
    while True:
        left = until - now()
        if left <= 0:
            return
        await asyncio.sleep(left)
