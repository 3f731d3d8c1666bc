"""Rate limits: of one connection, of a visitor, and of all visitors together."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Guard
from msgspec import Struct
from throttled import RateLimiterType, Throttled
from throttled.rate_limiter import Quota, Rate
from throttled.store import MemoryStore

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.errors import Code
from cardhouse.server.core.visitors import NETWORKS, networks_of, visitor_of
from cardhouse.server.process.handoff import HANDED_OVER, HandedOverConnection

EVERYBODY = 20
"""The limit of all visitors together, as a multiple of one visitor's."""
RESERVE = 0.25
"""A share of that limit stays reserved for light users: it is used only when the rest is used up."""
LIGHT = 0.1
"""A visitor, or the widest network it belongs to, may take this share of one visitor's limit from the reserve."""
REMEMBERED = 50_000
"""LRU size of the counters per visitor; an evicted visitor starts afresh."""
_HOUR = timedelta(hours=1)


class TokenBucket:
    """A token bucket: a burst of `burst`, refilled with `rate` a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self, cost: int = 1) -> bool:
        """Consume `cost` tokens; return False, consuming none, if there are too few."""
        if self._tokens_now() < cost:
            return False
        self._left -= cost
        return True

    def charge(self, cost: int) -> None:
        """Consume `cost` tokens, even if the balance becomes negative."""
        self._left = self._tokens_now() - cost

    @property
    def spent(self) -> int:
        """The used part of the burst."""
        return round(self.burst - self._tokens_now())

    def seconds_until(self, count: int) -> float:
        """Return the seconds until `count` tokens are available."""
        return max(0.0, (count - self._tokens_now()) / self.rate)

    def is_full(self) -> bool:
        """Return whether the bucket is full."""
        return self._tokens_now() >= self.burst

    def _tokens_now(self) -> float:
        now = self._clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        return self._left


class RateLimit(Struct, frozen=True):
    """A visitor's limit for one kind of request, relative to the frames a connection may send per second and at once.

    `words` and `when` complete the error message: too many of what, in what time, and when to try again.
    """

    rate: float
    burst: float
    words: str
    when: str = "at once; try again in a moment"


RATE_LIMITS = {
    "requests": RateLimit(2.5, 10, "requests"),
    "games": RateLimit(0.5, 2, "requests about games"),
    "tables": RateLimit(0.05, 1, "tables"),
    "tables in a day": RateLimit(1 / 9000, 10 / 3, "tables", "in one day; try again in some minutes"),
    "imports": RateLimit(0.0025, 1 / 6, "saved games to open"),
    "files": RateLimit(0.05, 0.5, "files"),
    "layouts": RateLimit(0.25, 1, "layouts"),
    "forms": RateLimit(0.25, 1, "previews of cards"),
    "doors": RateLimit(0.25, 1, "requests for open seats"),
    "transcripts": RateLimit(0.05, 0.5, "transcripts"),
    "deals": RateLimit(0.25, 1, "deals"),
    "replays": RateLimit(0.25, 1, "replays"),
    "administration": RateLimit(0.25, 1, "requests for the list of tables"),
    "campaigns": RateLimit(0.25, 1, "requests for campaigns"),
    "foes": RateLimit(0.5, 20 / 3, "NPCs to add"),
    "evenings": RateLimit(0.25, 1, "requests for recaps"),
    "pictures": RateLimit(0.02, 1 / 6, "pictures"),
    "portraits": RateLimit(1, 4, "requests for pictures"),
    "rosters": RateLimit(0.05, 0.5, "rosters"),
    "studies": RateLimit(0.01, 0.25, "studies"),
    "reports": RateLimit(0.05, 0.25, "reports"),
    "prints": RateLimit(0.05, 0.25, "things to print"),
    "sockets": RateLimit(0.5, 5, "connections"),
    "unseated": RateLimit(1, 5, "frames before joining"),
    "asked": RateLimit(1, 2, "questions and changes at tables"),
    "wrong links": RateLimit(1 / 60, 5 / 3, "wrong links"),
}


class Limits:
    """Counts requests against the limits. `rate` and `burst` are those of a connection's frames.

    `crowd` multiplies what a visitor and its networks may do, where a visitor is many people behind one router; all
    visitors together may do no more.

    Each request counts for the visitor, for the larger networks the visitor belongs to, and for all visitors together.
    `on_taken` is called with the kind, the visitor, and the number.
    """

    def __init__(self, rate: float, burst: int, crowd: float = 1) -> None:
        counts, light_counts = (MemoryStore(options={"MAX_SIZE": REMEMBERED}) for _ in range(2))
        all_counts, reserve_counts = MemoryStore(), MemoryStore()

        def limiters(times: float, store: MemoryStore) -> dict[str, Throttled]:
            return {kind: _limiter(share, rate * times, burst * times, store) for kind, share in RATE_LIMITS.items()}

        self._of = {times: limiters(times * crowd, counts) for times in (1, *(times for _, times in NETWORKS))}
        self._all = limiters(EVERYBODY * (1 - RESERVE), all_counts)
        self._light = limiters(LIGHT, light_counts)
        self._reserve = limiters(EVERYBODY * RESERVE, reserve_counts)
        self.on_taken: Callable[[str, str, int], None] = lambda kind, visitor, count: None

    def take(self, kind: str, visitor: str, count: int = 1) -> bool:
        """Consume `count`; return False over the limit of the visitor, one of its networks, or all visitors."""
        if not self.count(kind, visitor, count):
            return False
        self.on_taken(kind, visitor, count)
        return True

    def count(self, kind: str, visitor: str, count: int = 1) -> bool:
        """Like `take`, for requests counted by another process: `on_taken` isn't called."""
        name = f"{kind} {visitor}"
        for who, times in ((visitor, 1), *networks_of(visitor)):
            name = f"{kind} {who}"
            if self._of[times][kind].limit(name, count).limited:
                return False
        if not self._all[kind].limit(kind, count).limited:
            return True
        return not (self._light[kind].limit(name, count).limited or self._reserve[kind].limit(kind, count).limited)

    def charge(self, kind: str, visitor: str, count: int = 1) -> None:
        """Consume `count`. Raises CardhouseError over the limit."""
        if not self.take(kind, visitor, count):
            raise _too_many(kind)

    def check(self, kind: str, visitor: str) -> None:
        """Raises CardhouseError if `charge` would, but consume nothing."""
        names = [(f"{kind} {who}", times) for who, times in ((visitor, 1), *networks_of(visitor))]
        own = all(_has_left(self._of[times][kind], name) for name, times in names)
        rest = _has_left(self._light[kind], names[-1][0]) and _has_left(self._reserve[kind], kind)
        if not own or not (rest or _has_left(self._all[kind], kind)):
            raise _too_many(kind)


