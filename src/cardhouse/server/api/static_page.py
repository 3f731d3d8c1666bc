"""HTTP routes of the page: its files, and its index at every address that it handles."""

import asyncio
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State

from cardhouse.server.core import static_cache
from cardhouse.server.core.earlier_builds import EarlierBuilds


@get(
    [
        "/",
        "/t",
        "/t/{table:str}",
        "/j",
        "/j/{table:str}",
        "/c",
        "/c/{campaign:str}",
        "/house",
        "/replay",
        "/replay/{table:str}",
        "/replay/{table:str}/what-if",
        "/learn/{game:str}/{lesson:str}",
        "/elements",
        "/art",
        "/minute/{game:str}",
        "/judge",
        "/judge/{game:str}",
        "/lab",
        "/make/{game:str}/{option:str}",
        "/print",
        "/print/{game:str}",
        "/lab/{game:str}",
        "/lab/{game:str}/{question:str}",
        "/lab/{game:str}/{question:str}/sensitivity",
        "/lab/{game:str}/{question:str}/tune",
    ],
    include_in_schema=False,
    compressed_already=True,
)
async def index(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return the page, which reads its own address."""
    return await _file(static_cache.INDEX, request, state)


@get("/{path:path}", include_in_schema=False, compressed_already=True)
async def page_file(path: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Return a file of the page, or of an earlier build of it."""
    return await _file(path.lstrip("/"), request, state)


async def _file(name: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    files: dict[str, static_cache.File] = state["page"]
    if static_cache.INDEX not in files:
        return Response(
            static_cache.NOT_BUILT, status_code=503 if name == static_cache.INDEX else 404, media_type=MediaType.TEXT
        )
    earlier: EarlierBuilds = state["earlier"]
    file = files.get(name) or await asyncio.to_thread(earlier.find, name)
    if file is None:
        # a browser navigates here: the page shows that nothing is found
        if "text/html" in request.headers.get("accept", ""):
            page = files[static_cache.INDEX]
            return Response(page.copies["identity"], status_code=404, media_type=page.media_type)
        return Response("There is nothing here.\n", status_code=404, media_type=MediaType.TEXT)
    return static_cache.answer(file, request)


ROUTES = [index, page_file]
