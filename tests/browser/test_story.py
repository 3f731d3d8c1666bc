"""The story of the evening: the newest entry first, and each entry in the order of things."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK

pytestmark = pytest.mark.browser


def test_an_entry_is_told_in_the_order_of_things_and_the_newest_comes_first(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table("Hackjack")
    gm.goes_to_table()
    gm.hand.press(gm.button("Add somebody…"))
    sheet = gm.page.get_by_role("dialog")
    gm.hand.write(sheet.get_by_role("textbox", name="Name", exact=True), "Ada")
    gm.hand.write(sheet.get_by_role("spinbutton", name="Hit points", exact=True), "8")
    gm.does(gm.button("Add", sheet))
    gm.page.keyboard.press("Escape")
    gm.hits("Ada", 12)
    lines = gm.story.first.get_by_role("paragraph").all_inner_texts()
    assert "takes 12" in lines[0], lines
    assert len(lines) > 1
    gm.screenshot("story-order")
    expect(gm.story.last).to_contain_text("Ada is here")
