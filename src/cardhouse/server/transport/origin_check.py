"""Which hosts and origins are this house's own, so that no page of anybody else's speaks to it through a browser.

A page of another site may have a browser send requests here, and by its own name for this address (DNS rebinding) even
read the answers. Programs, which say no origin, are let in.
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
    """Somebody who comes by a name, or from a page, that isn't ours; the message says what would let them in."""


class Origins:
    """The house's own names, and the origins of pages that may speak to it beside its own.

    `named` are origins (`https://cards.example.org`), `hosts` names without a port.
    """

    def __init__(self, named: Iterable[str], hosts: Iterable[str] = ()) -> None:
        self._named = {origin for origin in map(_parsed, named) if origin}
        self._hosts = {*_LOOPBACK, *(host.lower() for host in hosts), *(host for _, host, _ in self._named)}

    def check(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Raises Refused if it comes by a name that isn't ours, or asks for a change, or a socket, from elsewhere."""
        self._check_host(connection)
        if connection.scope.get("method") not in SAFE_METHODS:  # a socket has none
            self._check_origin(connection)

    def _check_host(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        said = connection.headers.get("host")
        host = _host(said) if said else None
        if not said or host in self._hosts:
            return
        server = connection.scope["server"]
        if server and host == server[0]:  # an address of this machine
            return
        log.warning("Refused a request for the host %.100r. Set the address that people open with --address", said)
        raise OriginRefused(
            f'This house isn\'t known as "{said[:_LONGEST]}". If people open it by that name, start it with '
            f"--address http://{said[:_LONGEST]} (or https).",
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
            f"This page comes from {origin[:_LONGEST]}, which isn't this house ({own[:_LONGEST]}). If people open it "
            f"there, start it with --address {origin[:_LONGEST]}.",
            "wrong_origin",
        )

    def allows(self, origin: str, own: str) -> bool:
        """Whether a page of this origin may speak to a house that it asked for at its `own` one."""
        parsed = _parsed(origin)
        return parsed is not None and (parsed in self._named or parsed == _parsed(own))


def own_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The origin that a page would have that was asked for like this."""
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return f"{scheme}://{connection.headers.get('host', '')}"


def check_address(address: str) -> None:
    """Raises CardhouseError if this is no address that a browser could open."""
    if _parsed(address) is None:
        raise CardhouseError(f'"{address[:60]}" is no address to open; write it whole, like https://cards.example.org.')


def own_hosts(host: str) -> list[str]:
    """The names of a server that listens on this one, beside its addresses."""
    if not is_anywhere(host):
        return [host]
    name = socket.gethostname()
    return [name, f"{name}.local"]


def _host(said: str) -> str | None:
    """The host without its port; None if it is none."""
    try:
        return None if "@" in said else urlsplit(f"//{said}").hostname
    except ValueError:
        return None


def _parsed(origin: str) -> _Origin | None:
    try:
        parts = urlsplit(origin)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and "@" not in parts.netloc else None
