"""The small icons of games, each a line drawing: the file `sign.svg` of a game's page."""

import logging
from functools import cache

from cardhouse.engine import CardhouseError, find_game
from cardhouse.engine.game.catalogue import folder_of

SIGN = "sign.svg"
SIGN_BYTES = 16_384
"""Size limit, because the list of games contains every icon."""

log = logging.getLogger("cardhouse.server")


@cache
def sign_of(game: str) -> str:
    """Return a game's icon as SVG; empty if it has none, or one that is too large."""
    try:
        file = folder_of(find_game(game)) / "page" / SIGN
    except CardhouseError:  # reported when a table of this game is opened
        return ""
    if not file.is_file():
        return ""
    if file.stat().st_size > SIGN_BYTES:
        log.warning("%s is not shown: a sign has %d bytes at most", file, SIGN_BYTES)
        return ""
    return file.read_text("utf-8", errors="replace").strip()
