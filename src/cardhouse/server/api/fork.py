"""HTTP routes for going on from a position of a table: in a private table, or in the lab."""

from typing import Any

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State

from cardhouse.server.access.quotas import makes_tables
from cardhouse.server.access.rate_limits import rate_limited
from cardhouse.server.api.responses import (
    Authorization,
    EntryNumber,
    RawBody,
    cancel_on_disconnect,
    manager_of,
    response_of,
    sent,
    token_of,
)
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.management.fork import ForkRequest, LabFromHere
from cardhouse.server.transcripts.lessons import ContinuedTable
from cardhouse.server.wire.protocol import FRAME_BYTES

ApiRequest = Request[Any, Any, State]
_NO_STORE = {"Cache-Control": "no-store"}


@post(
    "/api/tables/{table:str}/fork",
    guards=makes_tables(),
    request_max_body_size=FRAME_BYTES,
    dto=RawBody[ForkRequest],
    return_dto=None,
)
async def fork(
    table: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[ContinuedTable]:
    """Create a private table that goes on from a position of this one, with bots in the other seats.

    The link must be allowed to replay this table.
    """
    work = manager_of(state).fork(visitor_of(request), table, token_of(authorization), data)
    return Response(await cancel_on_disconnect(request, work), status_code=201, headers=_NO_STORE)


@get(
    "/api/tables/{table:str}/lab",
    guards=[rate_limited("replays")],
    compressed_already=True,
    **response_of(list[LabFromHere]),
)
async def lab(
    table: str,
    seat: str,
    request: ApiRequest,
    state: State,
    at: EntryNumber = 0,
    authorization: Authorization = None,
) -> Response[Any]:
    """Return the lab questions about a position of this table, with settings as the seat saw them.

    The link must be allowed to replay this table.
    """
    work = manager_of(state).documents.lab_questions_at(visitor_of(request), table, token_of(authorization), seat, at)
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON, _NO_STORE)


ROUTES = [fork, lab]
