"""Runs the server until it is stopped: in this process, or in several that share a listening socket."""

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EADDRINUSE
from functools import partial
from os import strerror
from signal import raise_signal
from socket import SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, AddressFamily, create_connection
from socket import socket as Socket  # noqa: N812 (a class)
from typing import TYPE_CHECKING

import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct

from cardhouse.engine import CardhouseError, catalogue_of, find_game, game_names
from cardhouse.engine.diagnostics.registry import SINGLE, refusals
from cardhouse.server.access.keys import AdminKey, HouseKey
from cardhouse.server.access.quotas import Quota
from cardhouse.server.access.rate_limits import RATE_LIMITS
from cardhouse.server.api.games import cache_games
from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.cluster.change_feed import redis_at
from cardhouse.server.core.address import base_url
from cardhouse.server.core.file_limit import connections_possible
from cardhouse.server.core.log_limits import is_not_cancelled, limit_repeats
from cardhouse.server.core.shutdown import Closing
from cardhouse.server.core.visitors import Proxies
from cardhouse.server.persistence.integrity import warn_of_losses
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.retention_policy import RetentionPolicy
from cardhouse.server.process.handoff import HandedOverConnection, Lines, Siblings
from cardhouse.server.process.supervisor import check_workers, run_workers
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.transport.connections import MOST_CONNECTIONS, PER_ADDRESS, Bounds, Config, crowd
from cardhouse.server.transport.http import RequestProtocol
from cardhouse.server.transport.origin_check import check_address, own_hosts
from cardhouse.server.transport.prefix import check_prefix, prefix_of, under
from cardhouse.server.transport.websocket import SocketProtocol

if TYPE_CHECKING:
    from cardhouse.server.app.metrics import Metrics

DRAIN_SECONDS = 4
"""Time limit at shutdown for everything received before."""
STOP_SECONDS = 3
"""Time limit for what still remains then; both together are less than systemd's limit (deploy/cardhouse.service)."""
GOODBYE_SECONDS = 1
LOOK_SECONDS = 0.05
SWITCH_SECONDS = 0.0005
"""How long a thread back from the database waits for the interpreter, which is a tenth of Python's default.

The writer returns many times for each entry it saves, and an event loop under a flood of requests never yields by
itself.
"""
_USUAL = Bounds()
_NONE = Proxies()
_OPEN = HouseKey()
log = logging.getLogger("cardhouse.server")
_NOBODY = AdminKey()
_FOR_EVER = RetentionPolicy()
_ANY = Quota()


