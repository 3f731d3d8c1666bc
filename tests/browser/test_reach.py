"""What can be reached: by keyboard without a hundred stops, by a finger, and on a television that nobody scrolls."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, TELEVISION, House, Resumed
from tests.browser.test_places import FIGHT

pytestmark = pytest.mark.browser

TARGET = 24
"""Pixels that a finger needs."""
CUT_OFF = """() => [...document.querySelectorAll('.side .scroll, .middle')]
  .filter((e) => e.clientHeight && e.scrollHeight > e.clientHeight + 2).map((e) => e.className)"""


def test_rule_marks_are_quiet_large_enough_and_one_stop_an_entry(come: Come, house: House):
    gm = Resumed(house, map(json.dumps, FIGHT)).sits(come("Mo", DESK), "gm")
    entries = gm.story
    for entry in entries.all():
        stops = entry.locator("button:not([tabindex='-1'])")
        assert stops.count() <= 1
    mark = gm.question.get_by_role("button", name="Why")
    sizes = mark.evaluate("e => { const s = getComputedStyle(e, '::after'); return [s.width, s.height] }")
    assert all(float(size.removesuffix("px")) >= TARGET for size in sizes), sizes
    colours = [part.evaluate("e => getComputedStyle(e).color") for part in (mark, gm.button("Invite"))]
    assert colours[0] == colours[1], "as quiet as what stands beside the table"
    first = entries.nth(1).get_by_role("button")
    first.first.focus()
    gm.page.keyboard.press("ArrowRight")
    expect(first.nth(1)).to_be_focused()


def test_the_focus_is_somewhere_after_the_invitations_close(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table()
    gm.goes_to_table()
    expect(gm.button("Invite")).to_be_focused()


def test_with_many_seats_the_buttons_of_the_invitations_stay_in_reach(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table_with(Players=8)
    invite = gm.dialog("Send each player a link")
    expect(gm.button("To the table", invite)).to_be_in_viewport(ratio=1)
    expect(invite).to_contain_text("make play LAN=1")
    gm.screenshot("invite-eight")


def test_a_television_cuts_nobody_off(come: Come, house: House):
    cards = [f"{suit}{rank}" for rank in (9, 8, 7, 6, 5, 4) for suit in "CDHS"]
    lines = [
        {"by": "gm", "do": "add_character", "name": f"Rider {number} of the long name", "card": card}
        for number, card in enumerate(cards)
    ]
    screen = Resumed(house, map(json.dumps, [FIGHT[0], *lines])).sits(come("the television", TELEVISION), "screen")
    expect(screen.page.get_by_role("button", name="Rider 23")).to_be_in_viewport(ratio=1)
    assert screen.page.evaluate(CUT_OFF) == []
    screen.screenshot("many-television")
