"""The page's elements for views of plain files, each living (docs/page-contract.md)."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, Person

pytestmark = pytest.mark.browser

NAMES = ["card", "hand", "fan", "pile", "deck", "die", "seat", "rule", "choices", "card-picker", "odds", "grid"]


@pytest.fixture
def there(come: Come) -> Person:
    person = come("Mo", DESK)
    person.page.goto(f"{person.house.address}elements")
    expect(person.page.get_by_role("heading", name="Elements of a view")).to_be_visible()
    return person


def living(person: Person, name: str) -> Locator:
    return person.region(f"ch-{name}").locator(".living")


def test_each_is_shown_living_and_what_one_chooses_is_told(there: Person):
    for name in NAMES:
        expect(living(there, name).locator(f"ch-{name}").first).to_be_visible()
    hand = living(there, "hand")
    there.hand.press(there.button("7 of hearts", hand))
    expect(there.region("ch-hand").get_by_role("status")).to_have_text('choose {"card":"H7"}')
    expect(there.button("jack of spades", hand)).to_have_attribute("aria-pressed", "true")
    there.button("ace of clubs", hand).press("Enter")
    expect(there.region("ch-hand").get_by_role("status")).to_have_text('choose {"card":"H7"}')
    there.button("column 3, row 1", living(there, "grid")).press("Enter")
    expect(there.region("ch-grid").get_by_role("status")).to_have_text('choose {"x":2,"y":0,"card":null}')
    there.hand.press(there.button("king of hearts", living(there, "card-picker")))
    expect(there.region("ch-card-picker").get_by_role("status")).to_have_text('choose {"card":"HK"}')
    there.hand.press(living(there, "rule").get_by_role("button"))
    expect(there.dialog(re.compile("^H-3"))).to_contain_text("The highest card wins the round")


def test_attributes_and_properties_change_what_is_shown(there: Person):
    card = living(there, "card").locator("ch-card").first
    expect(card.get_by_role("img", name="7 of hearts")).to_be_visible()
    assert card.evaluate("card => card.dataset.card") == "H7"
    card.evaluate("card => card.setAttribute('card', 'SA')")
    expect(card.get_by_role("img", name="ace of spades")).to_be_visible()
    card.evaluate("card => { card.turned = true; return card.turned }")
    expect(card.get_by_role("img", name="a card face down")).to_be_visible()
    card.evaluate("card => card.removeAttribute('card')")
    assert card.evaluate("card => card.dataset.card ?? null") is None
    hand = living(there, "hand").locator("ch-hand")
    hand.evaluate("hand => (hand.cards = ['C2', 'C3'])")
    expect(hand.get_by_role("button")).to_have_count(2)
    made = there.page.evaluate(
        """() => {
          const pile = Object.assign(document.createElement('ch-pile'), { cards: ['H2', 'H3'], label: 'mine' })
          const [elsewhere, place] = document.querySelectorAll('.living')
          place.append(pile)
          elsewhere.append(pile)
          return pile.isConnected
        }"""
    )
    assert made
    expect(there.page.get_by_role("group", name="mine")).to_contain_text("2")
    there.page.evaluate("document.querySelector('ch-pile[label]').remove()")
    odds = living(there, "odds").locator("ch-odds").first
    odds.evaluate("odds => odds.setAttribute('share', '1')")
    expect(odds).to_contain_text("100%")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_they_are_for_everyone(come: Come, scheme: str):
    ada = come("Ada", PHONE, color_scheme=scheme)
    ada.page.goto(f"{ada.house.address}elements")
    expect(living(ada, "grid").get_by_role("button").first).to_be_visible()
    assert_accessible(ada.page, f"elements, {scheme}")
    assert_fits(ada.page, f"elements, {scheme}")
    ada.screenshot(f"elements-{scheme}")