def serve(
    host: str,
    port: int,
    database_url: str,
    *,
    lan: bool = False,
    address: str | None = None,
    redis_url: str | None = None,
    rate: float = 20.0,
    burst: int = 60,
    patience: float = 10.0,
    connections: int = PER_ADDRESS,
    proxies: Sequence[str] = (),
    origins: Sequence[str] = (),
    key: HouseKey = _OPEN,
    admin: AdminKey = _NOBODY,
    keeping: RetentionPolicy = _FOR_EVER,
    quota: Quota = _ANY,
    lab_ahead: bool = True,
    on_ready: Callable[[str], None] | None = None,
    author: Author | None = None,
    workers: int = 1,
    begin_log: Callable[[], None] | None = None,
    metrics: str | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    `lan` listens on every network of the machine instead of `host`. `address` is the base URL that people use, if it
    isn't this server's own (for example behind a proxy); its path is removed from requests. `rate` and `burst` are the
    frames that one connection may send per second and at once, `patience` is the time in seconds to join, `connections`
    the limit of one address. `proxies` are the addresses and networks of trusted proxies. `key` is needed to create
    tables, `admin` to administer them; `keeping` is the retention policy, and `quota` the limit of stored tables. With
    `lab_ahead`, the lab's kernels are compiled in advance. `on_ready` is called with the address when the server
    listens. `author` is set while a game is being developed. `workers` is the number of processes, each of which has
    some of the tables; with several, each first calls `begin_log`, which must be picklable. `metrics` is the address
    for Prometheus, `ADDRESS:PORT`; further processes use the following ports.

    Raises CardhouseError if the database can't be used, the port is taken, `workers` isn't possible, or the address, a
    proxy or the Redis URL is invalid.
    """
    if begin_log is not None:
        begin_log()
    check_workers(workers)
    if address is not None:
        check_address(address)
        check_prefix(address)
    named = Proxies(proxies)
    host = "0.0.0.0" if lan else host  # noqa: S104 (asked for)
    if redis_url is not None:
        redis_at(redis_url)
    counting = _metrics_at(metrics, 0) if workers == 1 else None
    store = Store(database_url, serving=True)
    if redis_url is not None and not store.shared:
        store.close()
        raise CardhouseError("Redis carries news between servers that share a PostgreSQL; with SQLite it has no use.")
    warn_of_losses(store)
    sockets = [_listen(host, port, store)]
    port = sockets[0].getsockname()[1]
    address = (address or base_url(host, port)).rstrip("/")
    settings = ServerSettings(
        address=address,
        rate=rate,
        burst=burst,
        patience=patience,
        connections=connections,
        proxied=bool(named),
        origins=(*origins, address),
        hosts=tuple(own_hosts(host)),
        key=key,
        admin=admin,
        keeping=keeping,
        quota=quota,
        lab_ahead=lab_ahead and author is None,
    )
    bounds = Bounds(
        per_address=connections,
        connections=connections_possible(MOST_CONNECTIONS),
        request_rate=max(_USUAL.request_rate, RATE_LIMITS["requests"].rate * rate) * crowd(connections),
        request_burst=round(max(_USUAL.request_burst, burst) * crowd(connections)),
    )
    plan = _Plan(settings, bounds, named, redis_url, metrics)

    def ready() -> None:
        if on_ready is not None:
            on_ready(address)

    if workers == 1:
        _run(plan, store, sockets, ready, counting, author)
        return
    try:
        signal = run_workers(workers, partial(_run_one_of_many, plan, database_url, sockets, begin_log), ready)
    finally:
        store.close()
    raise_signal(signal)  # so far, the signal has only stopped the workers


class _Plan(Struct, frozen=True):
    """The settings of every process."""

    settings: ServerSettings
    bounds: Bounds
    proxies: Proxies
    redis_url: str | None
    metrics: str | None


def _run_one_of_many(
    plan: _Plan,
    database_url: str,
    sockets: list[Socket],
    begin_log: Callable[[], None] | None,
    lines: Lines,
    on_ready: Callable[[], None],
) -> None:
    if begin_log is not None:
        begin_log()
    connections_possible(plan.bounds.connections)  # the limit is per process
    counting = _metrics_at(plan.metrics, lines.place)
    store = Store(database_url, serving=True, among=True)
    _run(plan, store, sockets, on_ready, counting, siblings=Siblings(lines))


def _run(
    plan: _Plan,
    store: Store,
    sockets: list[Socket],
    on_ready: Callable[[], None],
    counting: "Metrics | None",
    author: Author | None = None,
    siblings: Siblings | None = None,
) -> None:
    """Serve in this process."""
    load_games()
    redis = None if plan.redis_url is None else redis_at(plan.redis_url)
    closing = Closing()
    app = create_app(store, plan.settings, redis, author, siblings, closing, counting)
    under_path = under(prefix_of(plan.settings.address), app)
    server = _Server(web_config(under_path, plan.bounds, plan.proxies, siblings), closing)
    if author is not None:
        author.stop = server.stop
    server.on_ready = on_ready
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("cardhouse.admin").setLevel(logging.INFO)  # log every action of the administrator
    limit_repeats()
    _tune_gc()
    sys.setswitchinterval(SWITCH_SECONDS)
    server.run(sockets)


def web_config(
    app: ASGIApp, bounds: Bounds = _USUAL, proxies: Proxies = _NONE, siblings: Siblings | None = None
) -> Config:
    """Return the web server's configuration."""
    logging.getLogger("uvicorn.error").addFilter(is_not_cancelled)
    return Config(
        app,
        bounds,
        proxies,
        siblings,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http=RequestProtocol,
        ws=SocketProtocol,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


def _metrics_at(where: str | None, place: int) -> "Metrics | None":
    if where is None:
        return None
    from cardhouse.server.app.metrics import Metrics  # slow to import, and rarely needed

    metrics = Metrics()
    metrics.listen(where, place)
    return metrics


def load_games() -> None:
    """Load all games in advance, because loading one on its first use would delay all tables."""
    for group in SINGLE:
        for refused in refusals(group).values():
            log.warning("%s", refused.message)
    for name in game_names():
        with suppress(CardhouseError):  # reported when the games are requested
            catalogue_of(find_game(name))
    cache_games()


def _tune_gc() -> None:
    """Make garbage collections short, and full ones much rarer than by default.

    Every collection blocks the event loop; with these thresholds, one takes a millisecond. The logs in memory grow and
    contain no cycles, so scanning them repeatedly is wasted.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 1, 20_000)


class _Server(uvicorn.Server):
    """A server that, before it closes, saves all received messages and tells clients to reconnect.

    A second interrupt (Ctrl-C) skips the wait for clients, but pending entries are still saved.
    """

    config: Config
    on_ready: Callable[[], None]

    def __init__(self, config: Config, closing: Closing) -> None:
        super().__init__(config)
        self._closing = closing

    def stop(self) -> None:
        """Start the shutdown; for any thread."""
        self.should_exit = True

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        await super().startup(sockets)
        if self.config.siblings is not None:
            self.config.siblings.begin(self._take_over)
        if not self.should_exit:
            self.on_ready()

    async def _take_over(self, handed: HandedOverConnection, connection: Socket) -> None:
        """Continue a connection that another process handed over; raises OSError if it has closed."""
        if self.should_exit:
            connection.close()
            return

        def protocol() -> RequestProtocol:
            return RequestProtocol(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state, handed=handed
            )

        await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)

    async def shutdown(self, sockets: list[Socket] | None = None) -> None:
        if not await self._drain():
            log.warning("Some work did not finish within %d seconds", DRAIN_SECONDS)
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()

    async def _drain(self) -> bool:
        """Close all sockets once their messages are handled, refusing new ones; return whether all were handled."""
        self._closing.begin(len(self._sockets()))
        for one in self._sockets():
            one.leave(self._closing.within)
        done = await self._until(lambda: all(one.is_over for one in self._sockets()), DRAIN_SECONDS)
        # A client that is cut off before it has read the close frame might miss the last messages.
        await self._until(lambda: not self._sockets(), GOODBYE_SECONDS)
        return done

    async def _until(self, so: Callable[[], bool], seconds: float) -> bool:
        """Wait until `so` returns True, and return True; False after some seconds. A second interrupt ends the wait."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds  # counted once: with many sockets, a single check may take as long as all should
        while not (so() or self.force_exit):
            if loop.time() >= until:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        return True

    def _sockets(self) -> list[SocketProtocol]:
        return [one for one in self.server_state.connections if isinstance(one, SocketProtocol)]


def bind_option(platform: str) -> int:
    """Return the socket option with which a port can be reused at once, but not while it is in use.

    On other systems, SO_REUSEADDR concerns connections that have just ended. On Windows it lets a second server listen
    on the first one's port, and it is undefined which of them answers; SO_EXCLUSIVEADDRUSE, there defined as
    ~SO_REUSEADDR, forbids that.
    """
    return ~SO_REUSEADDR if platform == "win32" else SO_REUSEADDR


def _is_port_used(host: str, port: int) -> bool:
    """Return whether the port is in use: BSD and macOS allow binding one address beside all addresses."""
    if not port:
        return False
    try:
        create_connection(("127.0.0.1" if host == "0.0.0.0" else host, port), timeout=1).close()  # noqa: S104
    except OSError:
        return False
    return True


def _listen(host: str, port: int, store: Store) -> Socket:
    family = AddressFamily.AF_INET6 if ":" in host else AddressFamily.AF_INET
    listening = Socket(family, SOCK_STREAM)
    try:
        if _is_port_used(host, port):
            raise OSError(EADDRINUSE, strerror(EADDRINUSE))
        listening.setsockopt(SOL_SOCKET, bind_option(sys.platform), 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        store.close()
        raise CardhouseError(f"Nothing can listen on {host}, port {port}: {error.strerror or error}.") from None
    return listening
