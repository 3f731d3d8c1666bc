"""HTTP routes of forms for options' files, filled in card by card."""

from typing import Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State

from cardhouse.engine import find_game
from cardhouse.server.access.rate_limits import rate_limited
from cardhouse.server.api.responses import RawBody, cancel_on_disconnect, manager_of, response_of, sent
from cardhouse.server.core import static_cache
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.core.static_cache import cached
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.files.forms import FormFilled, FormRead, FormResponse, evaluate_form, form_response
from cardhouse.server.wire.requests import REQUEST_BYTES

SECONDS = 30.0
"""Time limit of a form: the first one in a process imports what draws its card, possibly from a slow disk."""


@get(
    "/api/games/{game:str}/forms/{option:str}",
    guards=[rate_limited("games")],
    compressed_already=True,
    **response_of(FormResponse),
)
async def form(game: str, option: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return the form for an option's file, with files to begin with."""
    find_game(game)
    return static_cache.answer(await cached(_form, game, option), request)


def _form(game: str, option: str) -> static_cache.File:
    return static_cache.computed_file(msgspec.json.encode(form_response(game, option)), MediaType.JSON)


@post(
    "/api/games/{game:str}/forms/{option:str}",
    guards=[rate_limited("forms")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    compressed_already=True,
    dto=RawBody[FormFilled],
    return_dto=None,
    **response_of(FormRead),
)
async def fill_in(
    game: str, option: str, data: bytes, request: Request[Any, Any, State], state: State
) -> Response[Any]:
    """Evaluate a filled-in form: its mistakes, file and table, and a card as printed. Nothing is stored."""
    find_game(game)
    work = manager_of(state).workers.run(
        visitor_of(request), run_and_gzip, evaluate_form, game, option, data, seconds=SECONDS
    )
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON)


ROUTES = [form, fill_in]
