"""A campaign of two sessions: the group is saved, and the next session takes two taps."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Come
from tests.browser.links import link_of
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed
from tests.browser.test_again import goes_along
from tests.browser.test_told import FIGHT

pytestmark = pytest.mark.browser

SHOOT_OUT = [
    '{"cardhouse":1,"game":"gunfight","name":"Red Gulch","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
    '{"by":"gm","do":"add_character","name":"Rosa","hp":7,"max_hp":9,"card":"HK","controller":"p1"}',
]
NEXT = re.compile("^Next session")
NOTES = "The Steward lies."


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"campaign-{moment}")


@pytest.mark.soak
def test_next_friday_is_two_taps_for_the_same_people_as_they_were_left(come: Come, tmp_path: Path):
    with House(tmp_path) as house:
        table = Resumed(house, [line for line in FIGHT if '"DK"' not in line and "end" not in line][:-1])
        gm, ada, other = come("Mo", DESK, house=house), come("Ada", house=house), come("the laptop", house=house)
        table.sits(gm, "gm")
        table.sits(ada, "p1")
        gm.saves_campaign()
        expect(gm.page.get_by_role("heading", name="Red Gulch", level=1)).to_be_visible()
        gm.hand.write(gm.page.get_by_role("textbox", name="Notes"), NOTES)
        gm.hand.press(gm.button("Save"))
        expect(gm.page.get_by_role("status")).to_have_text("Saved.")
        nan = gm.region("Characters").get_by_role("listitem", name="Nan")
        expect(nan).to_contain_text("Ada")
        expect(nan).to_contain_text("down")
        expect(nan.locator("strong").first).to_be_visible()
        looks(gm, "desk")
        link = link_of(gm)
        house.kill()
        house.open()
        gm.comes()
        gm.hand.press(gm.region("Your campaigns").get_by_role("link", name="Red Gulch"))
        gm.hand.press(gm.button(NEXT))
        new = goes_along(ada, table.id)
        assert goes_along(gm, table.id) == new
        for person in (gm, ada):
            expect(person.region("Table")).to_contain_text("Nan")
        assert link_of(ada).endswith(table.tokens["p1"])
        gm.screenshot("campaign-next-desk")
        other.opens_link(link)
        evenings = other.region("Sessions").get_by_role("listitem")
        expect(evenings).to_have_count(2)
        expect(evenings.first.get_by_role("link", name="Go to table")).to_have_attribute("href", re.compile(new))
        other.hand.press(evenings.last.get_by_role("button", name="Recap"))
        expect(evenings.last.get_by_role("link", name="Replay this table")).to_be_visible()
        expect(other.page.get_by_role("textbox", name="Notes")).to_have_value(NOTES)
        looks(other, "phone")
        with other.page.expect_download() as download:
            other.hand.press(other.page.get_by_text("Name, link and file"))
            other.hand.press(other.button("Save as file"))
        download.value.save_as(tmp_path / "campaign.json")
        other.comes()
        other.page.get_by_label("Open a saved game").set_input_files(tmp_path / "campaign.json")
        expect(other.page.get_by_role("heading", name="Red Gulch", level=1)).to_be_visible()
        assert link_of(other) != link
        expect(evenings).to_have_count(2)
        expect(other.page.get_by_role("textbox", name="Notes")).to_have_value(NOTES)


CROWD = [
    *SHOOT_OUT,
    '{"by":"gm","do":"add_character","name":"Bandit","hp":3,"max_hp":4,"card":"S9","side":"Posse"}',
    '{"by":"gm","do":"add_character","name":"Sniper","hp":5,"max_hp":5,"card":"S4","side":"Posse","hidden":true}',
]


REFUSED = "HP of Ghost are missing."


def one_could_not_come(route: Route) -> None:
    """The server's own answer, as if the rules had since come to refuse somebody."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "left_out": [REFUSED]})


def test_npcs_come_to_the_second_session_and_play_on(come: Come, house: House):
    table = Resumed(house, CROWD)
    gm, ada = come("Mo", DESK), come("Ada")
    table.sits(gm, "gm")
    table.sits(ada, "p1")
    gm.hits("Bandit", 1)
    gm.saves_campaign()
    expect(gm.page.get_by_role("heading", name="Red Gulch", level=1)).to_be_visible()
    gm.page.route("**/evening", one_could_not_come)
    gm.hand.press(gm.button(NEXT))
    assert goes_along(gm, table.id) == goes_along(ada, table.id)
    left = gm.page.get_by_role("alert").filter(has_text="could not move to this table")
    expect(left.get_by_role("listitem")).to_have_text([REFUSED])
    assert_accessible(gm.page, "left behind")
    gm.screenshot("campaign-left-behind-desk")
    gm.page.reload()
    expect(left.get_by_role("listitem")).to_have_text([REFUSED])
    gm.hand.press(gm.button("Close", left))
    expect(left).to_have_count(0)
    expect(ada.page.get_by_text(REFUSED)).to_have_count(0)
    for person in (gm, ada):
        for name in ("Rosa", "Bandit"):
            expect(person.region("Table")).to_contain_text(name)
    expect(gm.region("Table")).to_contain_text("Sniper")
    expect(ada.region("Table")).not_to_contain_text("Sniper")
    gm.screenshot("campaign-npcs-desk")
    gm.hits("Bandit", 1)
    expect(gm.story.first).to_contain_text("Bandit")
    gm.chooses("start")
    ada.catches_up(gm.number)


