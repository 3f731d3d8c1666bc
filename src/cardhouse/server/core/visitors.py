"""Whom limits count: a visitor is an IPv4 address or an IPv6 /64 network; larger IPv6 networks are counted too."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from litestar.connection import ASGIConnection

from cardhouse.engine import CardhouseError

_ONE_VISITOR = 64
"""Whoever has an IPv6 address has the whole network of so many bits."""
NETWORKS = ((56, 4), (48, 10))
"""Prefix lengths of larger IPv6 networks, and how many times the limit of one visitor each of them has.

A home connection often has a /56, which is 256 visitors, and a company or a tunnel a /48. Some providers give each of
their customers a /64 only, so these networks get more than one visitor does.
"""
_LONGEST = 64


class Proxies:
    """The addresses and networks that may say for whom they ask.

    Raises CardhouseError for a name that is neither.
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for name in named:
            try:
                self._networks.append(ip_network(name, strict=False))
            except ValueError:
                raise CardhouseError(
                    f'"{name[:60]}" is no address or network of a proxy; write it like 10.0.0.7 or 10.0.0.0/24.'
                ) from None

    def __iter__(self) -> Iterator[IPv4Network | IPv6Network]:
        return iter(self._networks)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, host: str) -> bool:
        if not self._networks:
            return False
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def visitor_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Whom a connection counts for: its address; of IPv6 the network, all of which one household has.

    Behind a proxy that was named, it is the address that the proxy forwarded.
    """
    return counted_as(connection.client.host) if connection.client else ""


def counted_as(host: str) -> str:
    """Whom an address counts for."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:_LONGEST]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        if not address.is_link_local:
            return str(IPv6Network((int(address), _ONE_VISITOR), strict=False))
    return str(address)


@lru_cache(maxsize=4096)
def networks_of(visitor: str) -> tuple[tuple[str, int], ...]:
    """The larger networks a visitor belongs to, and the multiple of one visitor's limit that each has.

    Empty unless the visitor is an IPv6 network.
    """
    try:
        network = IPv6Network(visitor)
    except ValueError:
        return ()
    if network.prefixlen != _ONE_VISITOR:
        return ()
    return tuple((str(network.supernet(new_prefix=bits)), times) for bits, times in NETWORKS)


def widest_network(visitor: str) -> str:
    """The largest network that is counted for a visitor, or the visitor itself."""
    networks = networks_of(visitor)
    return networks[-1][0] if networks else visitor
