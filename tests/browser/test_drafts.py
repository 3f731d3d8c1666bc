"""A half-written form survives closing and a reload; the server's errors are next to their fields."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person, Resumed

pytestmark = pytest.mark.browser

SHOOT_OUT = [
    '{"cardhouse":1,"game":"gunfight","seats":["gm","p1"],"names":{"gm":"Mo"}}',
    '{"by":"gm","do":"add_character","name":"Rosa","hp":7,"max_hp":9,"card":"HK"}',
]


def starts_anew(person: Person) -> None:
    person.page.reload()
    expect(person.table).to_be_visible()


def puts_right(gm: Person) -> Locator:
    gm.hand.press(gm.button("Edit by hand", gm.opens_menu()))
    return gm.dialog("Edit by hand")


def test_forms_keep_what_is_written_until_it_is_sent(come: Come, house: House):
    gm = Resumed(house, SHOOT_OUT).sits(come("Mo", DESK), "gm")
    adding = gm.starts_adding()
    name = adding.get_by_role("textbox", name="Name", exact=True)
    hp = adding.get_by_role("spinbutton", name="HP", exact=True)
    hiding = adding.get_by_role("checkbox", name="Hidden")
    gm.hand.write(name, "rosa")
    gm.hand.write(hp, "6")
    gm.hand.tick(hiding)
    gm.closes("Who joins the fight?")
    starts_anew(gm)
    gm.starts_adding()
    for field, value in ((name, "rosa"), (hp, "6")):
        expect(field).to_have_value(value)
    expect(hiding).to_be_checked()

    gm.hand.press(gm.button("Add", adding))
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    expect(name.locator("+ .wrong")).to_have_text("Name can't be Rosa: that is taken.")
    expect(adding.get_by_role("alert")).to_have_count(0)
    gm.screenshot("draft-wrong-name")
    gm.hand.write(name, "Nan")
    expect(adding.locator(".wrong")).to_have_count(0)
    gm.does(gm.button("Add", adding))
    expect(name).to_have_value("")
    gm.closes("Who joins the fight?")
    starts_anew(gm)
    gm.starts_adding()
    expect(name, "what was sent is no draft any more").to_have_value("")
    gm.closes("Who joins the fight?")

    sheet = puts_right(gm)
    points = sheet.get_by_role("spinbutton", name="HP", exact=True)
    gm.hand.press(sheet.get_by_role("button", name=re.compile("^HP ")))
    gm.hand.write(points, "3")
    starts_anew(gm)
    puts_right(gm)
    expect(points, "the half written row is open").to_have_value("3")
    gm.does(gm.button("Save", sheet))
    starts_anew(gm)
    puts_right(gm)
    expect(sheet.get_by_role("button", name=re.compile("^HP "))).to_contain_text("3")
    expect(points).to_have_count(0)


def test_how_a_table_is_to_be_is_kept_until_it_is_made(come: Come):
    person = come("Mo", DESK)
    here = person.page.get_by_role("dialog", name="Hackjack")
    name = here.get_by_role("textbox", name="Table name")
    paper = here.get_by_role("checkbox", name=re.compile("deck of paper|real deck", re.IGNORECASE)).first
    person.comes()
    person.hand.press(person.opens_more("Hackjack").get_by_text("House rules"))
    person.hand.write(name, "Friday")
    person.hand.write(here.get_by_role("spinbutton", name="Players"), "4")
    expect(here.get_by_text("5 seats in all: yours as game master, and one for each player.")).to_be_visible()
    person.hand.tick(paper)
    person.page.reload()
    person.hand.press(person.opens_more("Hackjack").get_by_text("House rules"))
    expect(name).to_have_value("Friday")
    expect(paper).to_be_checked()
    person.hand.press(person.button("Create table", here))
    expect(person.dialog("Invite players")).to_be_visible()
    person.comes()
    person.hand.press(person.opens_more("Hackjack").get_by_text("House rules"))
    expect(name).to_have_value("")
    expect(paper).not_to_be_checked()
