"""How much one connection may say, and all of them may ask for."""

import time
from collections.abc import Callable

from litestar.datastructures import State

from cardhouse.engine import CardhouseError


class Allowance:
    """A token bucket: `burst` things at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self, cost: int = 1) -> bool:
        """Use so many up; False, and nothing is used up, if there are too few left."""
        now = self._clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True


def allow(state: State, what: str = "tables") -> None:
    """Raises CardhouseError if too many tables are being made, files read, or layouts judged."""
    making: Allowance = state["making"]
    if not making.take():
        raise CardhouseError(f"That is too many {what} at once; try again in a moment.", "too_many")
