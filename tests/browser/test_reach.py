"""What can be reached: by keyboard without a hundred stops, by a finger, and on a television that nobody scrolls."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, TELEVISION, House, Resumed
from tests.browser.test_dogpile import HANDS, Kennel, begins, board
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
    """Of twelve characters nine lie on the table, each with a wound."""
    lines: list[dict[str, Any]] = [{"cardhouse": 1, "game": "hackjack", "seats": ["gm"]}]
    lines += [
        {"by": "gm", "do": "add_character", "name": f"Rider {number}", "hp": 5, "max_hp": 5} for number in range(12)
    ]
    for number, card in enumerate(("D2", "D3", "D4", "D5", "H2", "H3", "H4", "H5", "D6")):
        lines.append({"by": "gm", "do": "damage", "target": f"Rider {number}", "amount": 6})
        lines.append({"draw": "wounds", "card": card})
    table = Resumed(house, map(json.dumps, lines))
    screen = table.sits(come("the television", TELEVISION), "screen")
    for number in range(9):
        expect(screen.table.get_by_role("article", name=f"Rider {number}")).to_be_in_viewport(ratio=1)
    assert screen.page.evaluate(CUT_OFF) == []
    screen.screenshot("many-television")


def test_a_card_is_laid_by_three_keys(come: Come, house: House):
    kennel = Kennel(house, ("Ada", "Ben"), begins("p1", "D8", HANDS))
    ada = kennel.sits(come("Ada", DESK), "p1")
    expect(ada.question).to_contain_text("Lay")
    for key in ("1", "ArrowRight", "Enter"):
        ada.page.keyboard.press(key)
    expect(board(ada).get_by_role("button", name="not laid yet")).to_have_count(1)
