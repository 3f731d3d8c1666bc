"""The administrator's page, and a notice that every page shows."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect
from sqlalchemy import create_engine, text

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person, Resumed
from tests.browser.test_told import FIGHT

pytestmark = pytest.mark.browser

SAID = "The house restarts at 22:00."


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as house:
        yield house


def key_of(house: House) -> str:
    return Path(f"{house.database.removeprefix('sqlite:///')}-admin-key").read_text().strip()


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"house-{moment}")


def test_the_house_is_kept_from_its_page(come: Come, kept: House):
    for game, name in (("dogpile", ""), ("hackjack", "Low Mill"), ("initiative", "The siege of the old mill")):
        body = json.dumps({"game": game, "seats": 3, "name": name}).encode()
        urlopen(Request(f"{kept.address}api/tables", body, {"content-type": "application/json"})).close()
    table = Resumed(kept, [line for line in FIGHT if '"DK"' not in line and "end" not in line][:-1])
    ada, mo, keeper = come("Ada", house=kept), come("Mo", DESK, house=kept), come("the keeper", DESK, house=kept)
    table.sits(ada, "p1")
    table.sits(mo, "gm")
    keeper.forgiven.append("status of 403")  # of a transcript that shows what is hidden
    keeper.opens_link(f"{kept.address}house#{key_of(kept)}")
    tables = keeper.region("Tables")
    expect(tables.get_by_role("group")).to_have_count(4)
    looks(keeper, "desk")

    keeper.hand.write(keeper.page.get_by_role("textbox", name="Server notice"), SAID)
    keeper.hand.press(keeper.button("Show notice"))
    for person in (keeper, ada, mo):
        expect(person.page.get_by_text(SAID)).to_be_visible()
    ada.screenshot("house-said-phone")
    mo.screenshot("house-said-desk")
    late = come("Late", house=kept)
    late.opens_link(kept.address)
    expect(late.page.get_by_text(SAID)).to_be_visible()
    late.screenshot("house-said-home")

    keeper.hand.write(keeper.page.get_by_role("searchbox", name="Find a table"), "red gul")
    expect(tables.get_by_role("group")).to_have_count(1)
    keeper.hand.press(tables.locator("summary", has_text="Red Gulch"))
    keeper.hand.press(tables.get_by_role("button", name="New link for Mo"))
    expect(mo.page.get_by_role("heading", name=re.compile("^This invite link doesn.t work$"))).to_be_visible()
    link = tables.get_by_role("textbox").last.input_value()
    looks(keeper, "open-desk")
    mo.opens_link(link)
    expect(mo.question).to_be_visible()

    keeper.hand.press(tables.get_by_role("button", name="End table: Red Gulch"))
    expect(ada.page.get_by_text("The table ends in")).to_be_visible()
    keeper.hand.press(tables.get_by_role("button", name="Save transcript: Red Gulch"))
    expect(keeper.page.get_by_role("alert")).to_contain_text("shows hidden cards")
    keeper.hand.press(tables.get_by_role("button", name="Delete\N{HORIZONTAL ELLIPSIS}: Red Gulch"))
    keeper.hand.press(tables.get_by_role("button", name="Delete permanently"))
    expect(ada.page.get_by_role("alert")).to_contain_text("This server has no such table")
    expect(tables.get_by_text("No table matches.")).to_be_visible()
    keeper.hand.press(keeper.button("Remove notice"))
    expect(keeper.page.get_by_text(SAID)).to_have_count(0)


@pytest.mark.soak
def test_it_is_kept_from_a_phone_too_and_by_nobody_else(come: Come, kept: House):
    table = Resumed(kept, FIGHT)
    ada, keeper = come("Ada", house=kept), come("the keeper", PHONE, house=kept)
    ada.forgiven.append("status of 403")
    ada.opens_link(f"{kept.address}house#{table.tokens['gm']}")
    expect(ada.page.get_by_role("heading", name=re.compile("^This admin link doesn.t work$"))).to_be_visible()
    keeper.opens_link(f"{kept.address}house#{key_of(kept)}")
    expect(keeper.region("Tables").get_by_role("group")).to_have_count(1)
    keeper.hand.press(keeper.region("Tables").locator("summary"))
    looks(keeper, "phone")


@pytest.mark.soak
def test_a_table_that_goes_is_kept_by_a_tap(come: Come, tmp_path: Path):
    with House(tmp_path, None, "--keep", "365d") as kept:
        table = Resumed(kept, [line for line in FIGHT if '"DK"' not in line and "end" not in line][:-1])
        engine = create_engine(kept.database)
        with engine.begin() as connection:
            connection.execute(text("UPDATE tables SET goes_at = 1796083200, goes_day = 20"))
        engine.dispose()
        ada, screen = come("Ada", house=kept), come("screen", DESK, house=kept)
        table.sits(ada, "p1")
        expect(ada.page.get_by_text("Unused table: deleted after")).to_be_visible()
        looks(ada, "kept-phone")
        screen.opens_link(table.link("screen"))
        expect(screen.region("Table")).to_be_visible()
        expect(screen.button("Keep table")).to_have_count(0)
        ada.hand.press(ada.button("Keep table"))
        expect(ada.page.get_by_text("Unused table: deleted after")).to_have_count(0)
