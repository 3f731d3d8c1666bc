"""Shared computers: no address and no history entry has a link's secret, and what a device has can be forgotten."""

import json
import os
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_fits
from tests.browser.people import DESK, House, Resumed

pytestmark = pytest.mark.browser

GUNFIGHT = [
    '{"cardhouse":1,"game":"gunfight","name":"Red Gulch","seats":["gm","p1"],"names":{"gm":"Mo","p1":"Ada"}}',
    '{"by":"gm","do":"add_character","name":"Rosa","hp":7,"max_hp":9,"card":"HK","controller":"p1"}',
]
ADMIN_KEY = "a key with spaces & 100%"
SERVER_KEY = "the key of this server"
STORED = "() => JSON.stringify({ ...localStorage, ...sessionStorage })"
REFUSE = "Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError') }"


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with both keys."""
    env = os.environ | {"CARDHOUSE_ADMIN_KEY": ADMIN_KEY, "CARDHOUSE_KEY": SERVER_KEY}
    with House(tmp_path_factory.mktemp("keyed"), env, "--tables", "key") as house:
        yield house


def made(house: House) -> tuple[str, dict[str, str]]:
    """A new table's id, and the secrets of its links."""
    headers = {"content-type": "application/json", "cardhouse-key": SERVER_KEY}
    with urlopen(Request(f"{house.address}api/tables", b'{"game":"dogpile","seats":3}', headers)) as answer:
        table = json.loads(answer.read())
    return table["table"], table["links"]


def a_seat(house: House) -> tuple[str, str]:
    table, links = made(house)
    return f"t/{table}#{links['p1']}", "Your name"


def a_join_link(house: House) -> tuple[str, str]:
    table, links = made(house)
    return f"j/{table}#{links['door']}", "Your name"


def a_screen(house: House) -> tuple[str, str]:
    table, links = made(house)
    return f"t/{table}#{links['screen']}&join={links['door']}", "Who most recently played with a dog?"


def an_admin_link(house: House) -> tuple[str, str]:
    return f"house#{quote(ADMIN_KEY)}", "Server administration"


@pytest.mark.parametrize("link", [a_seat, a_join_link, a_screen, an_admin_link])
def test_the_address_loses_its_secret_and_a_reload_works(
    link: Callable[[House], tuple[str, str]], come: Come, keyed: House
):
    ada = come("Ada", DESK, house=keyed)
    address, shows = link(keyed)
    page, _, secret = address.partition("#")
    seen = ada.page.get_by_text(shows).or_(ada.page.get_by_role("textbox", name=shows)).first
    ada.page.goto(f"{keyed.address}{address}")
    for _ in range(2):
        expect(seen).to_be_visible()
        expect(ada.page).to_have_url(f"{keyed.address}{page}")
        assert secret not in ada.page.evaluate("JSON.stringify(history.state)")
        ada.page.reload()


def test_whoever_is_forgotten_does_not_come_back_by_going_back(come: Come, house: House):
    gm = come("Mo", DESK)
    gm.makes_table("Dogpile")
    gm.goes_to_table()
    expect(gm.page).to_have_url(re.compile("/t/[a-z0-9]+$"))
    gm.comes()
    gm.hand.press(gm.button(re.compile("^Remove Dogpile"), gm.region("Your tables")))
    expect(gm.region("Your tables")).to_have_count(0)
    for _ in range(2):
        gm.page.go_back()
    gm.page.go_forward()
    expect(
        gm.page.get_by_role("heading", name="This invite link doesn\N{RIGHT SINGLE QUOTATION MARK}t work")
    ).to_be_visible()
    assert gm.page.evaluate("localStorage['cardhouse.seats']") == "[]"


def test_a_campaign_can_be_forgotten(come: Come, house: House):
    table = Resumed(house, GUNFIGHT)
    gm = come("Mo", DESK)
    gm.forgiven.append("status of 401")
    table.sits(gm, "gm")
    gm.saves_campaign()
    expect(gm.page).to_have_url(re.compile("/c/[a-z0-9]+$"))
    gm.page.reload()
    expect(gm.page.get_by_role("heading", name="Red Gulch", level=1)).to_be_visible()
    gm.comes()
    gm.screenshot("forget-campaign")
    for list_ in ("Your campaigns", "Your tables"):
        gm.hand.press(gm.button("Remove Red Gulch", gm.region(list_)))
    stored = json.loads(gm.page.evaluate(STORED))
    assert [stored[f"cardhouse.{name}"] for name in ("campaigns", "seats")] == ["[]", "[]"]
    assert table.tokens["gm"] not in json.dumps(stored)
    gm.page.go_back()
    expect(gm.page.get_by_role("heading", name=re.compile("^Can.t open this campaign$"))).to_be_visible()


def test_the_keys_can_be_forgotten(come: Come, keyed: House):
    ada = come("Ada", house=keyed)
    ada.page.goto(f"{keyed.address}house#{quote(ADMIN_KEY)}")
    assert_fits(ada.page, "administration")
    ada.screenshot("forget-admin-key")
    ada.hand.press(ada.button("Forget the admin key"))
    expect(ada.page.get_by_label("New tables need the server key")).to_be_visible()
    ada.page.goto(f"{keyed.address}#key={quote(SERVER_KEY)}")
    expect(ada.page).to_have_url(keyed.address)
    expect(ada.button(re.compile("^Play "), ada.region("Games")).first).to_be_visible()
    assert SERVER_KEY in ada.page.evaluate(STORED)
    ada.screenshot("forget-server-key")
    ada.hand.press(ada.button("Forget the server key"))
    ada.page.reload()
    expect(ada.page.get_by_label("New tables need the server key")).to_be_visible()
    stored = ada.page.evaluate(STORED)
    assert [key for key in (SERVER_KEY, ADMIN_KEY, quote(ADMIN_KEY)) if key in stored] == []


def test_two_tabs_keep_their_own_seats_of_one_table(come: Come, keyed: House):
    ada = come("Ada", DESK, house=keyed)
    table, links = made(keyed)
    other = ada.context.new_page()
    for page, seat in ((ada.page, "p1"), (other, "p2")):
        page.goto(f"{keyed.address}t/{table}#{links[seat]}")
        expect(page).to_have_url(f"{keyed.address}t/{table}")
    for page, seat in ((ada.page, "p1"), (other, "p2")):
        page.reload()
        expect(page.get_by_role("textbox", name="Your name")).to_be_visible()
        assert page.evaluate("history.state.seat") == seat


def test_where_nothing_can_be_stored_the_secret_stays_in_the_address(come: Come, keyed: House):
    ada = come("Ada", DESK, house=keyed)
    ada.page.add_init_script(REFUSE)
    for link in (a_seat, a_join_link, an_admin_link):
        address, shows = link(keyed)
        ada.page.goto(f"{keyed.address}{address}")
        for _ in range(2):
            expect(ada.page.get_by_text(shows).first).to_be_visible()
            assert ada.page.url == f"{keyed.address}{address}"
            ada.page.reload()
