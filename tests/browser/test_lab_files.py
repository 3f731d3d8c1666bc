"""The lab's form edits a file piece by piece, and a deck is made to order, on a phone and on a desk."""

import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person
from tests.browser.test_lab import COMPILED_MILLISECONDS, KNOWN, answer, asks

pytestmark = pytest.mark.browser


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"lab-files-{moment}")


@pytest.mark.soak
def test_a_wound_is_changed_where_the_question_is_asked(come: Come) -> None:
    ada = come("Ada")
    ada.page.goto(f"{ada.house.address}lab/hackjack/deadly?hp=2&trials=2000")
    ada.hand.press(ada.page.get_by_text("More settings"))
    wounds = ada.page.get_by_role("group", name="Wounds", exact=True)
    ada.hand.press(wounds.get_by_role("button", name="Edit it here"))
    ada.hand.press(wounds.get_by_role("button", name=re.compile("^2 of clubs")))
    wounds.get_by_role("textbox", name="Blood").fill("9")
    told = wounds.get_by_role("status").first
    expect(told).to_contain_text("Ringing skull: blood 9 instead of")
    looks(ada, "changed-phone")
    ada.hand.press(wounds.get_by_role("checkbox", name="Compare with Standard"))
    ada.hand.press(wounds.get_by_role("button", name="Done"))
    ada.hand.press(ada.button("Run"))
    expect(answer(ada)).to_contain_text("wounds standard", timeout=COMPILED_MILLISECONDS)
    expect(answer(ada)).to_contain_text("--wounds wounds-changed.toml --vs wounds=standard")
    with ada.page.expect_download() as saved:
        ada.hand.press(answer(ada).get_by_role("button", name="Save wounds-changed.toml"))
    assert tomllib.loads(Path(saved.value.path()).read_text())["C2"]["blood"] == 9

    mo = come("Mo", DESK)
    mo.page.goto(ada.page.url)
    wounds = mo.page.get_by_role("group", name="Wounds", exact=True).first
    expect(wounds.get_by_role("status").first).to_contain_text("Ringing skull: blood 9 instead of")
    mo.hand.press(wounds.get_by_role("button", name="Keep editing"))
    mo.hand.press(wounds.get_by_role("button", name=re.compile("^2 of clubs.*changed")))
    looks(mo, "changed-desk")
    wounds.get_by_role("textbox", name="Blood").fill("many")
    expect(wounds.get_by_text("must be").first).to_be_visible()
    mo.hand.press(mo.button("Run"))
    expect(mo.page.get_by_role("alert")).to_contain_text(re.compile("wounds-changed.toml can.t be played yet"))
    mo.hand.press(wounds.get_by_role("button", name="Revert").first)
    expect(wounds.get_by_role("status")).to_have_count(0)


def test_a_shared_link_carries_a_changed_wound(come: Come) -> None:
    ada = come("Ada", DESK)
    ada.page.goto(f"{ada.house.address}lab/hackjack/deadly?hp=2&trials=50")
    ada.hand.press(ada.page.get_by_text("More settings"))
    wounds = ada.page.get_by_role("group", name="Wounds", exact=True)
    ada.hand.press(wounds.get_by_role("button", name="Edit it here"))
    ada.hand.press(wounds.get_by_role("button", name=re.compile("^2 of clubs")))
    wounds.get_by_role("textbox", name="Blood").fill("9")
    asks(ada)
    expect(answer(ada).get_by_text(KNOWN)).to_be_visible(timeout=COMPILED_MILLISECONDS)
    ada.hand.press(answer(ada).get_by_text(KNOWN))
    told = answer(ada).get_by_role("heading").first.inner_text()

    mo = come("Mo")
    mo.page.goto(answer(ada).get_by_role("region", name="On this page").inner_text())
    wounds = mo.page.get_by_role("group", name="Wounds", exact=True)
    expect(wounds.get_by_role("status")).to_contain_text("Ringing skull: blood 9 instead of")
    asks(mo)
    expect(answer(mo).get_by_role("heading").first).to_have_text(told, timeout=COMPILED_MILLISECONDS)
    for person in (ada, mo):
        expect(person.page.get_by_text("is on another device")).to_have_count(0)
        expect(person.page.get_by_role("alert")).to_have_count(0)


@pytest.mark.soak
def test_a_deck_is_made_to_order_and_played_with(come: Come) -> None:
    mo = come("Mo", DESK)
    mo.page.goto(f"{mo.house.address}lab")
    mo.hand.press(mo.page.get_by_role("link", name="Design a deck to order"))
    mo.hand.write(mo.page.get_by_role("textbox", name="Cards", exact=True), "40")
    mo.hand.write(mo.page.get_by_role("textbox", name="Pairs"), "20%")
    mo.hand.press(mo.page.get_by_text("More settings"))
    mo.hand.write(mo.page.get_by_role("textbox", name="Hand size"), "3")
    mo.hand.write(mo.page.get_by_role("textbox", name="Players"), "2")
    mo.hand.write(mo.page.get_by_role("textbox", name="Alike"), "2")
    mo.hand.write(mo.page.get_by_role("textbox", name="Starts"), "1")
    mo.hand.write(mo.page.get_by_role("textbox", name="Rounds"), "500")
    looks(mo, "order-desk")
    mo.hand.press(mo.button("Search"))
    expect(answer(mo).get_by_role("heading", name="40 cards")).to_be_visible(timeout=COMPILED_MILLISECONDS)
    expect(answer(mo).get_by_role("table", name="Targets and results")).to_contain_text("20%")
    expect(answer(mo).get_by_role("img")).to_be_visible()
    looks(mo, "made-desk")
    for width, height, moment in ((1440, 900, "cards-desk"), (390, 844, "cards-phone")):
        mo.page.set_viewport_size({"width": width, "height": height})
        answer(mo).get_by_role("img").scroll_into_view_if_needed()
        looks(mo, moment)
    with mo.page.expect_download() as saved:
        mo.hand.press(answer(mo).get_by_role("button", name="Save the file"))
    file = Path(saved.value.path()).read_text()
    assert file.startswith("# cardhouse lab dogpile design --cards 40 --pairs 20%")
    assert len(tomllib.loads(file)["cards"]) == 40
    mo.hand.press(answer(mo).get_by_role("button", name="New table with these cards"))
    expect(mo.page).to_have_url(re.compile("/t/"))
