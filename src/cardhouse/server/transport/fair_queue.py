"""Fair reading: the requests of one address start one after the other, at a pace that leaves room for the tables.

Excess requests aren't refused, which would cost almost as much as answering them. They stay on the wire until their
turn; TCP passes this backpressure on to the sender.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from cardhouse.server.access.rate_limits import TokenBucket

AT_ONCE = 1
"""Requests, and frames, of one address that start in one turn of the event loop.

A broadcast to eleven clients takes ten milliseconds: each further start makes everyone wait that much longer.
"""

Begin = Callable[[], Any]


class Turns:
    """The queues of all addresses. Each may start `rate` per second in the long run, and `burst` at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._lines: dict[str, _Line] = {}

    def take(self, address: str, begin: Begin) -> bool:
        """Return whether this address may start now; if not, `begin` is called when its turn comes."""
        return self._line(address).take(begin)

    def _line(self, address: str) -> "_Line":
        line = self._lines.get(address)
        if line is None:
            line = self._lines[address] = _Line(self._rate, self._burst)
        return line

    async def wait(self, address: str) -> None:
        """Wait for this address's turn."""
        if self._line(address).take_at_once():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        begin = partial(_settle, turn)
        if not self.take(address, begin):
            try:
                await turn
            finally:
                self.leave(address, begin)

    def charge(self, address: str, cost: int) -> None:
        """Charge an address for work already done; its next request waits until that is paid for."""
        if line := self._lines.get(address):
            line.allowance.charge(cost)

    def leave(self, address: str, begin: Begin) -> None:
        """Remove a queued start."""
        if line := self._lines.get(address):
            line.waiting.pop(begin, None)

    def forget(self) -> None:
        """Drop the state of addresses that have their full burst again."""
        self._lines = {address: line for address, line in self._lines.items() if not line.is_idle()}


def _settle(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_result(None)


class _Line:
    def __init__(self, rate: float, burst: int) -> None:
        self.allowance = TokenBucket(rate, burst)
        self.waiting: dict[Begin, None] = {}
        self._begun = 0
        self._handle: asyncio.Handle | None = None

    def is_idle(self) -> bool:
        return self._handle is None and self.allowance.is_full()

    def take_at_once(self) -> bool:
        return not self.waiting and self._may_begin()

    def take(self, begin: Begin) -> bool:
        if self.take_at_once():
            return True
        self.waiting[begin] = None
        self._schedule()
        return False

    def _may_begin(self) -> bool:
        if self._begun >= AT_ONCE or not self.allowance.take():
            return False
        self._begun += 1
        self._schedule()
        return True

    def _schedule(self) -> None:
        """Check again in the next turn of the loop, or when the allowance has refilled."""
        if self._handle is None:
            loop = asyncio.get_running_loop()
            wait = 0.0 if self._begun else self.allowance.seconds_until(1)
            self._handle = loop.call_later(wait, self._run_next) if wait else loop.call_soon(self._run_next)

    def _run_next(self) -> None:
        self._handle, self._begun = None, 0
        while self.waiting and self._may_begin():
            begin = next(iter(self.waiting))
            del self.waiting[begin]
            asyncio.get_running_loop().call_soon(begin)
        if self.waiting:
            self._schedule()
