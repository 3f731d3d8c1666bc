"""The application: routes, socket, errors in plain words, and the headers that keep the page to itself."""

import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, WebSocket, websocket
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.types import Message, Scope

import cardhouse
from cardhouse.engine import BadFile, BadTranscript, CardhouseError, Mistake
from cardhouse.engine.errors import Code
from cardhouse.engine.watchdog import watching
from cardhouse.server import static
from cardhouse.server.author import Author
from cardhouse.server.connections import PER_ADDRESS
from cardhouse.server.house import House
from cardhouse.server.house_key import HouseKey
from cardhouse.server.http import ROUTES
from cardhouse.server.lab import Lab
from cardhouse.server.lab_http import LAB_ROUTES
from cardhouse.server.limits import Allowance, Limits, charge
from cardhouse.server.origins import Origins, Refused
from cardhouse.server.protocol import Error, encode
from cardhouse.server.session import TOO_SLOW, Session
from cardhouse.server.sockets import write_of
from cardhouse.server.store import Store
from cardhouse.server.views import files_of_pages
from cardhouse.server.visitors import visitor_of

if TYPE_CHECKING:
    from redis.asyncio import Redis

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_STATUS = {
    "too_many": 429,
    "old_link": 401,
    "not_yours": 403,
    "no_key": 403,
    "wrong_origin": 403,
    "wrong_host": 421,
    "no_such_seat": 404,
    "taken": 409,
    "not_found": 404,
    "no_roster": 404,
    "not_installed": 501,
    "not_saved": 503,
}
ENDLESS_SECONDS = 5.0
"""A game whose rules go on for so long never comes to an end: it is stopped, for all tables wait for it meanwhile."""
FOREIGN = 4403
"""A socket whose page comes from somewhere else is closed with this code."""
log = logging.getLogger("cardhouse.server")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is run.

    `rate` and `burst` are frames of one connection a second and at once, of which all other limits are shares;
    `patience` is how many seconds a connection may take to sit down, `connections` how many sockets a visitor may have.
    `proxied` is whether there are proxies that may say for whom they ask.

    `origins` are further origins (`https://cards.example.org`) that a page may come from, beside the server's own;
    `hosts` are its names beside those of `address` and `origins`, its addresses and `localhost`. `key` is who may make
    tables.
    """

    address: str
    rate: float = 20.0
    burst: int = 60
    patience: float = 10.0
    connections: int = PER_ADDRESS
    proxied: bool = False
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    key: HouseKey = HouseKey()


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wrong, as the socket says it too; of a file that somebody wrote, every mistake in it."""

    code: Code
    message: str
    mistakes: list[Mistake] = []


def create_app(
    store: Store, settings: Settings, redis: "Redis | None" = None, author: Author | None = None
) -> Litestar:
    """The application over a store that is open; it closes it at its end.

    With an `author` it is one that is soon opened anew.
    """

    @asynccontextmanager
    async def house(app: Litestar) -> AsyncIterator[None]:
        app.state["house"] = House(store, redis, author=author)
        app.state["lab"] = Lab(prepare=author is None)
        try:
            if author is not None:
                await author.opened(app.state["house"])
            with watching(ENDLESS_SECONDS):
                yield
        finally:
            await app.state["lab"].close()
            await app.state["house"].close()

    return Litestar(
        [*ROUTES, *LAB_ROUTES, socket],
        state=State(
            {
                "address": settings.address,
                "settings": settings,
                "key": settings.key,
                "page": static.read_page() | files_of_pages(),
                "limits": Limits(settings.rate, settings.burst),
                "origins": Origins((settings.address, *settings.origins), settings.hosts),
                "sockets": Counter(),
            }
        ),
        lifespan=[house],
        guards=[_check_origin, _charge_request],
        exception_handlers={CardhouseError: _refused, HTTPException: _http_error, Exception: _our_error},
        before_send=[_add_headers],
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, exclude_opt_key="compressed_already"),
        openapi_config=OpenAPIConfig(
            title="Cardhouse",
            version=cardhouse.__version__,
            path="/schema",
            render_plugins=[JsonRenderPlugin(path="/"), YamlRenderPlugin()],
        ),
        logging_config=None,
        debug=False,
    )


