"""HTTP routes of the server and its tables, and the list of all routes."""

from typing import Annotated, Any

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

import cardhouse
from cardhouse.engine import CardhouseError
from cardhouse.engine.values.errors import Code
from cardhouse.engine.values.roster import RosterFile
from cardhouse.engine.values.whole_numbers import LARGEST
from cardhouse.server.access.keys import HouseKey, Making, may_make_tables
from cardhouse.server.access.quotas import Room, makes_tables
from cardhouse.server.access.rate_limits import guessing, rate_limited
from cardhouse.server.access.uploads import Uploads, read_body
from cardhouse.server.api import admin, campaigns, fork, forms, games, printing, static_page
from cardhouse.server.api.responses import (
    Authorization,
    EntryNumber,
    RawBody,
    as_file,
    cancel_on_disconnect,
    manager_of,
    response_of,
    sent,
    token_of,
)
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.files.recoding import can_recode, recoded
from cardhouse.server.management import readiness
from cardhouse.server.management.rematch import NextTable, RematchRequest, rematch
from cardhouse.server.management.table_manager import NewTable
from cardhouse.server.table.factory import CreateTableRequest
from cardhouse.server.table.invites import CodeTyped, PlayerSeats, SeatRequest, SeatTaken, TableOfCode
from cardhouse.server.transcripts.recap import RecapResponse
from cardhouse.server.transcripts.replay import Replay
from cardhouse.server.transcripts.transcript_export import Deal
from cardhouse.server.wire.protocol import FRAME_BYTES
from cardhouse.server.wire.requests import REQUEST_BYTES

TRANSCRIPT_BYTES = 8_000_000
PICTURE_BYTES = 2_000_000

_NO_STORE = {"Cache-Control": "no-store"}
_WRONG: tuple[Code, ...] = ("old_link", "no_such_seat")
"""The codes of errors for a wrong invite, seat or table, which are charged as at a socket."""


class Health(Struct, frozen=True):
    """The server's health; `saving` is False while the database fails."""

    saving: bool
    version: str


class PictureBrought(Struct, frozen=True):
    """The number of a picture (`About.faces`)."""

    face: int


class HouseInfo(Struct, frozen=True):
    """The server: `address` is the one for phones, `tables` who may create tables (all, key holders, nobody).

    `makes` says whether the sender of this request may create tables, with the key that it sent, if any. `message` is
    the administrator's announcement, which may be empty. `pictures` says that the server accepts pictures as portraits.
    """

    address: str
    version: str
    tables: Making
    makes: bool
    message: str
    pictures: bool


@get("/api/health", cache_control=None)
async def health(state: State) -> Response[Health]:
    """Return whether the server runs and can save."""
    saving = manager_of(state).saver.healthy
    return Response(Health(saving, cardhouse.__version__), status_code=200 if saving else 503)


@get("/api/house")
async def house_info(request: Request[Any, Any, State], state: State) -> HouseInfo:
    """Return the address of this server, and whether the sender may create tables."""
    key: HouseKey = state["key"]
    makes = True
    try:
        await may_make_tables(request, request.route_handler)
    except CardhouseError as error:
        if error.code != "no_key":
            raise
        makes = False
    message = manager_of(state).announcements.message
    return HouseInfo(state["address"], cardhouse.__version__, key.making, makes, message, can_recode())


@post(
    "/api/tables",
    guards=makes_tables(),
    request_max_body_size=REQUEST_BYTES,
    dto=RawBody[CreateTableRequest],
    return_dto=None,
)
async def make_table(data: bytes, request: Request[Any, Any, State], state: State) -> NewTable:
    """Create a table. Each link is `/t/{table}#{token}` and opens its seat, except `door`.

    The link of `door`, the invite, is `/j/{table}#{token}` and lets its holder take an open seat.
    """
    return await cancel_on_disconnect(request, manager_of(state).make(visitor_of(request), data))


