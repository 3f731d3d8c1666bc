"""What pytest shows of a game that is wrong: the author's own lines, and none of Cardhouse's around them."""

import sys
from typing import Any

from cardhouse.engine import BadGame

_OURS = ("cardhouse.cards", "cardhouse.engine", "cardhouse.testing")


def show_the_games_own() -> None:
    """Have pytest leave our frames out where a game is wrong, of what is imported now; `--full-trace` shows them."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_OURS):
            vars(module)["__tracebackhide__"] = _is_the_games


def _is_the_games(error: Any) -> bool:
    return isinstance(error.value, (BadGame, AssertionError))
