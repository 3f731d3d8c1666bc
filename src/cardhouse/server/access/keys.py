"""The server key, which may be needed to create tables, and the admin key.

Players need no key, nor do people who continue after their table is over: their links identify them. The admin key
differs from the server key, which is given to friends.
"""

import hmac
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Literal, get_args

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from msgspec import Struct
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from cardhouse.engine import CardhouseError
from cardhouse.server.access.rate_limits import guessing
from cardhouse.server.core.tokens import new_token
from cardhouse.server.persistence.sqlite_files import ADMIN_KEY, KEY, PRIVATE, DatabaseFile

Making = Literal["open", "key", "none"]
HEADER = "cardhouse-key"
FROM = "CARDHOUSE_KEY"
"""The environment variable with the server key."""
ADMIN_FROM = "CARDHOUSE_ADMIN_KEY"
"""The environment variable with the admin key."""
SHORTEST = 16


class HouseKey(Struct, frozen=True):
    """How tables may be created, the key if one is needed, and where it is stored."""

    making: Making = "open"
    secret: str = ""
    kept: str = ""

    def check(self, given: str | None) -> None:
        """Raises CardhouseError unless tables may be created with the given key."""
        if self.making == "none":
            raise CardhouseError("This server doesn't allow new tables over the web. Ask the administrator.", "no_key")
        if self.making == "key" and not hmac.compare_digest((given or "").encode(), self.secret.encode()):
            raise CardhouseError(
                "New tables need a server key. Ask the administrator for its link. "
                "To join a table, use its invite link.",
                "no_key",
            )


class AdminKey(Struct, frozen=True):
    """The admin key; without a `secret`, administration over the web is off."""

    secret: str = ""

    def check(self, given: str) -> None:
        """Raises CardhouseError unless this is the key."""
        if not self.secret:
            raise CardhouseError(
                f"This server has no administration page. Start it with a key in {ADMIN_FROM}.", "no_key"
            )
        if not hmac.compare_digest(given.encode(), self.secret.encode()):
            raise CardhouseError(
                "The admin key is wrong. Run cardhouse tables page for the current link.",
                "no_key",
            )


async def may_make_tables(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """A guard for routes that create a person's first table. A wrong key costs as much as a wrong link."""
    key: HouseKey = connection.app.state["key"]
    given = connection.headers.get(HEADER)
    with guessing(connection, "no_key") if given is not None and key.making == "key" else nullcontext():
        key.check(given)


def key_of(making: Making, database_url: str) -> HouseKey:
    """Return the server key: from the environment, or from a file beside the database, created if missing.

    Raises CardhouseError if `making` is unknown, or the key is too short or can't be stored.
    """
    if making not in get_args(Making):
        raise CardhouseError(f'Tables are open, key or none, not "{making}".')
    if making != "key":
        return HouseKey(making)
    found = _from(FROM, database_url, KEY)
    if found is None:
        raise CardhouseError(f"Servers that share a database share a key: give it to each as {FROM}.")
    return HouseKey(making, *found)


def admin_key_of(database_url: str) -> AdminKey:
    """Return the admin key, found like the server key; an empty one if servers share a database and none is given.

    Raises CardhouseError if it is too short or can't be stored.
    """
    found = _from(ADMIN_FROM, database_url, ADMIN_KEY)
    return AdminKey() if found is None else AdminKey(found[0])


def _from(name: str, database_url: str, ending: str) -> tuple[str, str] | None:
    """Return a key and where it is stored: the environment, or a file beside the database with this ending.

    None if neither is possible.
    """
    given = os.environ.get(name)
    found = (given, f"the variable {name} of its environment") if given else _key_from_file(database_url, ending)
    if found is not None and (len(found[0]) < SHORTEST or not found[0].isascii() or not found[0].isprintable()):
        raise CardhouseError(f"A key has {SHORTEST} letters and digits or more; leave {name} out to get one.")
    return found


def _key_from_file(database_url: str, ending: str) -> tuple[str, str] | None:
    """Return the key from its file, created if missing, and the file's path; None unless the database is a file."""
    try:
        url = make_url(database_url)
    except ArgumentError:
        return None  # opening the database reports this better
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return None
    file = Path(f"{Path(url.database).resolve()}{ending}")
    if not file.parent.is_dir():
        return None
    try:
        # otherwise another program may read the file before it has the key
        with DatabaseFile(url.database).preparing():
            if not file.exists():
                part = file.with_name(f"{file.name}.part")
                part.touch(PRIVATE)
                part.write_text(new_token() + "\n", "utf-8")
                part.replace(file)
        return file.read_text("utf-8").strip(), str(file)
    except (OSError, UnicodeDecodeError) as error:
        raise CardhouseError(f"Can't save the server key in {file}: {error}.") from None
