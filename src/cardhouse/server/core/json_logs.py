"""The server's log as lines of JSON, and the id of the request or socket that a line belongs to.

A line names an error's type and where it was raised, but not its message, which may contain names and cards.
"""

import logging
import re
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import msgspec
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from cardhouse.engine import CardhouseError
from cardhouse.server.core.log_limits import PrivateText
from cardhouse.server.core.visitors import Proxies

HEADER = b"x-request-id"
ID_BYTES = 8
FRAMES = 12
"""The number of innermost stack frames that are logged."""
_FIT = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_request: ContextVar[str] = ContextVar("request", default="")


class RequestIds:
    """Gives each request and socket an id, returned in a header; a trusted proxy's id is kept.

    It must be the outermost application: further in, a proxy's address has been replaced by the client's.
    """

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        own = self._id_of(scope)
        _request.set(own.decode())

        async def answer(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [*message.get("headers", []), (HEADER, own)]
            await send(message)

        await self._app(scope, receive, answer)

    def _id_of(self, scope: Scope) -> bytes:
        peer = scope.get("client")
        if peer and peer[0] in self._proxies:
            for name, value in scope["headers"]:
                if name == HEADER and _FIT.fullmatch(value):
                    return value
        return token_hex(ID_BYTES).encode()


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, and if present `request` and `error`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if request := _request.get():
            line["request"] = request
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            line["where"] = [
                f"{frame.f_code.co_filename}:{number} {frame.f_code.co_name}"
                for frame, number in list(traceback.walk_tb(record.exc_info[2]))[-FRAMES:]
            ]
        return msgspec.json.encode(line).decode()


def _message(record: logging.LogRecord) -> str:
    if not isinstance(record.args, tuple) or not record.args:
        return record.getMessage()
    return str(record.msg) % tuple(map(_loggable, record.args))


def _loggable(value: object) -> object:
    """Return a log argument without private words: an error's code or type, `…` for private text."""
    if isinstance(value, CardhouseError):
        return value.code
    if isinstance(value, BaseException):
        return type(value).__name__
    return "…" if isinstance(value, PrivateText) else value


def start_logging(level: int, plain: str, *, as_json: bool) -> None:
    """Write the log to stderr, as lines of JSON or in the format `plain`."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else logging.Formatter(plain))
    logging.basicConfig(level=level, handlers=[handler])
