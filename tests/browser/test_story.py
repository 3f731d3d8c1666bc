"""The log: the newest entry first, each entry in the order of things, and what is undone and redone from there."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed

pytestmark = pytest.mark.browser


def test_an_entry_is_told_in_the_order_of_things_and_the_newest_comes_first(come: Come):
    gm = come("Mo", DESK)
    gm.makes_table("Hackjack")
    gm.goes_to_table()
    gm.hand.press(gm.button("Add character…"))
    sheet = gm.page.get_by_role("dialog")
    gm.hand.write(sheet.get_by_role("textbox", name="Name", exact=True), "Ada")
    gm.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), "8")
    gm.does(gm.button("Add", sheet))
    gm.page.keyboard.press("Escape")
    gm.hits("Ada", 12)
    lines = gm.story.first.get_by_role("paragraph").all_inner_texts()
    assert "takes 12" in lines[0], lines
    assert len(lines) > 1
    gm.screenshot("story-order")
    expect(gm.story.last).to_contain_text("Ada joined with 8 HP")


SHOOT_OUT = [
    '{"cardhouse":1,"game":"initiative","name":"Red Gulch","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
    '{"by":"gm","do":"add_character","name":"Nan","card":"HK","controller":"p1"}',
    '{"by":"gm","do":"add_character","name":"Doc","card":"S9"}',
    '{"by":"gm","do":"start_round"}',
    '{"draw":"initiative","card":"HK"}',
    '{"by":"p1","do":"act","name":"Nan"}',
]


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"undo-{moment}")


def test_more_than_ones_own_last_move_is_undone_only_when_it_is_confirmed(come: Come, house: House):
    table = Resumed(house, SHOOT_OUT)
    gm, ada = table.sits(come("Mo", PHONE), "gm"), table.sits(come("Ada", DESK), "p1")
    gm.hand.press(gm.button("Log"))
    number = gm.number
    gm.hand.press(gm.button(re.compile("^Undo from here: .*Doc"), gm.region("Log")))
    expect(gm.dialog("Undo the last 3 moves?")).to_contain_text("You can redo it until the next move.")
    looks(gm, "question-phone")
    gm.hand.press(gm.button("Cancel", gm.undo_question))
    expect(gm.undo_question).to_be_hidden()
    assert gm.number == number

    gm.hand.press(gm.button(re.compile("^Undo from here: .*Doc"), gm.region("Log")))
    ada.does(ada.button("Undo", ada.choices))
    expect(gm.dialog("Undo the last 2 moves?")).to_be_visible()
    gm.does(gm.button("Undo", gm.undo_question))
    expect(gm.story.first).to_contain_text("undid the last 2 moves.")
    looks(gm, "undone-phone")


@pytest.mark.soak
def test_what_was_undone_is_redone_by_whoever_could_undo_it(come: Come, house: House):
    table = Resumed(house, SHOOT_OUT)
    gm, ada = table.sits(come("Mo", DESK), "gm"), table.sits(come("Ada", PHONE), "p1")
    seen = ada.sees()
    gm.undoes()
    ada.catches_up(gm.number)
    assert ada.sees() != seen
    looks(ada, "redo-phone")
    ada.does(ada.button("Redo", ada.choices))
    assert ada.sees() == seen
    gm.catches_up(ada.number)
    expect(gm.button("Redo")).to_have_count(0)
    expect(gm.story.first).to_contain_text("redid the move.")

    gm.hand.press(gm.button(re.compile("^Undo from here: .*Nan"), gm.region("Log")).last)
    gm.does(gm.button("Undo", gm.dialog("Undo the last 4 moves?")))
    expect(gm.button("Redo", gm.choices)).to_have_count(0)
    looks(gm, "redo-desk")
    gm.does(gm.button("Redo", gm.region("Log")))
    expect(gm.story.filter(has_text="Undone:")).to_have_count(0)
    ada.catches_up(gm.number)
    assert ada.sees() == seen
