"""The address at which others reach this server."""

import socket

_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 (compared with, not bound to)


def is_anywhere(host: str) -> bool:
    """Return whether this host means every address of the machine."""
    return host in _ANYWHERE


def base_url(host: str, port: int) -> str:
    """Return the URL to open, for a server that listens on this host and port."""
    name = lan_address() if is_anywhere(host) else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def lan_address() -> str:
    """Return this machine's address in the local network; loopback if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only selects a route
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
