"""No text in a request costs the event loop, in which all tables are played, more than some steps: never by the clock.

Workers refuse everything here. Bodies have at most the size that is read in the loop.
"""

import asyncio
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from cardhouse.engine import GM, CardhouseError
from cardhouse.server.access.keys import AdminKey
from cardhouse.server.api.responses import RawBody
from cardhouse.server.app.factory import ServerSettings, create_app
from cardhouse.server.jobs.pool import Workers
from cardhouse.server.persistence.repository import Store
from cardhouse.server.wire.requests import SHORT_BYTES
from tests.server.steps import SHAPES, Steps, encoded, hostile, nested, sample, spots, type_of
from tests.server.talking import SECONDS
from tests.server.test_steps import MOST_STEPS
from tests.thorough import many

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

ADDRESS_BYTES = 4_000
"""The texts in an address and in a header: the server reads no longer ones."""
KEY = "the administrator's"
KNOWN = {"game": "hackjack", "question": "deadly", "lesson": "1-death-waits", "option": "wounds", "path": "sw.js"}


async def refuse(*_: Any, **__: Any) -> Any:
    """As workers that have too much to do already."""
    raise CardhouseError("Too much at once.", "too_many")


class Asked(typing.NamedTuple):
    """A request; `secret` is what stands behind `Bearer`."""

    method: str
    path: str
    query: str = ""
    secret: str = ""
    body: bytes = b""


async def cost(app: Litestar, asked: Asked) -> tuple[int, int]:
    """Return the steps of a request in this thread, and the status of the response."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "method": asked.method,
        "path": asked.path,
        "raw_path": quote(asked.path).encode(),
        "query_string": asked.query.encode(),
        "headers": [
            (b"host", b"127.0.0.1"),
            (b"content-type", b"application/json"),
            (b"authorization", f"Bearer {asked.secret}".encode()),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    parts = iter([{"type": "http.request", "body": asked.body, "more_body": False}])
    said: list[Any] = []

    async def receive() -> Any:
        return next(parts, None) or await asyncio.Future()

    async def send(message: Any) -> None:
        said.append(message)

    async with asyncio.timeout(SECONDS):
        with Steps() as steps:
            await app(typing.cast(Any, scope), receive, send)
    return steps.count, said[0]["status"]


def texts(name: str, size: int, most: int | None = None) -> Iterator[str]:
    """All hostile texts in the second tier; in the first, another one per place."""
    turn = sum(name.encode()) % len(SHAPES)
    yield from (hostile(one, size, most) for n, one in enumerate(SHAPES) if many(1, 0) or n == turn)


def requests_of(route: HTTPRoute, method: str, known: dict[str, str], secret: str) -> Iterator[tuple[str, Asked]]:
    """Hostile requests of a route: the place of the text, and the request."""
    handler = {str(one): found for one, (found, _) in route.route_handler_map.items()}[method]
    path = route.path_format.format(**known).replace("//", "/")
    for name in route.path_parameters:
        for text in texts(name, ADDRESS_BYTES):
            yield f"{name} of", Asked(method, route.path_format.format(**{**known, name: text}).replace("//", "/"))
    named = [name for name in inspect.signature(handler.fn).parameters if name not in route.path_parameters]
    for name in named:
        for text in texts(name, ADDRESS_BYTES):
            yield f"?{name} of", Asked(method, path, urlencode({name: text})[: 2 * ADDRESS_BYTES], secret)
    for text in texts("secret", ADDRESS_BYTES):
        yield "the secret of", Asked(method, path, secret=text)
    if method in ("GET", "HEAD", "DELETE", "OPTIONS"):
        return
    dto = handler.dto
    kind = type_of(dto.model_type) if isinstance(dto, type) and issubclass(dto, RawBody) else None
    for place, put, most in spots(kind) if kind is not None else ():
        for text in texts(place, SHORT_BYTES - len(encoded(put(""))), most):
            yield f"{place} in", Asked(method, path, "", secret, encoded(put(text))[:SHORT_BYTES])
    for how, value in nested(SHORT_BYTES):
        yield f"{how} for", Asked(method, path, "", secret, value)
    for text in texts(path, SHORT_BYTES):
        yield "a body for", Asked(method, path, "", secret, text.encode()[:SHORT_BYTES])
    if kind is not None:
        yield "", Asked(method, path, "", secret, encoded(sample(kind)))


def test_no_text_of_a_request_costs_many_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "run_when_due", refuse)

    async def run() -> None:
        settings = ServerSettings(
            address="http://127.0.0.1", rate=1e9, burst=10**9, admin=AdminKey(KEY), lab_ahead=False
        )
        app = create_app(Store(f"sqlite:///{tmp_path}/cards.db"), settings).framework
        async with app.lifespan():
            made = await app.state["manager"].create("hackjack", [GM, "p1", "p2"], odds="off")
            await app.state["lab"].close()
            dear: list[str] = []
            tried = 0
            for route in (one for one in app.routes if isinstance(one, HTTPRoute)):
                for method in route.methods:
                    if method == "OPTIONS" or (method == "DELETE" and route.path_parameters):
                        continue
                    secret = KEY if route.path.startswith("/api/house") else made.links[GM]
                    known = {**dict.fromkeys(route.path_parameters, "1"), **KNOWN, "table": made.table}
                    for place, asked in requests_of(route, method, known, secret):
                        steps, status = await cost(app, asked)
                        tried += 1
                        if steps > MOST_STEPS or (status >= 500 and status not in (501, 503)):
                            dear.append(f"{place} {method} {route.path}: {steps} steps, status {status}")
            assert not dear, "\n".join(dear)
            assert tried > 300

    asyncio.run(run())
