"""*What matters most?* and *Find settings* on the page, on a phone and on a desk."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person
from tests.browser.test_lab import COMPILED_MILLISECONDS, answer, asks, plots

pytestmark = pytest.mark.browser


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"lab-{moment}")


@pytest.mark.soak
def test_settings_are_found_on_a_phone_and_opened_as_a_study(come: Come) -> None:
    ada = come("Ada")
    ada.page.goto(f"{ada.house.address}lab/initiative/order?mine=2&theirs=2")
    ada.hand.press(ada.page.get_by_text("More settings"))
    ada.hand.press(ada.page.get_by_role("radio", name="Find settings"))
    expect(ada.page).to_have_url(re.compile("/lab/initiative/order/tune[?]mine=2"))
    form = ada.page.get_by_role("form", name="Settings")
    finding = form.get_by_role("combobox", name="Finding")
    expect(finding).to_have_value("")  # none is suggested: the first may be sure already
    number = form.get_by_role("textbox", name="Percent")
    ada.forgiven.append("status of 400")
    asks(ada)
    expect(ada.page.get_by_role("alert")).to_contain_text("Name a target")
    ada.hand.write(form.get_by_role("textbox", name="Number"), "25")
    ada.hand.press(form.get_by_role("button", name="Add"))
    expect(form.get_by_role("alert")).to_have_text("Choose the finding for this target.")
    ada.hand.select(finding, "The hero acts first of all")
    expect(number).to_have_value("25")
    ada.hand.write(form.get_by_role("textbox", name="Tolerance"), "2")
    expect(form.locator("label").filter(has_text=re.compile("^Tolerance"))).to_contain_text(re.compile("±.*%"))
    looks(ada, "tune-filled-phone")
    ada.hand.write(form.get_by_role("textbox", name="Tolerance"), "1")
    ada.hand.press(form.get_by_role("button", name="Add"))
    targets = form.get_by_role("list", name="Targets")
    expect(targets).to_contain_text("The hero acts first of all = 25% ±1%")
    ada.hand.press(form.get_by_text("Or type it"))
    ada.hand.write(form.get_by_role("textbox", name="A finding, then"), "hero's place < 1")
    ada.hand.press(form.get_by_role("button", name="Add"))
    ada.hand.press(form.get_by_role("button", name="Remove hero's place < 1"))
    expect(targets.get_by_role("listitem")).to_have_count(1)
    ada.hand.press(form.get_by_role("checkbox", name="Mine"))
    ada.hand.write(form.get_by_role("textbox", name="Mine: values"), "1..3")
    ada.hand.write(ada.page.get_by_role("spinbutton", name="Trials"), "20000")
    looks(ada, "tune-form-phone")
    asks(ada)
    found = answer(ada).get_by_role("list", name="Settings found")
    expect(found).to_contain_text("The hero acts first of all = 25 ±1%", timeout=COMPILED_MILLISECONDS)
    expect(answer(ada)).to_contain_text("All 3 choices were tried")
    expect(answer(ada).get_by_role("region", name="In Python")).to_contain_text("lab.find_settings('initiative'")
    expect(plots(ada).first.locator("svg")).to_be_visible()
    looks(ada, "tune-found-phone")
    address = ada.page.url

    one = found.get_by_role("listitem").filter(has_text="Mine 3")
    ada.hand.press(one.get_by_role("link", name="Open as study"))
    expect(ada.button("Mine: 3")).to_be_visible()
    expect(ada.page.get_by_role("status").filter(has_text="Filled in from the result: Mine 3.")).to_be_visible()
    ada.hand.press(ada.button("Back to the result"))
    expect(found).to_be_visible()
    expect(ada.button("Mine: 2")).to_be_visible()
    assert ada.page.url == address

    # Sent on, it asks the same.
    mo = come("Mo", DESK)
    mo.page.goto(address)
    expect(mo.page.get_by_role("list", name="Targets")).to_contain_text("The hero acts first of all = 25%")
    expect(mo.page.get_by_role("textbox", name="Mine: values")).to_have_value("1..3")
    mo.hand.press(mo.page.get_by_role("radio", name="What matters most?"))
    mo.hand.select(mo.page.get_by_role("combobox", name="The finding"), "The hero acts first of all")
    mo.hand.press(mo.page.get_by_role("checkbox", name="Mine"))
    asks(mo)
    expect(answer(mo)).to_contain_text("falls most: from", timeout=COMPILED_MILLISECONDS)
    expect(answer(mo)).to_contain_text("changes have a clear effect")
    expect(plots(mo).first.locator("svg")).to_be_visible()
    changes = answer(mo).get_by_role("list", name="Changes, strongest first")
    expect(changes.get_by_role("link", name="Open as study").first).to_have_attribute(
        "href", re.compile("/lab/initiative/order[?].*mine=2")
    )
    looks(mo, "matters-desk")