@post(
    "/api/tables/{table:str}/again",
    guards=makes_tables(own=True),
    request_max_body_size=REQUEST_BYTES,
    dto=RawBody[RematchRequest],
    return_dto=None,
)
async def again(
    table: str, data: bytes, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> NextTable:
    """Create a rematch: a table like one that is over, or with changes, for the same people in the same seats.

    For its game master. Each link's secret opens the same seat there: the link is `/t/{table}#{token}`.
    """
    manager, visitor = manager_of(state), visitor_of(request)
    work = rematch(await manager.table(table), manager.workers, visitor, token_of(authorization), data)
    return await cancel_on_disconnect(request, work)


@post("/api/tables/import", guards=makes_tables("imports"), request_max_body_size=TRANSCRIPT_BYTES)
async def import_table(request: Request[Any, Any, State], state: State) -> NewTable:
    """Create a table that goes on where the transcript in the body of the request ends."""
    text = await request.body()
    return await cancel_on_disconnect(request, manager_of(state).import_transcript(visitor_of(request), text))


@post(
    "/api/doors",
    guards=[rate_limited("doors")],
    request_max_body_size=FRAME_BYTES,
    status_code=200,
    dto=RawBody[CodeTyped],
    return_dto=None,
)
async def table_of_code(data: bytes, request: Request[Any, Any, State], state: State) -> Response[TableOfCode]:
    """Return the table that a join code opens; the code is the secret of its invite. Spaces and case are ignored."""
    with guessing(request, *_WRONG):
        return Response(await manager_of(state).table_of_code(data), headers=_NO_STORE)


@get("/api/tables/{table:str}/seats", guards=[rate_limited("doors")])
async def seats(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[PlayerSeats]:
    """Return the players' seats at a table, given the secret of its invite."""
    with guessing(request, *_WRONG):
        return Response(await manager_of(state).seats(table, token_of(authorization)), headers=_NO_STORE)


@post(
    "/api/tables/{table:str}/seats",
    guards=[rate_limited("doors")],
    request_max_body_size=FRAME_BYTES,
    dto=RawBody[SeatRequest],
    return_dto=None,
)
async def take_seat(
    table: str, data: bytes, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[SeatTaken]:
    """Take an open seat at a table, given the secret of its invite; the response has the secret of the seat's link."""
    with guessing(request, *_WRONG):
        taken = await manager_of(state).take_seat(table, token_of(authorization), data)
    return Response(taken, status_code=201, headers=_NO_STORE)


@get(
    "/api/tables/{table:str}/transcript",
    guards=[rate_limited("transcripts")],
    compressed_already=True,
    **response_of(str, "application/jsonl"),
)
async def transcript(
    table: str,
    request: Request[Any, Any, State],
    state: State,
    upto: Annotated[int | None, QueryParameter(ge=0, le=LARGEST)] = None,
    authorization: Authorization = None,
) -> Response[Any]:
    """Return a table's transcript, up to `upto`: for the game master at any time, for other seats after the end."""
    work = manager_of(state).documents.transcript(visitor_of(request), table, token_of(authorization), upto)
    content = await cancel_on_disconnect(request, work)
    return sent(content, request, "application/jsonl; charset=utf-8", as_file(f"{table}.jsonl"))


@get("/api/tables/{table:str}/deal", guards=[rate_limited("deals")], compressed_already=True, **response_of(Deal))
async def deal(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """Return how a finished table was dealt, for the page to verify."""
    work = manager_of(state).documents.deal(visitor_of(request), table, token_of(authorization))
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON, _NO_STORE)


@get("/api/tables/{table:str}/replay", guards=[rate_limited("replays")], compressed_already=True, **response_of(Replay))
async def replay(
    table: str,
    seat: str,
    request: Request[Any, Any, State],
    state: State,
    after: EntryNumber = 0,
    authorization: Authorization = None,
) -> Response[Any]:
    """Return what a seat (or `screen`, or `open` for all hands) saw after each entry, a page of entries at a time.

    The link must be allowed to see the transcript.
    """
    work = manager_of(state).documents.replay(visitor_of(request), table, token_of(authorization), seat, after)
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON, _NO_STORE)


@get(
    "/api/tables/{table:str}/evening",
    guards=[rate_limited("evenings")],
    compressed_already=True,
    **response_of(RecapResponse),
)
async def evening(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """Return a table's recap by its game; the link must be allowed to see the transcript."""
    work = manager_of(state).documents.recap(visitor_of(request), table, token_of(authorization))
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON, _NO_STORE)


@get(
    "/api/tables/{table:str}/roster",
    guards=[rate_limited("rosters")],
    compressed_already=True,
    **response_of(RosterFile),
)
async def roster(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """Return a table's roster file: for the game master at any time, for other seats after the end."""
    work = manager_of(state).documents.roster(visitor_of(request), table, token_of(authorization))
    content = await cancel_on_disconnect(request, work)
    return sent(content, request, MediaType.JSON, as_file(f"{table}-roster.json"))


@post("/api/tables/{table:str}/pictures", guards=[rate_limited("pictures")], request_max_body_size=PICTURE_BYTES)
async def bring_picture(
    table: str,
    request: Request[Any, Any, State],
    state: State,
    name: Annotated[str, QueryParameter(max_length=200)] = "",
    authorization: Authorization = None,
) -> PictureBrought:
    """Set the picture in the body (PNG, JPEG or WebP) as a portrait, for a link that may choose it.

    The server keeps only a small picture that it makes from it. Nothing of the body is read for another link, or before
    it is the visitor's turn.
    """
    token, manager, visitor = token_of(authorization), manager_of(state), visitor_of(request)
    portraits = (await manager.table(table)).portraits
    await portraits.check_may_bring(token, name)
    room: Room = state["room"]
    await room.check_bytes()
    uploads: Uploads = state["uploads"]
    async with uploads.turn(visitor):
        file = await read_body(request)
        image = await cancel_on_disconnect(request, manager.workers.run(visitor, recoded, file))
    room.add_bytes(len(image))
    return PictureBrought(await portraits.bring(token, name, image))


@get(
    "/api/tables/{table:str}/pictures/{face:int}",
    guards=[rate_limited("portraits")],
    compressed_already=True,
    **response_of(bytes, "image/jpeg"),
)
async def picture(
    table: str, face: Annotated[int, PathParameter(ge=0, le=LARGEST)], state: State, authorization: Authorization = None
) -> Response[bytes]:
    """Return a picture that is a portrait at a table, for a link whose view has its name."""
    found = await (await manager_of(state).table(table)).portraits.picture(token_of(authorization), face)
    return Response(found, media_type="image/jpeg", headers=_NO_STORE)


ROUTES = [
    health,
    *readiness.ROUTES,
    house_info,
    *games.ROUTES,
    make_table,
    again,
    import_table,
    table_of_code,
    seats,
    take_seat,
    transcript,
    deal,
    replay,
    evening,
    roster,
    bring_picture,
    picture,
    *fork.ROUTES,
    *campaigns.ROUTES,
    *printing.ROUTES,
    *forms.ROUTES,
    *admin.ROUTES,
    *static_page.ROUTES,
]
