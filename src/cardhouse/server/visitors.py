"""Who comes in, as far as limits go: an address, or the network it belongs to."""

from typing import Any

from litestar.connection import ASGIConnection


def visitor_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Whom a connection counts for: its address."""
    return connection.client.host if connection.client else ""
