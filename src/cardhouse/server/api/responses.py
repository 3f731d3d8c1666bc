"""Helpers for routes: request bodies passed to workers undecoded, and responses that workers have encoded."""

import asyncio
from collections.abc import Coroutine, Generator, Mapping
from typing import Annotated, Any, TypeVar

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream
from litestar.typing import FieldDefinition

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.whole_numbers import LARGEST
from cardhouse.server.core.compression import gunzip_chunks
from cardhouse.server.management.table_manager import TableManager

T = TypeVar("T")


Authorization = Annotated[str | None, HeaderParameter(name="Authorization")]
"""The header that carries a secret."""
EntryNumber = Annotated[int, QueryParameter(ge=0, le=LARGEST)]


def manager_of(state: State) -> TableManager:
    """Return the tables of this server."""
    manager: TableManager = state["manager"]
    return manager


class RawBody(AbstractDTO[T]):
    """A request body passed on as bytes; its type appears only in the OpenAPI document."""

    def decode_bytes(self, value: bytes) -> bytes:
        """Return the body unchanged."""
        return value

    @classmethod
    def create_for_field_definition(cls, *given: Any, **named: Any) -> None:
        """Do nothing: no model is needed."""

    @classmethod
    def create_openapi_schema(cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any) -> Any:
        """Return the schema of the body."""
        return schema_creator.for_field_definition(FieldDefinition.from_annotation(cls.model_type))

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        """Return no fields."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        """Return False: nothing is nested."""
        return False


def response_of(kind: Any, media_type: str = MediaType.JSON, status: int = 200) -> dict[str, Any]:
    """Return the OpenAPI response of a route whose response is already encoded."""
    spec = ResponseSpec(data_container=kind, generate_examples=False, media_type=media_type)
    return {"responses": {status: spec}}


async def cancel_on_disconnect(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Await `work`; cancel it if the client disconnects. The request body must have been read.

    Raises CardhouseError, which nobody will read, after a disconnect.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise CardhouseError("The client disconnected.", "gone")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _disconnected(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass  # skips the end of the body


def takes_gzip(request: Request[Any, Any, Any]) -> bool:
    """Return whether the client accepts gzip."""
    encodings = [part.replace(" ", "") for part in request.headers.get("accept-encoding", "").split(",")]
    return any(part.partition(";")[0] == "gzip" and not part.endswith(";q=0") for part in encodings)


def sent(
    content: bytes, request: Request[Any, Any, Any], media_type: str, headers: Mapping[str, str] | None = None
) -> Response[Any]:
    """Return a response with gzipped content. The route must have the option `compressed_already`."""
    all_headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if takes_gzip(request):
        return Response(content, media_type=media_type, headers={**all_headers, "Content-Encoding": "gzip"})
    return Stream(lambda: gunzip_chunks(content), media_type=media_type, headers=all_headers)


def as_file(name: str) -> dict[str, str]:
    """Return the headers of a download with this file name, which must not be cached."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def token_of(authorization: str | None) -> str:
    """Return the secret in an Authorization header.

    Raises CardhouseError if there is none.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise CardhouseError(
            "Say who you are: the header Authorization: Bearer, and the secret of your link.", "old_link"
        )
    return token.strip()
