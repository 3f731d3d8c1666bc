"""Between HTTP and the workers: bodies that are left unread for them, and answers that they made."""

import asyncio
from collections.abc import Coroutine, Generator, Mapping
from typing import Annotated, Any, TypeVar

from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter
from litestar.response import Stream
from litestar.typing import FieldDefinition

from cardhouse.engine import CardhouseError
from cardhouse.server.core.compression import unpack
from cardhouse.server.management.house import House

T = TypeVar("T")


Authorization = Annotated[str | None, HeaderParameter(name="Authorization")]
"""The header in which a secret comes."""


def house_of(state: State) -> House:
    """The house that is served."""
    house: House = state["house"]
    return house


class RawBody(AbstractDTO[T]):
    """The body of a request as it came. A type says what it should be in the description of the HTTP part."""

    def decode_bytes(self, value: bytes) -> bytes:
        """The body."""
        return value

    @classmethod
    def create_for_field_definition(cls, *given: Any, **named: Any) -> None:
        """There is nothing to prepare."""

    @classmethod
    def create_openapi_schema(cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any) -> Any:
        """What the body should be."""
        return schema_creator.for_field_definition(FieldDefinition.from_annotation(cls.model_type))

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        """Nothing is looked at."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        """Nothing is looked at."""
        return False


def tells(kind: Any, media_type: str = MediaType.JSON, status: int = 200) -> dict[str, Any]:
    """What a route answers, for the description of the HTTP part, where the answer is encoded already."""
    spec = ResponseSpec(data_container=kind, generate_examples=False, media_type=media_type)
    return {"responses": {status: spec}}


async def as_long_as_asked(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """What comes of work, which is cancelled when whoever asked hangs up. The body has been read.

    Raises CardhouseError, which nobody will read, if they have.
    """
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise CardhouseError("The client disconnected.", "gone")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _hung_up(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass  # the end of a body


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


def as_file(name: str) -> dict[str, str]:
    """The headers of an answer that is to be saved under this name, and kept nowhere else."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def token_of(authorization: str | None) -> str:
    """The secret that somebody names.

    Raises CardhouseError if they don't.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise CardhouseError(
            "Say who you are: the header Authorization: Bearer, and the secret of your link.", "old_link"
        )
    return token.strip()
