"""Other people's browsers refuse to copy, fill in forms, print, and keep links that no longer work."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible
from tests.browser.people import DESK, House, Resumed
from tests.browser.test_door import makes_red_gulch, radio, seats

pytestmark = pytest.mark.browser

REFUSES = """() => {
  document.execCommand = () => false
  Object.defineProperty(navigator, 'clipboard', { value: undefined })
}"""
REFUSED = re.compile("^This browser can")
SELECTED = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
FILLS = "(field, text) => Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)"
"""As password managers do: without an event."""
PALE = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map((one) => one / 255)
      .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const speaks = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  return [...document.querySelectorAll('body :not(svg, svg *, option, script)')]
    .filter((e) => speaks(e) && shown(e) && e.getClientRects().length)
    .filter((e) => 1.05 / (light(getComputedStyle(e).color) + 0.05) < 4.5)
    .map((e) => e.outerHTML.slice(0, 120))
}"""
"""The elements whose text has less contrast on white paper than 4.5."""


def test_what_the_browser_will_not_copy_is_shown_to_be_copied_by_hand(come: Come) -> None:
    gm = makes_red_gulch(come)
    link = gm.link_for_all()
    gm.page.evaluate(REFUSES)
    gm.hand.press(gm.button("Copy link to join"))
    shown = gm.dialog(REFUSED)
    assert shown.get_by_role("textbox").evaluate(SELECTED) == link
    expect(shown.get_by_role("textbox")).to_be_focused()
    assert_accessible(gm.page, "refused copy")
    gm.screenshot("refused-copy")
    gm.closes(REFUSED)
    expect(gm.button("Copy link to join")).to_have_text("Copy link")


def test_a_name_filled_in_by_the_browser_counts(come: Come) -> None:
    gm = makes_red_gulch(come)
    ada = come("Ada")
    ada.opens_link(gm.link_for_all())
    ada.hand.tick(radio(ada, "Player 1"))
    ada.page.get_by_role("textbox", name="Your name").evaluate(FILLS, "Ada")
    ada.hand.press(ada.page.get_by_role("button", name="Join as Player 1"))
    expect(ada.table).to_be_visible()


def test_a_seat_whose_link_was_replaced_is_not_offered_as_ones_own(come: Come) -> None:
    gm = makes_red_gulch(come)
    link = gm.link_for_all()
    ada = come("Ada")
    ada.opens_link(link)
    ada.hand.tick(radio(ada, "Player 1"))
    ada.hand.write(ada.page.get_by_role("textbox", name="Your name"), "Ada")
    ada.hand.press(ada.page.get_by_role("button", name="Join as Player 1"))
    expect(ada.table).to_be_visible()
    gm.opens_seat("Player 1")
    gm.hand.press(gm.button(re.compile("^New link for Player 1")))
    expect(ada.page.get_by_role("heading", name=re.compile("^This invite link"))).to_be_visible()
    ada.opens_link(link)
    expect(seats(ada).filter(has_text="Ada")).to_be_visible()
    expect(seats(ada).filter(has_text="(yours)")).to_have_count(0)
    expect(ada.button("Back to your seat")).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Join as Player 2")).to_be_visible()


def test_every_page_prints_dark_text(come: Come, house: House) -> None:
    met = [
        {"cardhouse": 1, "game": "initiative", "seats": ["gm"]},
        {"by": "gm", "do": "add_character", "name": "Nan", "card": "HA"},
        {"by": "gm", "end": True},
    ]
    mo = come("Mo", DESK)
    made = Resumed(house, map(json.dumps, met))
    pages = [
        made.link("gm"),
        *(house.address + page for page in ("", "minute/dogs", "lab", "art", "make/dogpile/deck")),
    ]
    for page in pages:
        mo.page.emulate_media(media="screen")
        mo.page.goto(page, wait_until="networkidle")
        mo.page.emulate_media(media="print")
        assert mo.page.evaluate(PALE) == [], page
