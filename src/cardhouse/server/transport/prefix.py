"""A server below a path of its site, such as `https://example.org/cards`, which it may share with others.

The application doesn't know the prefix: it is removed from the path of requests, and written into the addresses in the
page's head when the server starts.
"""

import re
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from cardhouse.engine import CardhouseError

_PLAIN = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")


def prefix_of(address: str) -> str:
    """Return the path prefix of the server's address, without a trailing slash; empty if it has the whole site."""
    return urlsplit(address).path.rstrip("/")


def check_prefix(address: str) -> None:
    """Raises CardhouseError if the server can't be opened under the path of this address."""
    parts = urlsplit(address)
    if parts.query or parts.fragment or not _PLAIN.fullmatch(prefix_of(address)):
        raise CardhouseError(
            f'A server can\'t be opened at "{address[:60]}": its path may have letters, digits, dots, dashes and '
            "underscores, like https://example.org/cards."
        )


def under(prefix: str, app: ASGIApp) -> ASGIApp:
    """Return the application with the prefix removed from each path, whether or not a proxy did so already."""
    if not prefix:
        return app
    raw = prefix.encode()

    async def without_prefix(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")  # lifespan events have none
        if path == prefix and scope["type"] == ScopeType.HTTP:
            inside = [(b"location", raw + b"/"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 308, "headers": inside})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if path.startswith(f"{prefix}/"):
            scope["path"] = path.removeprefix(prefix)
            scope["raw_path"] = scope["raw_path"].removeprefix(raw)
        await app(scope, receive, send)

    return without_prefix
