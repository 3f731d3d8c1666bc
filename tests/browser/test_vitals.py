"""A character's numbers: each says which it is, and a player who goes down reads it first."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Resumed

pytestmark = pytest.mark.browser

FALLING = [
    {"cardhouse": 1, "game": "hackjack", "seats": ["gm", "p1", "p2"], "names": {"p1": "Ada", "p2": "Ben"}},
    {"by": "gm", "do": "add_character", "name": "Quill", "hp": 8, "max_hp": 8, "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Doc", "hp": 9, "max_hp": 9, "controller": "p2"},
    {"by": "gm", "do": "damage", "target": "Quill", "amount": 9},
    {"draw": "wounds", "card": "C7"},
]


def test_numbers_have_names_and_the_fallen_read_it_first(come: Come, house: House):
    table = Resumed(house, map(json.dumps, FALLING))
    gm, ada = table.sits(come("Mo", DESK), "gm"), table.sits(come("Ada"), "p1")
    people = ada.page.get_by_role("list", name="Characters").get_by_role("listitem")
    expect(people.filter(has_text="Quill")).to_contain_text("7 of 21death-score")
    expect(people.filter(has_text="Doc")).to_contain_text("9 of 9HP")
    expect(gm.face("Quill")).to_contain_text(re.compile("7 *of 21.*down"))
    expect(gm.face("Doc")).to_contain_text(re.compile("9 *of 9 HP"))
    first = ada.page.get_by_text("You are down: death-score 7 of 21.")
    expect(first).to_be_visible()
    above, question = first.bounding_box(), ada.question.bounding_box()
    assert above
    assert question
    assert above["y"] < question["y"]
    expect(gm.page.get_by_text("Quill is down:")).to_have_count(0)
    gm.screenshot("vitals-desk")
    ada.screenshot("vitals-phone")
