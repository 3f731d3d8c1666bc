"""Runs the server until it is told to stop."""

import gc
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EADDRINUSE
from os import strerror
from socket import SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, AddressFamily, create_connection
from socket import socket as Socket  # noqa: N812 (a class)

import uvicorn
from litestar.types import ASGIApp

from cardhouse.engine import CardhouseError, catalogue_of, find_game, game_names
from cardhouse.server.address import base_url
from cardhouse.server.app import Settings, create_app
from cardhouse.server.author import Author
from cardhouse.server.connections import MOST_CONNECTIONS, PER_ADDRESS, Bounds, Config
from cardhouse.server.games_http import hold_games
from cardhouse.server.house_key import HouseKey
from cardhouse.server.limits import SHARES
from cardhouse.server.logs import count_repeats
from cardhouse.server.losses import warn_of_losses
from cardhouse.server.news import redis_at
from cardhouse.server.open_files import connections_possible
from cardhouse.server.origins import check_address, own_hosts
from cardhouse.server.requests import RequestProtocol
from cardhouse.server.sockets import SocketProtocol
from cardhouse.server.store import Store
from cardhouse.server.visitors import Proxies

STOP_SECONDS = 5
SWITCH_SECONDS = 0.0005
"""A thread that has come back from the database waits so long for one that is busy; Python's usual is ten times that.

The writer comes back many times for each thing it saves, and a loop that is busy with a flood lets go of nothing.
"""
_USUAL = Bounds()
_NONE = Proxies()
_OPEN = HouseKey()


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
    on_ready: Callable[[str], None] | None = None,
    author: Author | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    `lan` listens on every network of the machine instead of `host`. `address` is the base URL that people use, if it
    is another than this server's own (behind a proxy, say). `rate` and `burst` are how many frames one connection may
    send a second and at once, `patience` how many seconds it may take to sit down, `connections` how many one address
    may have. `proxies` are the addresses and networks of those who may say for whom they ask. `key` says who may make
    tables.
    `on_ready` is called with the address when the server listens. `author` is there if rules are being changed.
    Raises CardhouseError if the database can't be used, the port is taken, or the address, a proxy or the Redis URL is
    none.
    """
    if address is not None:
        check_address(address)
    named = Proxies(proxies)
    host = "0.0.0.0" if lan else host  # noqa: S104 (asked for)
    redis = None if redis_url is None else redis_at(redis_url)
    store = Store(database_url, serving=True)
    if redis is not None and not store.shared:
        store.close()
        raise CardhouseError("Redis carries news between servers that share a PostgreSQL; with SQLite it has no use.")
    warn_of_losses(store)
    load_games()
    sockets = [_listen(host, port, store)]
    port = sockets[0].getsockname()[1]
    address = (address or base_url(host, port)).rstrip("/")
    settings = Settings(
        address=address,
        rate=rate,
        burst=burst,
        patience=patience,
        connections=connections,
        proxied=bool(named),
        origins=(*origins, address),
        hosts=tuple(own_hosts(host)),
        key=key,
    )
    bounds = Bounds(
        per_address=connections,
        connections=connections_possible(MOST_CONNECTIONS),
        request_rate=max(_USUAL.request_rate, SHARES["requests"].rate * rate),
        request_burst=max(_USUAL.request_burst, burst),
    )
    server = _Server(how_to_serve(create_app(store, settings, redis, author), bounds, named))
    if author is not None:
        author.stop = server.stop
    server.on_ready = lambda: on_ready(address) if on_ready else None
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    count_repeats()
    _collect_seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    server.run(sockets)


def how_to_serve(app: ASGIApp, bounds: Bounds = _USUAL, proxies: Proxies = _NONE) -> Config:
    """The settings of the web server."""
    return Config(
        app,
        bounds,
        proxies,
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


def load_games() -> None:
    """Load them now: whoever asks for one first would have all tables wait until it is loaded."""
    for name in game_names():
        with suppress(CardhouseError):  # it is told when somebody asks for the games
            catalogue_of(find_game(name))
    hold_games()


def _collect_seldom() -> None:
    """Collect reference cycles among few objects at a time, and among all of them far less often than Python would.

    Everybody waits meanwhile. Logs grow and hold none; to go through all of them again and again is for nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5, 4_000)


class _Server(uvicorn.Server):
    on_ready: Callable[[], None]

    def stop(self) -> None:
        """Close before long; for any thread."""
        self.should_exit = True

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.on_ready()


def how_to_bind(platform: str) -> int:
    """The option by which a port can be had again at once, and by nobody else as long as it is ours.

    Elsewhere SO_REUSEADDR is about connections that have just ended. On Windows it lets a second house listen on the
    port of the first, and who is answered by which is anybody's guess; its SO_EXCLUSIVEADDRUSE, which is defined as
    ~SO_REUSEADDR there, forbids that.
    """
    return ~SO_REUSEADDR if platform == "win32" else SO_REUSEADDR


def _somebody_answers(host: str, port: int) -> bool:
    """Whether there is a house already: BSD and macOS let one network's address be bound beside that of all."""
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
        if _somebody_answers(host, port):
            raise OSError(EADDRINUSE, strerror(EADDRINUSE))
        listening.setsockopt(SOL_SOCKET, how_to_bind(sys.platform), 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        store.close()
        raise CardhouseError(f"Nothing can listen on {host}, port {port}: {error.strerror or error}.") from None
    return listening
