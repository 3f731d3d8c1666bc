"""Whom to strike: a row for each foe with its condition and the chances in words, in numbers only with odds."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import House, Person, Resumed
from tests.browser.test_chances import tells_everybody
from tests.thorough import in_soak

pytestmark = pytest.mark.browser

FOES = (("Boone", "SK", 8), ("Rosa", "S9", 4), ("Snake", "S5", 7))
SECTION = "Targets"
PERCENT = re.compile(r"\d%")


def strikes_at(house: House, game: str) -> Resumed:
    """Kit, whom Ada plays, chooses among three foes; Boone is down with two wounds."""
    options = {
        "gunfight": {"strikes": "d8", "hit_from": 3},
        "hackjack": {"strikes": "d8"},
        "initiative": {"hit_from": 5},
    }
    lines: list[dict[str, Any]] = [
        {"cardhouse": 1, "game": game, "seats": ["gm", "p1"], "names": {"p1": "Ada"}, "options": options[game]}
    ]
    for name, card, hp in (("Kit", "HK", 6), *FOES):
        sheet = {} if game == "initiative" else {"hp": hp, "max_hp": hp}
        place = {} if game == "hackjack" else {"card": card, "side": "Law" if name == "Kit" else "Gang"}
        seat = {"controller": "p1"} if name == "Kit" else {}
        lines.append({"by": "gm", "do": "add_character", "name": name, **sheet, **place, **seat})
    if game != "initiative":
        lines += [{"by": "gm", "do": "damage", "target": "Boone", "amount": 9}, {"draw": "wounds", "card": "D3"}]
        lines += [{"by": "gm", "do": "damage", "target": "Boone", "amount": 1}, {"draw": "wounds", "card": "H8"}]
    if game == "hackjack":
        lines += [{"by": "gm", "do": "begin_round"}, {"by": "gm", "do": "prevent", "name": "Boone", "yes": False}]
        return Resumed(house, map(json.dumps, lines))
    lines.append({"by": "gm", "do": "start_round"})
    if game == "gunfight":
        lines.append({"by": "gm", "do": "prevent", "name": "Boone", "yes": False})
    lines += [{"draw": "initiative", "card": "HK"}, {"by": "p1", "do": "act", "name": "Kit"}]
    return Resumed(house, map(json.dumps, lines))


SEEN = {
    "gunfight": {"Boone": "down, 12 of 21", "Rosa": "4 of 4 HP", "Snake": "7 of 7 HP"},
    "hackjack": {"Boone": "down, 12 of 21", "Rosa": "4 of 4 HP", "Snake": "7 of 7 HP"},
    "initiative": {"Boone": "to come", "Rosa": "to come", "Snake": "to come"},
}
WORDS = {
    "gunfight": {"Rosa": "Likely to hit. A hit drops them half the time.", "Snake": "Only a heavy hit drops them."},
    "hackjack": {"Rosa": "A hit drops them half the time.", "Snake": "Only a heavy hit drops them."},
    "initiative": {"Boone": "A long shot: hard to hit."},
}
NUMBERS = {"gunfight": "67% hits", "hackjack": "50% drops", "initiative": "33% hits"}
VERB = {"gunfight": "Shoot", "hackjack": "Strike", "initiative": "Strike"}


def row(person: Person, name: str):
    return person.region(SECTION).get_by_role("listitem").filter(has_text=name)


@pytest.mark.parametrize("game", ["gunfight", *in_soak("hackjack", "initiative")])
def test_a_target_shows_condition_and_chances_in_words_and_numbers_with_odds(house: House, come: Come, game: str):
    table = strikes_at(house, game)
    gm, ada = table.sits(come("Mo"), "gm"), table.sits(come("Ada"), "p1")
    for name, condition in SEEN[game].items():
        expect(row(ada, name)).to_contain_text(condition)
    for name, words in WORDS[game].items():
        expect(row(ada, name)).to_contain_text(words)
    expect(ada.region(SECTION)).not_to_contain_text(PERCENT)
    assert_accessible(ada.page, "targets")
    assert_fits(ada.page, "targets")
    ada.screenshot(f"targets-{game}-words")
    tells_everybody(gm)
    expect(row(ada, "Rosa")).to_contain_text(re.compile(r"\s*".join(NUMBERS[game].split())))
    ada.screenshot(f"targets-{game}-numbers")
    ada.does(ada.button(f"{VERB[game]} Rosa"))
    expect(ada.story.first).to_contain_text("Rosa")
