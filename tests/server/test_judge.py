"""The judge over HTTP: a layout without a table (DG-21), and other game data without a table."""

import json
import re
from typing import Any

import pytest

from cardhouse.cards import STANDARD
from cardhouse.games.dogpile.deck_file import bundled_decks
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.server.wire.requests import REQUEST_BYTES
from tests.server.talking import Server

# None of this reaches a database.
pytestmark = pytest.mark.parametrize("house", ["sqlite"], indirect=True, scope="module")

JUDGE = "/api/games/dogpile/judge"
TWINS = {
    "name": "Twins",
    "beside": {"all": [{"attribute": "size", "equal": True}]},
    "above": {"all": [{"attribute": "size", "different": True}]},
    "cards": {"rex": {"size": 3}, "rob": {"size": 3}, "lou": {"size": 5}, "any": {"wild": True}},
}


def layout(*cards: tuple[str, int, int]) -> list[dict[str, Any]]:
    return [{"card": card, "x": x, "y": y} for card, x, y in cards]


def test_a_layout_is_judged(house: Server) -> None:
    status, verdict = house.post(JUDGE, {"cards": layout(("RJ", 7, 7), ("SQ", 8, 7), ("S5", 8, 8), ("H9", 9, 7))})
    assert status == 200
    assert verdict == {
        "legal": False,
        "pieces": 1,
        "illegal": [
            {
                "a": [8, 7],
                "b": [9, 7],
                "rule": "DG-11",
                "reason": "Side by side, the number must differ by exactly 1 (12 and 9 don't).",
            }
        ],
        "jokers": [{"x": 7, "y": 7, "as": verdict["jokers"][0]["as"]}],
    }
    assert verdict["jokers"][0]["as"][1:] in ("J", "K")
    _, verdict = house.post(JUDGE, {"cards": layout(("SQ", -1000, 1000), ("SK", -999, 1000), ("H2", 1000, -1000))})
    assert verdict == {"legal": False, "pieces": 2, "illegal": [], "jokers": []}


def test_a_layout_of_a_deck_of_ones_own_is_judged_by_its_rules(house: Server) -> None:
    twins = {"options": {"deck": TWINS}}
    status, verdict = house.post(JUDGE, {"cards": layout(("rex", 0, 0), ("rob", 1, 0), ("lou", 1, 1)), **twins})
    assert (status, verdict["legal"]) == (200, True)
    _, verdict = house.post(JUDGE, {"cards": layout(("rex", 0, 0), ("rob", 0, 1), ("any", 1, 1)), **twins})
    assert [illegal["rule"] for illegal in verdict["illegal"]] == ["DG-12"]
    assert verdict["jokers"] == [{"x": 1, "y": 1, "as": "rex"}]
    dogs = house.get("/api/games/dogpile/details")[1]["ready"]["deck"]["dogs"]
    _, verdict = house.post(JUDGE, {"cards": layout(("pudding", 0, 0), ("nubbin", 0, 1)), "options": {"deck": dogs}})
    assert verdict["legal"]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"cards": []}, "no cards to check"),
        ({"cards": layout(("SQ", 1, 2), ("SK", 1, 2))}, r"cell \(1, 2\): SQ and SK"),
        ({"cards": layout(("SQ", 1, 2), ("SQ", 3, 4))}, r"SQ is there twice, at \(1, 2\) and \(3, 4\)"),
        ({"cards": layout(("S1", 1, 2))}, "has no card S1"),
        ({"cards": layout(("rex", 1, 2))}, "has no card rex"),
        ({"cards": layout(("SQ", 1001, 0))}, "from -1000 to 1000"),
        ({"cards": layout(("SQ", 0, -1001))}, "from -1000 to 1000"),
        ({"cards": layout(("SQ", 10**30, 0))}, "<= 9007199254740991"),
        ({"cards": [{"card": "SQ", "x": 1}]}, "y"),
        ({"cards": [{"card": "SQ", "x": 1, "y": 2, "seat": "p1"}]}, "seat"),
        ({"cards": [{"card": "SQ", "x": 1.5, "y": 2}]}, "int"),
        ({"cards": "SQ"}, "array"),
        ({}, "cards"),
        ({"cards": layout(("SQ", 0, 0)), "options": {"dek": {}}}, "dek"),
        ({"cards": layout(("SQ", 0, 0)), "options": {"deck": 7}}, "deck"),
        ({"cards": layout(("SQ", 0, 0)), "options": {"deck": {"name": "None"}}}, "cards is missing"),
        ({"cards": layout(*((card, x, y) for y in range(7) for x, card in enumerate(STANDARD)))}, "twice"),
        ([], "object"),
        (b"{", ""),
    ],
)
def test_an_invalid_layout_is_refused(house: Server, wanted: Any, says: str) -> None:
    status, told = house.post(JUDGE, wanted)
    assert (status, set(told)) == (400, {"code", "message"}), told
    assert re.search(says, told["message"])
    assert "Traceback" not in told["message"]


def test_a_layout_too_large_and_a_game_that_judges_none(house: Server) -> None:
    status, told = house.post_claiming(JUDGE, REQUEST_BYTES + 1)
    assert (status, told["code"]) == (413, "too_large")
    status, told = house.post("/api/games/initiative/judge", {"cards": layout(("SQ", 0, 0))})
    assert (status, told["code"]) == (404, "not_found")
    assert "initiative has no layouts to judge" in told["message"]


def test_the_page_knows_the_decks_and_how_many_may_play(house: Server) -> None:
    game = house.get("/api/games/dogpile")[1]
    ready = house.get("/api/games/dogpile/details")[1]["ready"]["deck"]
    assert list(ready) == list(bundled_decks())
    assert game["facts"] == json.loads(json.dumps(Dogpile.facts())) == {"deck": ready["standard"]}
    assert game["players"] == 8
    assert game["odds"] is False
    initiative = house.get("/api/games/initiative")[1]
    assert (initiative["players"], initiative["odds"]) == (19, True)
    assert game["options"]["properties"]["deck"]["format"] == "file"
    assert game["options"]["properties"]["rounds"]["insteadOf"] == "minutes"
