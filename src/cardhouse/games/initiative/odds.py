"""stub"""

from typing import Any


def odds_of(game: Any, *, sees_hidden: bool) -> dict[str, Any]:
    return {}
