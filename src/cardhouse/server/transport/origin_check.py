"""The hosts and origins that may use this server, to protect it against other sites' pages in a browser.

Another site's page can make a browser send requests here, and read the answers if its own name resolves to this address
(DNS rebinding). Programs, which send no origin, are admitted.
"""

import logging
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

from cardhouse.engine import CardhouseError
from cardhouse.server.core.address import is_anywhere

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS = {"http": 80, "https": 443}
_OWN_SITE = ("same-origin", "none")
_LONGEST = 100
log = logging.getLogger("cardhouse.server")

_Origin = tuple[str, str, int]


class OriginRefused(CardhouseError):
    """A request by an unknown host name, or from another site's page; the message says how to allow it."""


class Origins:
    """The server's own host names, and the additional origins that may use it.

    `named` are origins (`https://cards.example.org`), `hosts` names without a port.
    """

    def __init__(self, named: Iterable[str], hosts: Iterable[str] = ()) -> None:
        self._named = {origin for origin in map(_parsed, named) if origin}
        self._hosts = {*_LOOPBACK, *(host.lower() for host in hosts), *(host for _, host, _ in self._named)}

    def check(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Raises OriginRefused for an unknown host name, and for a change or a socket from another origin."""
        self._check_host(connection)
        if connection.scope.get("method") not in SAFE_METHODS:  # a socket has no method
            self._check_origin(connection)

    def _check_host(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        value = connection.headers.get("host")
        host = _host(value) if value else None
        if not value or host in self._hosts:
            return
        server = connection.scope["server"]
        if server and host == server[0]:  # an address of this machine
            return
        log.warning("Refused a request for the host %.100r. Set the address that people open with --address", value)
        raise OriginRefused(
            f'This server isn\'t known as "{value[:_LONGEST]}". If people open it by that name, start it with '
            f"--address http://{value[:_LONGEST]} (or https).",
            "wrong_host",
        )

    def _check_origin(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        origin = connection.headers.get("origin")
        own = own_origin(connection)
        if origin is None:
            if connection.headers.get("sec-fetch-site", "none") in _OWN_SITE:
                return
            origin = "another site"
        elif self.allows(origin, own):
            return
        log.warning(
            "Refused a page from %.100r at %.100r. Set the address that people open with --address", origin, own
        )
        raise OriginRefused(
            f"This page comes from {origin[:_LONGEST]}, which isn't this server ({own[:_LONGEST]}). If people open "
            f"the server there, start it with --address {origin[:_LONGEST]}.",
            "wrong_origin",
        )

    def allows(self, origin: str, own: str) -> bool:
        """Return whether a page of this origin may use a server that was reached at the origin `own`."""
        parsed = _parsed(origin)
        return parsed is not None and (parsed in self._named or parsed == _parsed(own))


def own_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the origin of a page that was loaded with this connection's host and scheme."""
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return f"{scheme}://{connection.headers.get('host', '')}"


def check_address(address: str) -> None:
    """Raises CardhouseError if a browser can't open this address."""
    if _parsed(address) is None:
        raise CardhouseError(f'"{address[:60]}" isn\'t an address. Write it in full, like https://cards.example.org.')


def own_hosts(host: str) -> list[str]:
    """Return the host names of a server that listens on `host`, besides its addresses."""
    if not is_anywhere(host):
        return [host]
    name = socket.gethostname()
    return [name, f"{name}.local"]


def _host(value: str) -> str | None:
    """Return the host without its port; None if it is invalid."""
    try:
        return None if "@" in value else urlsplit(f"//{value}").hostname
    except ValueError:
        return None


def _parsed(origin: str) -> _Origin | None:
    try:
        parts = urlsplit(origin)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and "@" not in parts.netloc else None
