"""Dead, but still here: a player without living characters takes over a bot's, and throws reactions."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, House, Resumed
from tests.browser.test_seats import at_the_table

pytestmark = pytest.mark.browser

PEOPLE = (
    ("Kit", "HK", "Law", "p1"),
    ("Doc", "HQ", "Law", "p2"),
    ("Snake", "SK", "Gang", "p3"),
    ("Boone", "SQ", "Gang", "gm"),
)


def test_the_dead_play_a_bots_character_of_their_side_and_haunt(house: House, come: Come):
    lines: list[dict[str, Any]] = [{"cardhouse": 1, "game": "gunfight", "seats": ["gm", "p1", "p2", "p3"]}]
    for name, card, side, seat in PEOPLE:
        who = {"name": name, "card": card, "side": side, "controller": seat, "hp": 1, "max_hp": 1}
        lines.append({"by": "gm", "do": "add_character", **who})
    table = Resumed(house, map(json.dumps, lines))
    ada = come("Ada")
    ada.opens_link(f"{house.address}j/{table.id}#{table.tokens['door']}")
    ada.hand.write(ada.page.get_by_role("textbox", name="Your name"), "Ada")
    ada.hand.tick(ada.page.get_by_role("radio", name=re.compile("^Kit")))
    ada.hand.press(ada.button(re.compile("^Play Kit")))
    expect(ada.question).to_be_visible()
    gm = come("Mo", DESK)
    gm.opens_link(table.link("gm"))
    gm.hand.press(gm.button("Invite"))
    gm.hand.press(gm.button("Fill open seats with bots", gm.dialog("Invite players")))
    gm.goes_to_table()
    dead = ada.region("Dead, but still here")
    expect(dead).to_have_count(0)
    gm.hits("Kit", 30)
    expect(dead).to_be_visible()
    expect(ada.button("Play Snake myself")).to_have_count(0)
    assert_accessible(ada.page, "dead")
    assert_fits(ada.page, "dead")
    ada.screenshot("dead")
    ada.hand.press(ada.button("Hats off", dead))
    expect(gm.page.get_by_role("listitem").filter(has_text="Hats off")).to_contain_text("Ada")
    ada.hand.press(ada.button("Play Doc myself", dead))
    expect(dead).to_have_count(0)
    expect(ada.page.get_by_role("list", name="Yours")).to_contain_text("Doc")
    expect(at_the_table(gm).filter(has_text="is here").filter(has_text="Ada")).to_have_count(1)
