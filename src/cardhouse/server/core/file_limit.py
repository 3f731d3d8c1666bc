"""The system's limit of open files, which caps the number of connections."""

import logging
import sys

if sys.platform != "win32":
    import resource

OTHERS = 100
"""Files that a server has open besides its connections."""
log = logging.getLogger("cardhouse.server")


def connections_possible(wanted: int) -> int:
    """Raise the limit of open files as far as possible and return how many connections fit, at most `wanted`.

    Logs a warning if the limit stays too low.
    """
    files = _raised_limit(wanted + OTHERS)
    if files >= wanted + OTHERS:
        return wanted
    possible = max(files - OTHERS, files // 2)
    log.warning(
        "The system allows this server %d open files (`ulimit -Hn`), so it lets in %d connections, not %d",
        files,
        possible,
        wanted,
    )
    return possible


def _raised_limit(enough: int) -> int:
    """Raise the limit and return it; `enough` where there is no limit."""
    if sys.platform == "win32":
        return enough
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return enough
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough if hard == resource.RLIM_INFINITY else hard, hard))
    except (OSError, ValueError):  # macOS reports no limit, but has one
        return soft
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
