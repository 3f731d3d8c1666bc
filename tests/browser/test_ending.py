"""Ending a table: everyone is warned, and the game master can cancel."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Table

pytestmark = pytest.mark.browser

COMING = re.compile(r"The table ends in \d+ seconds?\.")


def test_the_end_is_seen_coming_and_taken_back_with_a_tap(sit_down: Callable[..., Table]):
    table = sit_down("Ada", screen=True)
    gm, ada, screen = table.everybody
    menu = gm.opens_menu()
    save, end = (menu.get_by_role("button", name=name).bounding_box() for name in ("Save trans", "End table"))
    assert save
    assert end
    assert end["y"] > save["y"] + save["height"] + 40, "a slip from one isn't a tap on the other"
    gm.hand.press(gm.button("End table", menu))
    for person in table.everybody:
        expect(person.page.get_by_text(COMING)).to_be_visible()
        person.screenshot(f"ending-{person.name}")
    for person in (ada, screen):
        expect(person.button("Cancel")).to_have_count(0)
    ada.page.reload()
    expect(ada.page.get_by_text(COMING)).to_be_visible()
    gm.hand.press(gm.button("Cancel"))
    for person in table.everybody:
        expect(person.page.get_by_text(COMING)).to_have_count(0)
        expect(person.question).not_to_contain_text("This table has ended.")
    assert gm.number == 0


@pytest.mark.soak
def test_an_end_that_nobody_takes_back_comes_by_itself(sit_down: Callable[..., Table]):
    table = sit_down("Ada")
    gm, ada = table.everybody
    gm.adds("Nan", tier="Elite", played_by="Ada")
    gm.hand.press(gm.button("End table", gm.opens_menu()))
    for person in (gm, ada):
        expect(person.question).to_contain_text("This table has ended.")
        expect(person.page.get_by_text(COMING)).to_have_count(0)
        expect(person.page.get_by_text("The server dealt no cards")).to_be_visible()
        person.screenshot(f"ended-{person.name}")
    expect(ada.region("Where next?").get_by_role("link", name="Replay this table")).to_have_attribute(
        "href", re.compile("^/replay/")
    )
    ada.hand.press(ada.button("More\N{HORIZONTAL ELLIPSIS}", ada.region("Where next?")))
    ada.hand.press(ada.button("Home"))
    expect(ada.region("Games")).to_be_visible()
