"""The table's join code: on the invitation, on the television and on a phone."""

import re
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, TELEVISION, House, Person
from tests.browser.test_places import box
from tests.browser.test_seats import at_the_table

pytestmark = pytest.mark.browser

CODE = "Join code"
GREETING = "Red Gulch"


def seats(person: Person) -> Locator:
    return person.page.get_by_role("list", name="Seats").get_by_role("listitem")


def makes_red_gulch(come: Come, players: int = 4, house: House | None = None) -> Person:
    gm = come("Mo", DESK, house=house)
    gm.makes_table_with(name="Red Gulch", Players=players)
    return gm


def opens_door(person: Person, link: str) -> None:
    person.opens_link(link)
    expect(person.page.get_by_role("heading", name=GREETING)).to_be_visible()


def radio(person: Person, seat: str) -> Locator:
    return person.page.get_by_role("radio", name=re.compile(f"^{seat} "))


def takes(person: Person, seat: str) -> None:
    person.hand.tick(radio(person, seat))
    person.hand.write(person.page.get_by_role("textbox", name="Your name"), person.name)
    joins(person, f"Join as {seat}")


def joins(person: Person, how: str) -> None:
    person.hand.press(person.page.get_by_role("button", name=re.compile(f"^{how}")))


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"door-{moment}")


FOR_PHONES = "http://192.0.2.7:8000"


@pytest.fixture(scope="module")
def phones_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One that phones reach by another address than this computer does."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("--address", FOR_PHONES, "--port", str(port))
    with House(tmp_path_factory.mktemp("phones"), None, *options) as house:
        house.address = f"http://127.0.0.1:{port}/"  # it has printed the phones' address
        yield house


def here(link: str, house: House) -> str:
    return link.replace(FOR_PHONES, house.address.rstrip("/"))


@pytest.mark.soak
def test_the_television_shows_the_code_until_everybody_sits(come: Come, phones_house: House):
    gm = makes_red_gulch(come, 2, phones_house)
    looks(gm, "invite")
    link = gm.link_for_all()
    television = come("the television", TELEVISION, house=phones_house)
    television.opens_link(here(gm.link_for("Table screen"), phones_house))
    gm.goes_to_table()
    code = television.region(CODE)
    expect(code).to_contain_text("2 seats are open")
    expect(code).to_contain_text(link)
    looks(television, "television")
    shown = box(code.get_by_role("img"))
    assert shown["width"] > 0.24 * TELEVISION["viewport"]["width"], "it can be scanned from three metres"
    assert shown["y"] + shown["height"] < TELEVISION["viewport"]["height"]
    ada, ben = come("Ada", house=phones_house), come("Ben", house=phones_house)
    for person in (ada, ben):
        opens_door(person, here(link, phones_house))
    looks(ada, "phone")
    takes(ada, "Player 2")
    for person in (ada, gm, television):
        expect(at_the_table(person).filter(has_text="Ada")).to_contain_text("is here")
        expect(at_the_table(person).filter(has_text="is back")).to_have_count(0)
    expect(code).to_contain_text("One seat is open")
    ben.forgiven.append("status of 409")
    takes(ben, "Player 2")
    expect(ben.page.get_by_role("alert")).to_contain_text("Player 2 was just taken")
    expect(seats(ben).filter(has_text="Ada")).to_contain_text("Player 2")
    expect(radio(ben, "Player 2")).to_be_disabled()
    looks(ben, "taken")
    joins(ben, "Pick a seat")
    expect(ben.page.get_by_role("alert")).to_contain_text("Pick a seat")
    ben.hand.tick(radio(ben, "Player 1"))
    joins(ben, "Join as Player 1")
    expect(at_the_table(ben).filter(has_text="Ben")).to_contain_text("is here")
    expect(at_the_table(television).filter(has_text="Ben")).to_contain_text("is here")
    expect(code).to_have_count(0)
    television.screenshot("door-television-full")
    ada.page.go_back()
    expect(ada.page.get_by_role("heading", name=GREETING)).to_have_count(0)


@pytest.mark.soak
def test_the_code_never_lies_over_the_game(come: Come):
    gm = makes_red_gulch(come)
    television = come("the television", TELEVISION)
    television.opens_link(gm.link_for("Table screen"))
    gm.goes_to_table()
    for name in ("Nan", "Doc"):
        gm.adds(name, tier="Elite", side=f"The side of {name}")
    gm.chooses("start")
    television.catches_up(gm.number)
    television.screenshot("door-television-playing")
    code = box(television.region(CODE))
    assert code["y"] > 0.8 * TELEVISION["viewport"]["height"], "in the foot once play has begun"
    for part in (television.question, television.table.get_by_text("Nan", exact=True).first):
        place = box(part)
        assert place["x"] + place["width"] <= code["x"] or place["y"] + place["height"] <= code["y"], part


@pytest.mark.soak
def test_players_return_to_their_seat_and_latecomers_learn_what_to_do(come: Come):
    gm = makes_red_gulch(come, 1)
    link = gm.link_for_all()
    ada, ben = come("Ada"), come("Ben")
    opens_door(ada, link)
    joins(ada, "Join as Player 1")
    expect(ada.page.get_by_role("alert")).to_contain_text("Enter your name first")
    expect(ada.page.get_by_role("textbox", name="Your name")).to_be_focused()
    takes(ada, "Player 1")
    expect(ada.question).to_be_visible()
    opens_door(ben, link)
    expect(ben.page.get_by_text("All seats are taken")).to_contain_text("game master")
    expect(ben.page.get_by_role("textbox")).to_have_count(0)
    looks(ben, "full")
    opens_door(ada, link)
    looks(ada, "own")
    ada.hand.press(ada.button("Back to your seat: Player 1"))
    expect(ada.question).to_be_visible()
    expect(at_the_table(ada).filter(has_text="Ada")).to_contain_text("is here")


