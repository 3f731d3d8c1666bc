"""HTTP routes of campaigns."""

import asyncio
from functools import partial
from typing import Any

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State

from cardhouse.server.access.quotas import charge_further_tables, makes_tables
from cardhouse.server.access.rate_limits import charge, rate_limited
from cardhouse.server.api.responses import (
    Authorization,
    RawBody,
    cancel_on_disconnect,
    manager_of,
    response_of,
    sent,
    token_of,
)
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.management import campaigns
from cardhouse.server.management.campaign_archive import CampaignFile
from cardhouse.server.management.campaign_view import Campaign, Characters
from cardhouse.server.management.campaigns import (
    CampaignBack,
    CampaignNoted,
    CreateCampaignResponse,
    EncounterRequest,
    EncountersRequest,
    NextSessionRequest,
)
from cardhouse.server.management.rematch import NextTable
from cardhouse.server.table.encounters import Brought
from cardhouse.server.wire.protocol import FRAME_BYTES
from cardhouse.server.wire.requests import REQUEST_BYTES

CAMPAIGN_BYTES = 16_000_000
ApiRequest = Request[Any, Any, State]
_NO_STORE = {"Cache-Control": "no-store"}


@post(
    "/api/tables/{table:str}/campaign",
    guards=[rate_limited("tables")],
    request_max_body_size=REQUEST_BYTES,
    dto=RawBody[CampaignNoted],
    return_dto=None,
)
async def begin(
    table: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[CreateCampaignResponse]:
    """Create a campaign with a table as its first session, for its game master. The link is `/c/{campaign}#{token}`."""
    response = await cancel_on_disconnect(
        request, campaigns.begin(manager_of(state), table, token_of(authorization), data)
    )
    return Response(response, status_code=201, headers=_NO_STORE)


@get("/api/campaigns/{campaign:str}", guards=[rate_limited("campaigns")])
async def show(
    campaign: str, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[Campaign]:
    """Return everything in a campaign, with the secret of its link."""
    work = campaigns.show(manager_of(state), visitor_of(request), campaign, token_of(authorization))
    return Response(await cancel_on_disconnect(request, work), headers=_NO_STORE)


@get("/api/campaigns/{campaign:str}/characters", guards=[rate_limited("campaigns")])
async def characters(
    campaign: str, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[Characters]:
    """Return every character as the last session left it, with the secret of the campaign's link."""
    work = campaigns.characters(manager_of(state), visitor_of(request), campaign, token_of(authorization))
    return Response(await cancel_on_disconnect(request, work), headers=_NO_STORE)


@post(
    "/api/campaigns/{campaign:str}",
    guards=[rate_limited("campaigns")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    dto=RawBody[CampaignNoted],
    return_dto=None,
)
async def note(
    campaign: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[Campaign]:
    """Set a campaign's name and notes."""
    work = campaigns.note(manager_of(state), visitor_of(request), campaign, token_of(authorization), data)
    return Response(await cancel_on_disconnect(request, work), headers=_NO_STORE)


@post("/api/campaigns/{campaign:str}/link", guards=[rate_limited("campaigns")], request_max_body_size=FRAME_BYTES)
async def renew(campaign: str, state: State, authorization: Authorization = None) -> Response[CreateCampaignResponse]:
    """Replace a campaign's link; the old one becomes invalid."""
    response = await asyncio.shield(
        asyncio.ensure_future(campaigns.renew(manager_of(state), campaign, token_of(authorization)))
    )
    return Response(response, status_code=201, headers=_NO_STORE)


@post(
    "/api/campaigns/{campaign:str}/evening",
    guards=makes_tables(own=True),
    request_max_body_size=REQUEST_BYTES,
    dto=RawBody[NextSessionRequest],
    return_dto=None,
)
async def evening(
    campaign: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> NextTable:
    """Create the next session: the same people, seats and rules, and every character as it was left."""
    token, visitor = token_of(authorization), visitor_of(request)
    work = campaigns.next_evening(manager_of(state), visitor, campaign, token, data or b"{}")
    return await cancel_on_disconnect(request, work)


@post(
    "/api/campaigns/{campaign:str}/encounters",
    guards=[rate_limited("campaigns")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    dto=RawBody[EncountersRequest],
    return_dto=None,
)
async def prepare(
    campaign: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> Response[Campaign]:
    """Replace a campaign's encounters, which are NPCs prepared in advance."""
    work = campaigns.prepare(manager_of(state), visitor_of(request), campaign, token_of(authorization), data)
    return Response(await cancel_on_disconnect(request, work), headers=_NO_STORE)


@post(
    "/api/campaigns/{campaign:str}/encounters/bring",
    guards=[rate_limited("campaigns")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    dto=RawBody[EncounterRequest],
    return_dto=None,
)
async def bring_in(
    campaign: str, data: bytes, request: ApiRequest, state: State, authorization: Authorization = None
) -> Brought:
    """Bring the NPCs of an encounter to the campaign's last table."""
    pay = partial(charge, request, "foes")
    work = campaigns.bring_in(manager_of(state), campaign, token_of(authorization), data, pay)
    return await cancel_on_disconnect(request, work)


@get(
    "/api/campaigns/{campaign:str}/file",
    guards=[rate_limited("transcripts")],
    compressed_already=True,
    **response_of(CampaignFile),
)
async def file(campaign: str, request: ApiRequest, state: State, authorization: Authorization = None) -> Response[Any]:
    """Return a campaign as one file: its notes, and the transcript of each session."""
    work = campaigns.save(manager_of(state), visitor_of(request), campaign, token_of(authorization))
    name = {"Content-Disposition": f'attachment; filename="{campaign}-campaign.json"', **_NO_STORE}
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON, name)


@post("/api/campaigns/import", guards=makes_tables("imports"), request_max_body_size=CAMPAIGN_BYTES)
async def bring_back(request: ApiRequest, state: State) -> Response[CampaignBack]:
    """Create a campaign from its file, which is the body of the request, with new links."""
    text = await request.body()
    pay = partial(charge_further_tables, request)
    response = await cancel_on_disconnect(
        request, campaigns.bring_back(manager_of(state), visitor_of(request), text, pay)
    )
    return Response(response, status_code=201, headers=_NO_STORE)


ROUTES = [begin, show, characters, note, renew, prepare, bring_in, evening, file, bring_back]
