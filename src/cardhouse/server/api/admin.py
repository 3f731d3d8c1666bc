"""HTTP routes of administration, for holders of the admin key."""

from typing import Annotated, Any

from litestar import Request, Response, delete, get, post, put
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter

import cardhouse
from cardhouse.server.access.keys import AdminKey
from cardhouse.server.access.rate_limits import guessing, rate_limited
from cardhouse.server.api.responses import (
    RawBody,
    as_file,
    cancel_on_disconnect,
    manager_of,
    response_of,
    sent,
    token_of,
)
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.management import administration
from cardhouse.server.management.administration import AnnouncementRequest, HouseOverview, LinkRequest, LinkResponse
from cardhouse.server.wire.protocol import FRAME_BYTES

ApiRequest = Request[Any, Any, State]
_NO_STORE = {"Cache-Control": "no-store"}


async def _administers(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """A guard for the administrator's routes. A wrong key costs as much as a wrong link."""
    key: AdminKey = connection.app.state["admin"]
    with guessing(connection, "no_key"):
        key.check(token_of(connection.headers.get("authorization")))


_GUARDS = [rate_limited("administration"), _administers]


@get("/api/house/tables", guards=_GUARDS)
async def look(
    state: State,
    find: Annotated[str, QueryParameter(max_length=100)] = "",
    after: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
) -> Response[HouseOverview]:
    """Return the server's overview, and fifty of its tables after the first `after`, last used first."""
    days = state["settings"].keeping.days
    overview = await administration.look(manager_of(state), cardhouse.__version__, days, find.strip(), after)
    return Response(overview, headers=_NO_STORE)


@post(
    "/api/house/tables/{table:str}/link",
    guards=_GUARDS,
    request_max_body_size=FRAME_BYTES,
    dto=RawBody[LinkRequest],
    return_dto=None,
)
async def renew(table: str, data: bytes, state: State) -> Response[LinkResponse]:
    """Replace the link of a seat, or the invite; the old one becomes invalid."""
    response = await administration.renew(manager_of(state), table, data)
    return Response(response, status_code=201, headers=_NO_STORE)


@post("/api/house/tables/{table:str}/end", guards=_GUARDS, request_max_body_size=FRAME_BYTES, status_code=204)
async def end(table: str, state: State) -> None:
    """End a table, after a short notice to its players."""
    await administration.end(manager_of(state), table)


@get(
    "/api/house/tables/{table:str}/transcript",
    guards=_GUARDS,
    compressed_already=True,
    **response_of(str, "application/jsonl"),
)
async def export(table: str, request: ApiRequest, state: State) -> Response[Any]:
    """Return the transcript of a table with nothing hidden."""
    text = await cancel_on_disconnect(request, administration.export(manager_of(state), visitor_of(request), table))
    return sent(text, request, "application/jsonl; charset=utf-8", as_file(f"{table}.jsonl"))


@delete("/api/house/tables/{table:str}", guards=_GUARDS)
async def delete_table(table: str, state: State) -> None:
    """Delete a table with all its data."""
    await administration.delete(manager_of(state), table)


@put(
    "/api/house/message",
    guards=_GUARDS,
    request_max_body_size=FRAME_BYTES,
    status_code=204,
    dto=RawBody[AnnouncementRequest],
    return_dto=None,
)
async def say(data: bytes, state: State) -> None:
    """Set the announcement shown to everyone; an empty message removes it."""
    await administration.say(manager_of(state), data)


ROUTES = [look, renew, end, export, delete_table, say]
