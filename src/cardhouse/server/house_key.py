"""Who may make tables in a house: anybody, who has the house's key, or nobody over the web.

Whoever plays needs no key, nor do those who go on with people whose table is over: their links say who they are.
"""

import hmac
import os
from pathlib import Path
from typing import Literal, get_args

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from msgspec import Struct
from sqlalchemy.engine import make_url

from cardhouse.engine import CardhouseError
from cardhouse.server.files import PRIVATE
from cardhouse.server.limits import charge
from cardhouse.server.tokens import new_token

Making = Literal["open", "key", "none"]
HEADER = "cardhouse-key"
FROM = "CARDHOUSE_KEY"
"""The environment's name for the key."""
SHORTEST = 16


class HouseKey(Struct, frozen=True):
    """Who may make tables, and the key if there is one."""

    making: Making = "open"
    secret: str = ""

    def check(self, given: str | None) -> None:
        """Raises CardhouseError unless tables may be made with what was given."""
        if self.making == "none":
            raise CardhouseError("No tables are made here over the web: whoever runs the house makes them.", "no_key")
        if self.making == "key" and not hmac.compare_digest((given or "").encode(), self.secret.encode()):
            raise CardhouseError(
                "Who makes tables here needs the house's key: ask whoever runs the house for its link. "
                "To play at a table, its own link is enough.",
                "no_key",
            )


async def may_make_tables(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """A guard of whatever makes a table for somebody who has none. A wrong key costs as much as a wrong link."""
    key: HouseKey = connection.app.state["key"]
    given = connection.headers.get(HEADER)
    try:
        key.check(given)
    except CardhouseError:
        if given is not None and key.making == "key":
            charge(connection, "wrong links")
        raise


def key_of(making: Making, database_url: str) -> HouseKey:
    """The house's key: from the environment, or else from a file beside the database's, made when there is none.

    Raises CardhouseError if there is no such way of making tables, the key is too short, or it can't be kept.
    """
    if making not in get_args(Making):
        raise CardhouseError(f'Tables are open, key or none, not "{making}".')
    if making != "key":
        return HouseKey(making)
    secret = os.environ.get(FROM) or _kept_beside(database_url)
    if len(secret) < SHORTEST or not secret.isascii() or not secret.isprintable():
        raise CardhouseError(f"The house's key has {SHORTEST} letters and digits or more; leave {FROM} out to get one.")
    return HouseKey(making, secret)


def _kept_beside(database_url: str) -> str:
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise CardhouseError(f"Servers that share a database share a key: give it to each as {FROM}.")
    file = Path(f"{Path(url.database).resolve()}-key")
    try:
        try:
            made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
        except FileExistsError:
            return file.read_text("utf-8").strip()
        with os.fdopen(made, "w", encoding="utf-8") as to:
            to.write(new_token() + "\n")
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CardhouseError(f"The house's key can't be kept in {file}: {error}.") from None