@websocket("/ws")
async def socket(socket: WebSocket[Any, Any, State], state: State) -> None:
    """A seat at a table: docs/protocol.md."""
    settings: Settings = state["settings"]
    await socket.accept()
    try:
        state["origins"].check(socket)
    except Refused as error:
        await _turn_away(socket, error.code, error.message, FOREIGN)
        return
    limits, visitor = state["limits"], visitor_of(socket)
    sockets: Counter[str] = state["sockets"]
    if sockets[visitor] >= settings.connections or not limits.take("sockets", visitor):
        await _turn_away(socket, "too_many", "That is too many connections at once; try again in a moment.", TOO_SLOW)
        return
    sockets[visitor] += 1
    try:
        allowance = Allowance(settings.rate, settings.burst)
        session = Session(
            state["house"],
            socket.receive,
            socket.send,
            allowance,
            settings.patience,
            lambda kind: limits.take(kind, visitor),
            write_of(socket.scope),
        )
        await session.run()
    finally:
        sockets[visitor] -= 1
        if not sockets[visitor]:
            del sockets[visitor]


async def _turn_away(socket: WebSocket[Any, Any, State], code: Code, message: str, close_code: int) -> None:
    """Say why, on a socket that was accepted so that its page can hear it, and hang up."""
    with suppress(OSError):
        await socket.send_data(encode(Error(code, message)).decode())
        await socket.close(close_code)


async def _check_origin(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """No request is taken that another site's page made; of a socket its page is told when it is open."""
    if isinstance(connection, Request):
        connection.app.state["origins"].check(connection)


async def _charge_request(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Every request but those for the page, which lies ready, is paid for."""
    if isinstance(connection, Request) and connection.scope["path"].startswith("/api/"):
        charge(connection, "requests")
        _warn_of_proxy(connection)


def _warn_of_proxy(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    if "x-forwarded-for" in connection.headers and not connection.app.state["settings"].proxied:
        log.warning(
            "Requests come through a proxy at %s that isn't named, so that all who use it count as one visitor; "
            "name it with --proxy",
            visitor_of(connection),
        )


async def _add_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        own = {name.lower() for name, _ in message["headers"]}
        message["headers"] = [*message["headers"], *(header for header in _HEADERS if header[0] not in own)]


def _refused(request: Request[Any, Any, Any], error: CardhouseError) -> Response[Problem]:
    status = 400 if isinstance(error, BadTranscript) else _STATUS.get(error.code, 400)
    mistakes = error.mistakes if isinstance(error, BadFile) else []
    return Response(Problem(error.code, error.message, mistakes), status_code=status)


_CODES: dict[int, Code] = {404: "not_found", 405: "not_allowed", 413: "too_large", 429: "too_many"}


def _http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    code = _CODES.get(error.status_code, "malformed")
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        message = f"The request doesn't fit: {'; '.join(map(_detail, error.extra))}."
    elif code == "too_large":
        message = "This is larger than anything that is taken in here; is it the right file?"
    else:
        message = error.detail if error.detail.endswith(".") else f"{error.detail}."
    return Response(Problem(code, message), status_code=error.status_code, headers=error.headers)


def _detail(item: Any) -> str:
    if isinstance(item, dict) and item.get("key"):
        return f"{item['key']}: {item['message']}"
    return str(item["message"] if isinstance(item, dict) else item)


def _our_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("A request met with an error of ours", exc_info=error)
    return Response(
        Problem("our_error", "Something went wrong on our side. The server's log has more."),
        status_code=500,
        media_type=MediaType.JSON,
    )
