"""The application: routes, socket, error responses, and security headers."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import OpenAPIMediaType
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

import cardhouse
from cardhouse.engine import BadFile, BadTranscript, CardhouseError, Mistake
from cardhouse.engine.diagnostics.watchdog import watching
from cardhouse.engine.values.errors import Code
from cardhouse.server.access.keys import AdminKey, HouseKey
from cardhouse.server.access.quotas import Quota, Room
from cardhouse.server.access.rate_limits import Limits, charge_once
from cardhouse.server.access.uploads import Uploads
from cardhouse.server.api.tables import ROUTES
from cardhouse.server.core import static_cache
from cardhouse.server.core.earlier_builds import EarlierBuilds
from cardhouse.server.core.game_pages import files_of_pages
from cardhouse.server.core.null_metrics import NullMetrics
from cardhouse.server.core.shutdown import Closing
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.lab.routes import LAB_ROUTES
from cardhouse.server.lab.service import LabService
from cardhouse.server.management.readiness import Readiness
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.repository import Store
from cardhouse.server.persistence.retention_policy import RetentionPolicy
from cardhouse.server.process.handoff import CONNECTION, Siblings, WrongWorker
from cardhouse.server.process.loop_watchdog import steps_end
from cardhouse.server.socket.endpoint import SeatsSocket
from cardhouse.server.table.dev_reload import Author
from cardhouse.server.transport.connections import PER_ADDRESS, crowd
from cardhouse.server.transport.origin_check import Origins
from cardhouse.server.transport.prefix import prefix_of

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from cardhouse.server.app.metrics import Metrics

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
_HEADERS_OF_API = [*_HEADERS, (b"cache-control", b"no-store")]
"""API responses may contain links' secrets, so they are never cached unless the route says otherwise."""
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
    "closing": 503,
    "full": 507,
}
SCHEMA = "/schema"
ENDLESS_SECONDS = 5.0
"""A game's code that runs for this long is stopped as endless, because all tables wait for it. Other code, and a game's
search with a regular expression, has half as long again."""
log = logging.getLogger("cardhouse.server")


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server.

    `rate` and `burst` are the frames of one connection per second and at once; all other limits are shares of these.
    `patience` is the time in seconds for a connection to join, `connections` the limit of a visitor's sockets.
    `proxied` is whether there are trusted proxies.

    `origins` are additional origins (`https://cards.example.org`) whose pages may use the server; `hosts` are its host
    names besides those of `address` and `origins`, its IP addresses and `localhost`. `key` is needed to create tables,
    `admin` to administer them; `keeping` is the retention policy, and `quota` the limit of stored tables. `lab_ahead`
    is whether the lab's kernels are compiled in advance.
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
    admin: AdminKey = AdminKey()
    keeping: RetentionPolicy = RetentionPolicy()
    quota: Quota = Quota()
    lab_ahead: bool = True


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error, as on the socket; for an invalid file, with every mistake in it."""

    code: Code
    message: str
    mistakes: list[Mistake] = []


def create_app(
    store: Store,
    settings: ServerSettings,
    redis: "Redis | None" = None,
    author: Author | None = None,
    siblings: Siblings | None = None,
    closing: Closing | None = None,
    metrics: "Metrics | None" = None,
) -> SeatsSocket:
    """Return the application over an open store, which it closes at its end.

    `author` enables reloads during development; `siblings` are the other processes of the same server. `closing`
    signals the shutdown; `metrics` is optional.
    """
    limits = Limits(settings.rate, settings.burst, crowd(settings.connections))
    if siblings is not None:
        limits.on_taken, siblings.on_charged = siblings.share_charge, limits.count

    earlier = EarlierBuilds(store.builds)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state["manager"] = TableManager(
            store, redis, author=author, siblings=siblings, counting=metrics, keeping=settings.keeping
        )
        app.state["room"] = Room(app.state["manager"].saver, settings.quota)
        app.state["manager"].on_added = app.state["room"].add_bytes
        first = siblings is None or siblings.is_first
        app.state["lab"] = LabService(prepare=settings.lab_ahead) if first else None
        app.state["readiness"] = Readiness(app.state["manager"])
        builds = first and asyncio.create_task(asyncio.to_thread(earlier.keep, static_cache.FOLDER, time.time()))
        watch = metrics and asyncio.create_task(
            metrics.watch(app.state["manager"], app.state["lab"], app.state["sockets"])
        )
        try:
            if author is not None:
                await author.opened(app.state["manager"])
            with watching(ENDLESS_SECONDS), steps_end(1.5 * ENDLESS_SECONDS):
                yield
        finally:
            if watch:
                watch.cancel()
            if builds:
                await builds
            if app.state["lab"] is not None:
                await app.state["lab"].close()
            await app.state["manager"].close()

    framework = Litestar(
        [*ROUTES, *LAB_ROUTES],
        state=State(
            {
                "address": settings.address,
                "settings": settings,
                "key": settings.key,
                "admin": settings.admin,
                "page": static_cache.read_page(prefix=prefix_of(settings.address)) | files_of_pages(),
                "earlier": earlier,
                "limits": limits,
                "origins": Origins((settings.address, *settings.origins), settings.hosts),
                "sockets": Counter(),
                "uploads": Uploads(),
                "closing": closing or Closing(),
                "counting": metrics or NullMetrics(),
            }
        ),
        lifespan=[lifespan],
        guards=[_check_origin, _charge_request, _refuse_when_closing],
        exception_handlers={
            WrongWorker: _hand_over,
            CardhouseError: _refused,
            HTTPException: _http_error,
            Exception: _our_error,
        },
        before_send=[_add_headers],
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, exclude_opt_key="compressed_already"),
        openapi_config=OpenAPIConfig(
            title="Cardhouse",
            version=cardhouse.__version__,
            render_plugins=[JsonRenderPlugin(path="/")],
            openapi_router=Router(
                SCHEMA,
                before_request=_schema_from_cache,
                route_handlers=[],
                include_in_schema=False,
                opt={"compressed_already": True},
            ),
        ),
        logging_config=None,
        debug=False,
    )
    return SeatsSocket(framework)


async def _schema_from_cache(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Return the description of the HTTP routes, which takes half a second to make; None for other paths below it."""
    if request.scope["path"].rstrip("/").removesuffix("/openapi.json") != SCHEMA:
        return None
    return static_cache.answer(await static_cache.cached(_schema, request.app), request)


