"""The judge over HTTP: a layout with no table (DG-21), and what of a game the page asks before there is one."""

from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.games.dogpile import Dogpile
from cardhouse.games.dogpile.deck_file import own_decks
from cardhouse.server.http import REQUEST_BYTES
from tests.server.talking import Server

JUDGE = "/api/games/dogpile/judge"
TWINS = {
    "name": "Twins",
    "beside": {"all": [{"attribute": "size", "equal": True}]},
    "above": {"all": [{"attribute": "size", "different": True}]},
    "cards": {"rex": {"size": 3}, "rob": {"size": 3}, "lou": {"size": 5}, "any": {"wild": True}},
}


@pytest.fixture(scope="module", params=["sqlite"])
def house(request: pytest.FixtureRequest, make_house: Any) -> Server:
    """One server; what is asked here never reaches a database."""
    server: Server = make_house(request.param)
    return server
