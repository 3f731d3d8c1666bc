"""The game master edits a value by hand, and everyone sees it."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed

pytestmark = pytest.mark.browser

SHOOT_OUT = [
    '{"cardhouse":1,"game":"gunfight","name":"Red Gulch","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
    '{"by":"gm","do":"add_character","name":"Rosa","hp":7,"max_hp":9,"card":"HK","controller":"p1"}',
    '{"by":"gm","do":"add_character","name":"Nan","hp":5,"max_hp":5,"card":"S9","hidden":true}',
]


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"put-right-{moment}")


def row(sheet: Locator, name: str) -> Locator:
    return sheet.get_by_role("button", name=re.compile(f"^{name} "))


def puts_right(gm: Person) -> Locator:
    gm.hand.press(gm.button("Edit by hand", gm.opens_menu()))
    return gm.dialog("Edit by hand")


def test_the_game_master_edits_a_value_and_everyone_sees_it(come: Come, house: House):
    table = Resumed(house, SHOOT_OUT)
    gm, ada, phone = come("Mo", DESK), come("Ada"), come("Mo again", PHONE)
    table.sits(gm, "gm")
    table.sits(ada, "p1")
    sheet = puts_right(gm)
    expect(sheet.get_by_role("combobox", name="Character")).to_have_value("Rosa")
    gm.hand.press(row(sheet, "HP"))
    gm.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), "9")
    looks(gm, "desk")
    gm.hand.press(gm.button("Save", sheet))
    expect(sheet.get_by_text("Saved: HP.")).to_be_visible()
    gm.hand.press(row(sheet, "HP"))
    gm.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), "8")
    gm.does(gm.button("Save", sheet))
    expect(sheet.get_by_role("spinbutton", name="HP", exact=True)).to_have_count(0)
    gm.hand.press(row(sheet, "Draw pile"))
    gm.hand.press(gm.button("Add a card", sheet))
    gm.hand.press(gm.button("10 of clubs", sheet))
    looks(gm, "cards")
    gm.hand.press(gm.button("Save", sheet))
    expect(row(sheet, "Death-score")).to_contain_text("10")
    gm.hand.select(sheet.get_by_role("combobox", name="Character"), "Nan")
    gm.hand.press(row(sheet, "HP"))
    gm.hand.write(sheet.get_by_role("spinbutton", name="HP", exact=True), "2")
    gm.hand.press(gm.button("Save", sheet))
    expect(sheet.get_by_text("Saved: HP.")).to_be_visible()
    gm.page.keyboard.press("Escape")
    gm.hand.press(gm.region("Log").get_by_role("listitem").first.get_by_role("button"))
    expect(gm.region("Log").get_by_role("listitem").first).to_contain_text("undid the last move")
    ada.hand.press(ada.button("Log"))
    story = ada.region("Log")
    expect(story).to_contain_text("changed Rosa, HP: 7 → 9.")
    expect(story).to_contain_text("changed Rosa, HP: 9 → 8.")
    expect(story).to_contain_text("changed Rosa, Draw pile: none →")
    expect(story).to_contain_text("changed something hidden.")
    expect(story).not_to_contain_text("Nan")
    looks(ada, "told")
    expect(ada.opens_menu().get_by_role("button", name="Edit by hand")).to_have_count(0)
    table.sits(phone, "gm")
    puts_right(phone)
    looks(phone, "phone")
