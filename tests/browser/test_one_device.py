"""One device passed round: each hand stays covered until its player has the device."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import House, Person, Resumed
from tests.browser.test_replay import OVER

pytestmark = pytest.mark.browser

ADA_HAS_LAID = [line.replace(',"p2":"Ben"', "") for line in OVER.splitlines()[:-1]]
SLEEPS = """() => {
  Object.defineProperty(document, 'hidden', { get: () => true })
  document.dispatchEvent(new Event('visibilitychange'))
}"""


def shows(person: Person, name: str) -> None:
    """The device is covered for this player, who then has it."""
    expect(person.page.get_by_role("heading", name=f"Hand the phone to {name}")).to_be_visible()
    expect(person.table).to_have_count(0)
    person.hand.press(person.button(re.compile(f"{name}. Show the table$")))
    expect(person.question).to_be_visible()


def test_hands_are_covered_until_the_next_player_has_the_phone(come: Come, house: House):
    table = Resumed(house, ADA_HAS_LAID)
    phone = come("Ada")
    table.sits(phone, "p1")
    phone.opens_link(f"{house.address}j/{table.id}#{table.tokens['door']}")
    phone.hand.press(phone.button("Share this device with another player"))
    phone.hand.tick(phone.page.get_by_role("radio", name=re.compile("^Player 2")))
    phone.hand.write(phone.page.get_by_role("textbox", name="The other player"), "Ben")
    phone.hand.press(phone.button(re.compile("^Join as Player 2")))
    expect(phone.page.get_by_role("heading", name="Hand the phone to Ben")).to_be_visible()
    assert_accessible(phone.page, "cover")
    assert_fits(phone.page, "cover")
    phone.screenshot("one-device-cover")
    shows(phone, "Ben")
    phone.hand.press(phone.button("Change to Ada"))
    shows(phone, "Ada")
    phone.screenshot("one-device-next")
    phone.page.evaluate(SLEEPS)
    shows(phone, "Ada")
    phone.hand.press(phone.button("Hand it to Ben"))
    shows(phone, "Ben")
    expect(phone.button("Hand it to Ada")).to_have_count(0)
