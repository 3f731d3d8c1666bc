"""How many files the system lets a server have open; each connection is one."""

import logging
import sys

if sys.platform != "win32":
    import resource

OTHERS = 100
"""Files that a server has open beside its connections."""
log = logging.getLogger("cardhouse.server")


def connections_possible(wanted: int) -> int:
    """How many connections there may be: as many as are wanted, if the system allows it.

    The limit of open files is raised as far as that goes; where it stays too low, a warning says so.
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
    """How many files may be open, once the limit is raised; `enough` where there is none."""
    if sys.platform == "win32":
        return enough
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return enough
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough if hard == resource.RLIM_INFINITY else hard, hard))
    except (OSError, ValueError):  # macOS says there is no limit, and has one
        return soft
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
