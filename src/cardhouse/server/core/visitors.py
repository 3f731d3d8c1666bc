"""The unit that rate limits count: an IPv4 address or an IPv6 /64 network; larger IPv6 networks are counted as well."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from litestar.connection import ASGIConnection

from cardhouse.engine import CardhouseError

_ONE_VISITOR = 64
"""Prefix length of the network that one IPv6 client controls."""
NETWORKS = ((56, 4), (48, 10))
"""Prefix lengths of larger IPv6 networks, and the multiple of one visitor's limit that each may use.

A home connection often has a /56 (256 visitors), a company or a tunnel a /48. Some providers give each customer only a
/64, so these networks may use more than one visitor may.
"""
_LONGEST = 64


class Proxies:
    """The addresses and networks of proxies that are trusted to forward client addresses.

    Raises CardhouseError for a name that is neither.
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for name in named:
            try:
                self._networks.append(ip_network(name, strict=False))
            except ValueError:
                raise CardhouseError(
                    f'"{name[:60]}" isn\'t the address or network of a proxy. Write it like 10.0.0.7 or 10.0.0.0/24.'
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
    """Return the visitor a connection counts for: its address, or for IPv6 the household's network.

    Behind a trusted proxy, this is the address that the proxy forwarded.
    """
    return counted_as(connection.client.host) if connection.client else ""


def counted_as(host: str) -> str:
    """Return the visitor an address counts for."""
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
    """Return the larger networks a visitor belongs to, each with its multiple of one visitor's limit.

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
    """Return the largest network that is counted for a visitor, or the visitor itself."""
    networks = networks_of(visitor)
    return networks[-1][0] if networks else visitor
