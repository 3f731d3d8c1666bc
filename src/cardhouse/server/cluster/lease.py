"""A lease on a table's links as a server read them, since other servers may replace them."""

import asyncio
import time

LEASE_SECONDS = 1.0
"""The duration of a lease. A server that replaces a link waits this long before it reveals the new one."""
CONFIRM_SECONDS = 0.4
"""Interval at which leases of tables in use are renewed, so that hardly any request has to wait for it."""
_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def now() -> float:
    """Return seconds since an arbitrary moment, including time in which the process or the machine was suspended."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


class Lease:
    """Whether a record read earlier may still be relied on; always, if no other server writes to the store."""

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._asked_at = float("-inf")

    def renew(self, asked_at: float) -> None:
        """Record that the store has answered a query made at this time, by `now`."""
        self._asked_at = max(self._asked_at, asked_at)

    def holds(self) -> bool:
        """Return whether nothing can have been replaced and revealed since."""
        return not self._shared or now() - self._asked_at < LEASE_SECONDS


async def outlast() -> None:
    """Wait until every lease held at the time of the call has expired."""
    until = now() + LEASE_SECONDS
    while True:
        left = until - now()
        if left <= 0:
            return
        await asyncio.sleep(left)
