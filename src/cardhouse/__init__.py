"""Cardhouse: card-driven tabletop play on one engine.

>>> from cardhouse import Table
>>> table = Table.new("initiative", seats=["gm", "ada"])
>>> table.answer("gm", {"do": "add_character", "name": "Ada", "card": "HA", "controller": "ada"}).number
1
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardhouse.cards import Deck as Deck
    from cardhouse.engine import Game as Game
    from cardhouse.engine import Table as Table

__version__ = "0.1.0"
__all__ = ["Deck", "Game", "Table", "__version__"]

_HOMES = {"Deck": "cardhouse.cards", "Game": "cardhouse.engine", "Table": "cardhouse.engine"}


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that `import cardhouse` costs nothing."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardhouse' has no attribute {name!r}")
