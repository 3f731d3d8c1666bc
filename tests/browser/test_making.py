"""A deck is written on the page, card by card, and played with."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Device, Person
from tests.print.reading import read

pytestmark = pytest.mark.browser


def saved(person: Person, button: str) -> bytes:
    with person.page.expect_download() as download:
        person.hand.press(person.button(button))
    return Path(download.value.path()).read_bytes()


def card(person: Person) -> Locator:
    return person.region("Print preview").get_by_role("img")


def opens(person: Person, game: str, option: str) -> None:
    person.page.goto(f"{person.house.address}make/{game}/{option}")
    expect(card(person)).to_be_visible()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.soak
def test_wounds_card_by_card(come: Come, device: Device) -> None:
    mo = come("Mo", device)
    opens(mo, "hackjack", "wounds")
    mo.hand.press(mo.page.get_by_role("button", name=re.compile("^2 of clubs")))
    expect(card(mo)).to_have_accessible_name("Ringing skull")
    before = card(mo).get_attribute("src")
    mo.page.get_by_role("textbox", name="Name").fill("")
    preview = mo.region("Print preview")
    expect(preview.get_by_text("C2.name is missing.")).to_be_visible()
    expect(mo.button("New table with these cards")).to_have_attribute("aria-disabled", "true")
    mo.page.get_by_role("textbox", name="Name").fill("Black eye")
    mo.page.get_by_role("textbox", name="Blood").fill("1d4")
    expect(preview.get_by_text("No mistakes.")).to_be_visible()
    expect(card(mo)).not_to_have_attribute("src", before or "")
    assert_accessible(mo.page, "making")
    assert_fits(mo.page, "making")
    mo.screenshot(f"making-{'phone' if device is PHONE else 'desk'}")

    mine = tomllib.loads(saved(mo, "Save as TOML").decode())
    assert (mine["C2"]["name"], mine["C2"]["blood"], len(mine)) == ("Black eye", "1d4", 52)
    table = saved(mo, "Save as CSV").decode().replace("Black eye", "Swollen eye")
    mo.page.get_by_label("Open a file").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    expect(card(mo)).to_have_accessible_name("Swollen eye")
    pages = read(saved(mo, "Print these cards"))
    assert len(pages) == 12
    assert "Swollen eye" in pages[0].text()

    mo.page.reload()
    mo.hand.press(mo.page.get_by_role("button", name=re.compile("^2 of clubs: Swollen eye, changed")))
    expect(mo.button("Revert")).to_be_visible()
    mo.hand.press(mo.button("New table with these cards"))
    expect(mo.question).to_be_attached()
    made = next(frame for text in mo.heard if (frame := json.loads(text))["t"] == "table")
    assert list(made["table"]["options"]["wounds"]) == ["C2"]
    assert made["table"]["options"]["wounds"]["C2"]["name"] == "Swollen eye"


def test_a_deck_with_a_card_more(come: Come) -> None:
    mo = come("Mo", DESK)
    opens(mo, "dogpile", "deck")
    mo.hand.select(mo.page.get_by_role("combobox", name="Start from"), "Dogs")
    mo.hand.press(mo.button("Mister Pudding"))
    mo.hand.press(mo.button("Add a card"))
    mo.page.get_by_role("textbox", name="Name").fill("Rex")
    mo.page.get_by_role("textbox", name="Size").fill("12")
    expect(mo.region("Print preview").get_by_text("No mistakes.")).to_be_visible()
    expect(card(mo)).to_have_accessible_name("Rex")
    assert_accessible(mo.page, "making a deck")
    mo.screenshot("making-deck")
    mo.hand.press(mo.button("The deck"))
    mo.page.get_by_role("textbox", name="Name").fill("Our dogs")
    expect(mo.page.get_by_role("textbox", name="Attribute").first).to_have_value("size")
    mo.screenshot("making-deck-whole")
    mine = tomllib.loads(saved(mo, "Save as TOML").decode())
    assert (mine["name"], len(mine["cards"])) == ("Our dogs", 121)
    mo.hand.press(mo.button("New table with these cards"))
    expect(mo.question).to_be_attached()
    made = next(frame for text in mo.heard if (frame := json.loads(text))["t"] == "table")
    assert made["table"]["options"]["deck"]["name"] == "Our dogs"


@pytest.mark.soak
def test_a_posse_on_its_sheets_comes_to_a_table(come: Come) -> None:
    mo = come("Mo", DESK)
    opens(mo, "hackjack", "posse")
    mo.page.get_by_role("textbox", name="Name").fill("Rosa")
    mo.hand.press(mo.button("Add character"))
    mo.page.get_by_role("textbox", name="Name").fill("Doc")
    mo.page.get_by_role("textbox", name="STR").fill("15")
    expect(mo.region("Print preview").get_by_text("No mistakes.")).to_be_visible()
    expect(card(mo)).to_have_accessible_name("Doc")
    assert_accessible(mo.page, "making a posse")
    mo.screenshot("making-posse")
    roster = saved(mo, "Save roster")
    assert [one["name"] for one in json.loads(roster)["characters"]] == ["Rosa", "Nan", "Doc"]
    pages = read(saved(mo, "Print these sheets"))
    assert "Name Doc" in pages[2].text()
    mo.page.get_by_label("Open a file").set_input_files(
        {"name": "posse.json", "mimeType": "application/json", "buffer": roster}
    )
    mo.hand.press(mo.button("Rosa"))
    expect(card(mo)).to_have_accessible_name("Rosa")
    mo.hand.press(mo.button("New table with these characters"))
    expect(mo.question).to_be_attached()
    expect(mo.page.get_by_text("Doc").first).to_be_attached()
    made = next(frame for text in mo.heard if (frame := json.loads(text))["t"] == "table" and frame["n"] == 3)
    assert [one["name"] for one in made["doc"]["view"]["characters"]] == ["Rosa", "Nan", "Doc"]
