"""The small signs of games, each one line drawing: the file `sign.svg` of a game's page."""

import logging
from functools import cache

from cardhouse.engine import CardhouseError, find_game
from cardhouse.engine.game.catalogue import folder_of

SIGN = "sign.svg"
SIGN_BYTES = 16_384
"""A sign stands in the list of games, so that it had better be a line drawing."""

log = logging.getLogger("cardhouse.server")


@cache
def sign_of(game: str) -> str:
    """A game's sign as SVG; nothing if it has none, or one that is too large."""
    try:
        file = folder_of(find_game(game)) / "page" / SIGN
    except CardhouseError:  # it is told when somebody asks for the game
        return ""
    if not file.is_file():
        return ""
    if file.stat().st_size > SIGN_BYTES:
        log.warning("%s is not shown: a sign has %d bytes at most", file, SIGN_BYTES)
        return ""
    return file.read_text("utf-8", errors="replace").strip()
