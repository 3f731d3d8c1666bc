"""HTTP routes of printing: the list of printouts, and their PDFs."""

from typing import Any
from urllib.parse import quote

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State

from cardhouse.server.access.rate_limits import rate_limited
from cardhouse.server.api.responses import RawBody, cancel_on_disconnect, manager_of, response_of
from cardhouse.server.core import static_cache
from cardhouse.server.core.static_cache import cached
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.files.print_jobs import SECONDS, Print, PrintRequest, printed, prints
from cardhouse.server.wire.requests import REQUEST_BYTES

HOW = "Cardhouse-How"
"""The header with advice for printing a PDF, percent-encoded."""


@get("/api/prints", guards=[rate_limited("games")], compressed_already=True, **response_of(list[Print]))
async def prints_listed(request: Request[Any, Any, State]) -> Response[Any]:
    """Return the printouts, each with its settings."""
    return static_cache.answer(await cached(_prints), request)


def _prints() -> static_cache.File:
    return static_cache.computed_file(msgspec.json.encode(prints()), MediaType.JSON)


@post(
    "/api/prints/{name:str}",
    guards=[rate_limited("prints")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    dto=RawBody[PrintRequest],
    return_dto=None,
    compressed_already=True,
    **response_of(bytes, "application/pdf"),
)
async def print_it(name: str, data: bytes, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return the PDF of a printout. Uploaded files aren't stored."""
    work = manager_of(state).workers.run(visitor_of(request), printed, name, data, seconds=SECONDS)
    done = await cancel_on_disconnect(request, work)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(done.name)}",
        "Cache-Control": "no-store",
        HOW: quote(done.how),
    }
    return Response(done.pdf, media_type="application/pdf", headers=headers)


ROUTES = [prints_listed, print_it]