def _schema(app: Litestar) -> static_cache.File:
    return static_cache.computed_file(
        msgspec.json.encode(app.openapi_schema.to_schema()), OpenAPIMediaType.OPENAPI_JSON
    )


async def _check_origin(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse requests from other sites' pages; sockets are checked once accepted, so their page gets the reason."""
    if isinstance(connection, Request):
        connection.app.state["origins"].check(connection)


async def _charge_request(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Charge every API request; the page's files are free."""
    if isinstance(connection, Request) and connection.scope["path"].startswith("/api/"):
        charge_once(connection, "requests")
        _warn_of_proxy(connection)


async def _refuse_when_closing(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse changes during shutdown; sockets are refused after being accepted, so their page gets the reason."""
    if isinstance(connection, Request):
        connection.app.state["closing"].check(connection.method)


def _warn_of_proxy(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    if "x-forwarded-for" in connection.headers and not connection.app.state["settings"].proxied:
        log.warning(
            "Requests come through an unnamed proxy at %s, so all its users count as one visitor. Name it with --proxy",
            visitor_of(connection),
        )


async def _add_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        own = {name.lower() for name, _ in message["headers"]}
        headers = _HEADERS_OF_API if scope["path"].startswith("/api/") else _HEADERS
        message["headers"] = [*message["headers"], *(header for header in headers if header[0] not in own)]


def _hand_over(request: Request[Any, Any, Any], error: WrongWorker) -> Response[None]:
    """Hand the request to another process; the response from here is discarded."""
    request.scope["state"][CONNECTION].leave_for(error.place)
    return Response(None, status_code=503)


def _refused(request: Request[Any, Any, Any], error: CardhouseError) -> Response[Problem]:
    request.app.state["counting"].refused(error.code)
    status = 400 if isinstance(error, BadTranscript) else _STATUS.get(error.code, 400)
    mistakes = error.mistakes if isinstance(error, BadFile) else []
    headers = {"Retry-After": str(1 + request.app.state["closing"].within)} if error.code == "closing" else {}
    return Response(Problem(error.code, error.message, mistakes), status_code=status, headers=headers)


_CODES: dict[int, Code] = {404: "not_found", 405: "not_allowed", 413: "too_large", 429: "too_many"}


def _http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    code = _CODES.get(error.status_code, "malformed")
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        message = f"The request doesn't fit: {'; '.join(map(_detail, error.extra))}."
    elif code == "too_large":
        message = "This file is too large. Check that it is the right one."
    else:
        message = error.detail if error.detail.endswith(".") else f"{error.detail}."
    headers = {
        name: f"{said}, HEAD" if name.lower() == "allow" and "GET" in said else said
        for name, said in (error.headers or {}).items()
    }
    return Response(Problem(code, message), status_code=error.status_code, headers=headers)


def _detail(item: Any) -> str:
    if isinstance(item, dict) and item.get("key"):
        return f"{item['key']}: {item['message']}"
    return str(item["message"] if isinstance(item, dict) else item)


def _our_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("Internal error in a request", exc_info=error)
    return Response(
        Problem("our_error", "Something went wrong on our side. The server's log has more."),
        status_code=500,
        media_type=MediaType.JSON,
    )