def _has_left(limiter: Throttled, name: str) -> bool:
    return limiter.peek(name).remaining > 0


def _too_many(kind: str) -> CardhouseError:
    return CardhouseError(f"Too many {RATE_LIMITS[kind].words} {RATE_LIMITS[kind].when}.", "too_many")


def _limiter(share: RateLimit, rate: float, burst: float, store: MemoryStore) -> Throttled:
    an_hour = max(1, round(share.rate * rate * _HOUR.total_seconds()))
    quota = Quota(Rate(_HOUR, an_hour), max(1, int(share.burst * burst)))
    return Throttled(using=RateLimiterType.GCRA.value, quota=quota, store=store)


def rate_limited(kind: str) -> Guard:
    """Return a guard that charges the visitor before anything of the request is read."""

    async def guard(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
        charge_once(connection, kind)

    return guard


def charge_once(connection: ASGIConnection, kind: str) -> None:  # type: ignore[type-arg]
    """Like `charge`, unless another process of this server charged before it handed the connection over."""
    if handed_over(connection) is None:
        charge(connection, kind)


def handed_over(connection: ASGIConnection) -> HandedOverConnection | None:  # type: ignore[type-arg]
    """Return what another process handed over, having charged for it; None if none did."""
    handed: HandedOverConnection | None = connection.scope["state"].get(HANDED_OVER)
    return handed


def charge(connection: ASGIConnection, kind: str, count: int = 1) -> None:  # type: ignore[type-arg]
    """Charge the visitor of a connection for `count`. Raises CardhouseError over the limit."""
    limits: Limits = connection.app.state["limits"]
    limits.charge(kind, visitor_of(connection), count)


@contextmanager
def guessing(connection: ASGIConnection, *wrong: Code) -> Iterator[None]:  # type: ignore[type-arg]
    """Limit guesses at a secret: errors with these codes are charged as wrong links.

    Over the limit, a right secret is refused, too, before it is compared; and afterwards, if wrong ones that were
    compared at the same time have used up the limit. Raises CardhouseError.
    """
    limits: Limits = connection.app.state["limits"]
    limits.check("wrong links", visitor_of(connection))
    try:
        yield
    except CardhouseError as error:
        if error.code in wrong:
            charge(connection, "wrong links")
        raise
    limits.check("wrong links", visitor_of(connection))