@pytest.mark.soak
def test_a_posse_is_prepared_and_comes_with_two_taps(come: Come, house: House):
    table = Resumed(house, SHOOT_OUT)
    gm, ada = come("Mo", DESK), come("Ada")
    table.sits(gm, "gm")
    table.sits(ada, "p1")
    gm.saves_campaign()
    foes = gm.region("Encounters")
    gm.hand.press(gm.button("New encounter", foes))
    link = link_of(gm)
    gm.hand.press(gm.button("Save", foes))
    expect(foes.get_by_role("listitem")).to_contain_text(re.compile(r"Encounter 1\s*NPC 1"))
    gm.hand.press(gm.button("Edit: Encounter 1", foes))
    gm.hand.write(foes.get_by_role("textbox", name="Encounter name"), "Black Posse")
    gm.hand.tick(foes.get_by_role("checkbox", name=re.compile("^Hidden from players")))
    bandit = foes.get_by_role("group")
    gm.hand.write(bandit.get_by_role("spinbutton", name="HP", exact=True), "4")
    gm.hand.write(bandit.get_by_role("spinbutton", name="Max HP"), "4")
    gm.hand.select(bandit.get_by_role("combobox", name="Tier"), "Experienced (9 to 6)")
    gm.hand.write(bandit.get_by_role("spinbutton", name="How many"), "3")
    gm.hand.write(bandit.get_by_role("textbox", name="To hit"), "Winchester +3")
    name = bandit.get_by_role("textbox", name="Name")
    gm.hand.write(name, " ")
    gm.hand.press(gm.button("Save", foes))
    expect(name).to_have_accessible_description("Required.")
    expect(name).to_be_focused()
    looks(gm, "mistaken")
    gm.comes()
    gm.opens_link(link)
    expect(bandit.get_by_role("textbox", name="To hit")).to_have_value("Winchester +3")
    gm.hand.write(name, "Bandit")
    expect(name).to_have_accessible_description("")
    looks(gm, "preparing")
    gm.hand.press(gm.button("Save", foes))
    expect(foes.get_by_role("listitem")).to_contain_text("3 \N{MULTIPLICATION SIGN} Bandit · hidden")
    looks(gm, "prepared")
    table.sits(gm, "gm")
    menu = gm.opens_menu()
    expect(gm.button("Add Black Posse", menu)).to_be_visible()
    looks(gm, "bringing")
    gm.hand.press(gm.button("Add Black Posse", menu))
    for bandit_name in ("Bandit", "Bandit 2", "Bandit 3"):
        expect(gm.region("Table").get_by_text(bandit_name, exact=True).first).to_be_visible()
    ada.hand.press(ada.button("Log"))
    expect(ada.region("Log")).to_contain_text("A character is hiding.")
    expect(ada.page.get_by_text("Bandit")).to_have_count(0)
    phone = come("Mo again", PHONE)
    phone.opens_link(link)
    phone.hand.press(phone.button("Edit: Black Posse"))
    looks(phone, "changing")


@pytest.mark.soak
def test_the_link_of_a_campaign_is_replaced(come: Come, house: House):
    table = Resumed(house, SHOOT_OUT)
    gm, other = come("Mo"), come("the laptop", DESK)
    table.sits(gm, "gm")
    gm.saves_campaign()
    gm.hand.press(gm.page.get_by_text("Name, link and file"))
    gm.hand.press(gm.button("Replace link"))
    old = link_of(gm)
    expect(gm.page.get_by_text("The old link stops working at once")).to_be_visible()
    looks(gm, "replacing")
    gm.hand.press(gm.button("Replace now"))
    expect(gm.page.get_by_role("status")).to_contain_text("The new link is saved")
    assert link_of(gm) != old
    looks(gm, "replaced")
    other.forgiven.append("status of 401")
    other.opens_link(old)
    expect(other.page.get_by_role("heading", name=re.compile("^Can.t open this campaign$"))).to_be_visible()
    other.opens_link(link_of(gm))
    expect(other.page.get_by_role("heading", name="Red Gulch", level=1)).to_be_visible()
