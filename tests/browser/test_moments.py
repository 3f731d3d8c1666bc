"""Call-outs fill the screen for a moment on a phone, a desk and a television, your own first."""

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, TELEVISION, House, Person, Resumed
from tests.browser.test_contrast import hard_to_read
from tests.browser.test_hackjack import turns_over

pytestmark = pytest.mark.browser

BEGUN = [
    {
        "cardhouse": 1,
        "game": "hackjack",
        "seats": ["gm", "p1", "p2"],
        "names": {"p1": "Ada", "p2": "Ben"},
        "decks": {"wounds": "physical"},
    },
    {"by": "gm", "do": "add_character", "name": "Doc", "hp": 9, "max_hp": 9, "controller": "p1"},
    {"by": "gm", "do": "add_character", "name": "Ike Clanton", "hp": 7, "max_hp": 7},
]


def moment(person: Person) -> Locator:
    return person.page.locator(".moment")


def hits(gm: Person, name: str, amount: int) -> None:
    gm.hand.press(gm.button("Damage…", gm.tools))
    pad = gm.page.get_by_role("dialog")
    gm.hand.tick(pad.get_by_role("radio", name=name))
    gm.hand.write(pad.get_by_role("spinbutton", name="Another number"), str(amount))
    gm.does(gm.button("Hit", pad))


HELD = """(() => {
  const wait = window.setTimeout
  window.setTimeout = (act, ms, ...more) => wait(act, ms === 2600 || ms === 4000 ? 1e9 : ms, ...more)
})()"""
"""A moment lasts as long as the test looks."""


def test_what_matters_has_the_table_for_a_moment(come: Come, house: House):
    table = Resumed(house, map(json.dumps, BEGUN))
    gm, ada, ben = come("Mo", DESK), come("Ada"), come("Ben", color_scheme="light")
    screen = come("television", TELEVISION)
    for person, seat in ((gm, "gm"), (ada, "p1"), (ben, "p2"), (screen, "screen")):
        if person is not gm:
            person.page.add_init_script(HELD)
        person.opens_link(table.link(seat))
        expect(person.question).to_be_visible()

    hits(gm, "Doc", 13)
    for person, said in ((ada, "You go down."), (ben, "Doc goes down."), (screen, "Doc goes down.")):
        expect(moment(person).locator(".title")).to_have_text(said)
    assert_accessible(ada.page, "down-phone")
    assert_fits(ada.page, "down-phone")
    for person in (ada, ben, screen):
        skips(person)
        expect(moment(person)).to_have_count(0)

    turns_over(gm, "2 of clubs")
    for amount, card in ((17, "king of spades"), (2, "9 of clubs")):
        hits(gm, "Ike Clanton", amount)
        turns_over(gm, card)
    for person in (ada, ben, screen):
        expect(moment(person).locator(".title")).to_have_text("Ike Clanton goes down.")
        person.catches_up(gm.number)
        skips(person)
        expect(moment(person).locator(".title")).to_have_text("Ike Clanton is dead.")
        expect(moment(person).locator(".text")).to_have_text("25 is more than 21.")
        expect(moment(person).locator(".card .picture"), "the wound, not a plain card").to_be_visible()
        assert_accessible(person.page, f"dead-{person.name}")
        assert hard_to_read(person.page, ".moment") == []
        person.screenshot(f"moment-{person.name}")
    gm.screenshot("moment-desk")


def skips(person: Person) -> None:
    """A tap anywhere, which goes where it would have gone."""
    person.page.mouse.click(5, 5)
