"""Installed packages during tests: a test that adds a package, and removes it, uses this."""

from cardhouse.engine import find_game
from cardhouse.engine.diagnostics.registry import look_again


def look_anew() -> None:
    """Look anew which games are installed, and load them anew."""
    find_game.cache_clear()
    look_again()