@pytest.mark.soak
def test_the_name_is_remembered_and_one_press_is_enough(come: Come):
    gm = makes_red_gulch(come)
    ada = come("Ada")
    opens_door(ada, gm.link_for_all())
    takes(ada, "Player 3")
    expect(ada.question).to_be_visible()
    gm.makes_table_with(name="Red Gulch")
    opens_door(ada, gm.link_for_all())
    joins(ada, "Join as Player 1")
    expect(at_the_table(ada).filter(has_text="Ada")).to_contain_text("is here")


@pytest.mark.soak
def test_the_game_master_closes_the_code_and_makes_it_anew(come: Come):
    gm = makes_red_gulch(come)
    sheet = gm.dialog("Invite players")
    switch = sheet.get_by_role("switch", name="Anyone with the code can take an open seat")
    old = gm.link_for_all()
    television, ada = come("the television", TELEVISION), come("Ada")
    television.opens_link(gm.link_for("Table screen"))
    code = television.region(CODE)
    expect(code).to_be_visible()
    gm.hand.press(switch)
    expect(sheet.get_by_text("The join code is off")).to_be_visible()
    expect(sheet.get_by_role("textbox", name="Join link")).to_have_count(0)
    expect(code).to_have_count(0)
    looks(gm, "invite-closed")
    ada.forgiven.append("status of 401")
    ada.opens_link(old)
    expect(ada.page.get_by_role("heading", name=re.compile("^This join code doesn.t work$"))).to_be_visible()
    expect(ada.page.get_by_text("Ask for the new code")).to_be_visible()
    looks(ada, "closed")
    gm.hand.press(switch)
    expect(sheet.get_by_role("textbox", name="Join link")).to_be_visible()
    again = gm.link_for_all()
    gm.hand.press(gm.button("New code", sheet))
    expect(sheet.get_by_role("textbox", name="Join link")).not_to_have_value(again)
    assert len({old, again, gm.link_for_all()}) == 3
    expect(code).to_have_count(0)
    television.opens_link("about:blank")
    television.opens_link(gm.link_for("Table screen"))
    expect(code).to_contain_text(gm.link_for_all())
    opens_door(ada, gm.link_for_all())


def test_a_seat_is_taken_with_nothing_but_a_keyboard(come: Come):
    gm = makes_red_gulch(come)
    ada = come("Ada", DESK)
    opens_door(ada, gm.link_for_all())
    ada.screenshot("door-desk")
    keys = ada.page.keyboard
    keys.press("Tab")
    expect(radio(ada, "Player 1")).to_be_focused()
    keys.press("ArrowDown")
    expect(radio(ada, "Player 2")).to_be_checked()
    keys.press("Tab")
    keys.type("Ada")
    keys.press("Enter")
    expect(at_the_table(ada).filter(has_text="Ada")).to_contain_text("is here")
    expect(at_the_table(ada).filter(has_text="Player 2")).to_have_count(0)


@pytest.mark.soak
def test_seats_are_known_by_those_who_are_played_from_them(come: Come):
    """And one tap changes between two who share a device."""
    gm = makes_red_gulch(come, 2)
    link = gm.link_for_all()
    gm.hand.write(gm.page.get_by_role("textbox", name="Your name"), "Mo")
    gm.goes_to_table()
    gm.adds("Nan", played_by="Player 1", more=True)
    gm.adds("Shadow", played_by="Player 2", hidden=True)
    ada = come("Ada")
    opens_door(ada, link)
    expect(ada.page.get_by_text("Card initiative. Mo is the game master.")).to_be_visible()
    expect(ada.page.get_by_text("Shadow")).to_have_count(0)
    ada.hand.write(ada.page.get_by_role("textbox", name="Your name"), "Ada")
    joins(ada, "Play Nan.*Mo is already at the table")
    ada.hand.press(ada.button("Share this device with another player", ada.opens_menu()))
    looks(ada, "own")
    ada.hand.press(ada.button("Share this device with another player"))
    ada.hand.tick(radio(ada, "Player 2"))
    ada.hand.write(ada.page.get_by_role("textbox", name="The other player"), "Ben")
    joins(ada, "Join as Player 2")
    expect(ada.page.get_by_text("Shadow")).to_have_count(0)
    looks(ada, "cover")
    ada.hand.press(ada.button("I\N{RIGHT SINGLE QUOTATION MARK}m Ben. Show the table"))
    here = at_the_table(ada)
    expect(here.filter(has_text="Ben")).to_contain_text("(you)")
    expect(at_the_table(gm).filter(has_text="Ada")).to_contain_text("is here")
    looks(ada, "shared")
    ada.hand.press(ada.button("Change to Ada"))
    ada.hand.press(ada.button("I\N{RIGHT SINGLE QUOTATION MARK}m Ada. Show the table"))
    expect(here.filter(has_text="Ada")).to_contain_text("(you)")
    expect(at_the_table(gm).filter(has_text="Ben")).to_contain_text("is here")
    expect(ada.button("Change to Ben")).to_be_visible()


@pytest.mark.soak
def test_a_screens_link_without_the_code_works_as_ever(come: Come):
    gm = makes_red_gulch(come)
    television = come("the television", TELEVISION)
    television.opens_link(re.sub("&join=.*", "", gm.link_for("Table screen")))
    expect(television.table).to_contain_text("Room for 4")
    expect(television.region(CODE)).to_have_count(0)
