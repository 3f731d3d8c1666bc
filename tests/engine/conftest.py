from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed import look_anew

TOYS = Path(__file__).parent / "toys"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a small game that uses everything the engine has, installed for one test."""
    monkeypatch.syspath_prepend(str(TOYS))
    look_anew()
    yield "toy"
    monkeypatch.undo()
    look_anew()


@pytest.fixture
def duo(toy: str) -> str:
    """The name of a game of two games, of which the toy is one, installed for one test."""
    return "duo"
