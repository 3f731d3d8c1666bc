"""Short pytest tracebacks for errors in a game: the author's lines, without Cardhouse's."""

import sys
from typing import Any

from cardhouse.engine import BadGame

_OURS = ("cardhouse.cards", "cardhouse.engine", "cardhouse.testing")


def show_the_games_own() -> None:
    """Make pytest hide our frames of imported modules for errors in a game; `--full-trace` shows them."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_OURS):
            vars(module)["__tracebackhide__"] = _is_the_games


def _is_the_games(error: Any) -> bool:
    return isinstance(error.value, (BadGame, AssertionError))
