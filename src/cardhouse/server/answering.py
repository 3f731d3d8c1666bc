"""Answers that a worker made, on their way to whoever asked."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response
from litestar.response import Stream

from cardhouse.server.packing import unpack


def takes_gzip(request: Request[Any, Any, Any]) -> bool:
    """Whether whoever asks can read gzip's form."""
    wanted = [part.replace(" ", "") for part in request.headers.get("accept-encoding", "").split(",")]
    return any(part.partition(";")[0] == "gzip" and not part.endswith(";q=0") for part in wanted)


def sent(
    content: bytes, request: Request[Any, Any, Any], media_type: str, headers: Mapping[str, str] | None = None
) -> Response[Any]:
    """An answer whose content is packed. Its route has the option `compressed_already`."""
    told = {"Vary": "Accept-Encoding", **(headers or {})}
    if takes_gzip(request):
        return Response(content, media_type=media_type, headers={**told, "Content-Encoding": "gzip"})
    return Stream(lambda: unpack(content), media_type=media_type, headers=told)
