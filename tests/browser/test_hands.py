"""The same round with only a finger, and with only a keyboard."""

from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.hands import Keyboard, is_focused
from tests.browser.people import DESK, PHONE, Table

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_by_touch_alone_a_table_is_made_and_a_round_played_on_three_phones(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", PHONE)
    gm.comes()
    gm.screenshot("lobby-phone")
    gm.makes_table()
    gm.screenshot("invite-phone")
    table = sit_down("Ada", "Ben", gm=gm)
    gm.adds("Nan", tier="Elite", side="The Law", played_by="Ada", more=True)
    gm.screenshot("add-phone")
    gm.adds("Doc", tier="Leader", side="The Gang", played_by="Ben", more=True)
    gm.adds("Mule", card="4 of diamonds", side="The Gang")
    gm.screenshot("gm-phone")
    table.plays_round()
    ada = table.players[0]
    ada.hand.press(ada.button("Log"))
    expect(ada.story.first).to_be_in_viewport()
    ada.hand.press(ada.button("Log"))
    expect(ada.region("Deck")).to_be_in_viewport()
    ada.hand.press(ada.page.get_by_role("list", name="Yours").get_by_role("button"))
    expect(ada.dialog("Nan")).to_be_visible()
    ada.screenshot("about-phone")


def test_by_keyboard_alone_a_table_is_made_and_a_round_played(come: Come):
    gm, ada = come("Mo", DESK, Keyboard), come("Ada", DESK, Keyboard)
    gm.makes_table()
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()
    table = Table(gm, [ada])
    gm.adds("Nan", tier="Elite", side="The Law", played_by="Ada", more=True)
    gm.adds("Doc", tier="Leader", side="The Gang", more=True)
    gm.adds("Mule", card="4 of diamonds", side="The Gang")
    gm.screenshot("keyboard-desk")
    table.plays_round()
    gm.opens_why("IN-16")
    gm.page.keyboard.press("Escape")
    expect(gm.page.get_by_role("dialog")).to_be_hidden()
    assert is_focused(gm.question.get_by_role("button")), "a dialog that closes gives the focus back"


@pytest.mark.soak
def test_by_keyboard_in_a_window_as_small_as_a_phone_nothing_is_behind_an_open_sheet(come: Come):
    """A sheet is longer than the window here, and its buttons stay in reach: what has the focus isn't under them."""
    gm = come("Mo", PHONE, Keyboard)
    gm.makes_table()
    invite = gm.opens_seat("Table screen")
    gm.hand.reach(invite.get_by_role("link", name="Open the table screen"))
    gm.screenshot("keyboard-phone")
    gm.goes_to_table()
    expect(gm.question).to_be_focused()
    expect(gm.tools).to_be_visible()
    for opener in ("Invite", "Menu", "Add character…"):
        gm.hand.press(gm.button(opener))
        sheet = gm.page.get_by_role("dialog")
        gm.hand.reach(sheet.get_by_role("button").last)
        gm.page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        expect(gm.button(opener)).to_be_focused()


@pytest.mark.soak
def test_the_focus_stays_where_it_was_when_the_table_changes(come: Come):
    gm, ada = come("Mo", DESK, Keyboard), come("Ada", DESK, Keyboard)
    gm.makes_table()
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()
    table = Table(gm, [ada])
    gm.adds("Nan", tier="Leader", played_by="Ada", more=True)
    gm.adds("Doc", tier="Leader", played_by="Ada")
    table.chooses(gm, "start")
    resting = [
        gm.face("Nan"),
        gm.button("Menu"),
        gm.region("Log"),
        gm.button("Add character…"),
    ]
    words: list[str] = []
    # There are rounds in which nobody is asked to act: the black joker takes one card, and the last one must.
    for place in cycle(resting):
        if len(words) >= len(resting) and set(words) == {"act", "done"}:
            break
        if (word := table.now()) == "start":
            table.chooses(gm, "start")
            word = table.now()
        gm.hand.reach(place)
        table.chooses(ada, word)
        assert is_focused(place), place
        words.append(word)

    # The chosen button is gone; the next one is under the finger that pressed it.
    if table.now() == "start":
        table.chooses(gm, "start")
    while table.now() != "act":
        table.chooses(ada, table.now())
        if table.now() == "start":
            table.chooses(gm, "start")
    ada.hand.reach(ada.choice("act"))
    table.chooses(ada, "act")
    assert is_focused(ada.choice("done"))
