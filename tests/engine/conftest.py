from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhouse.engine import find_game
from cardhouse.engine.registry import look_again

TOYS = Path(__file__).parent / "toys"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a small game that uses everything the engine has, installed for one test."""
    monkeypatch.syspath_prepend(str(TOYS))
    forget()
    yield "toy"
    monkeypatch.undo()
    forget()


@pytest.fixture
def duo(toy: str) -> str:
    """The name of a game of two games, of which the toy is one, installed for one test."""
    return "duo"


def forget() -> None:
    """Look anew which games are installed."""
    find_game.cache_clear()
    look_again()
