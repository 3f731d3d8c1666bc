"""The page's elements for views in plain files, each with its live example (docs/page-contract.md)."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, PHONE, House, Person
from tests.browser.test_flight import FLOWN
from tests.browser.test_views import Made
from tests.thorough import in_soak
from tests.views import install_with_page

pytestmark = pytest.mark.browser

NAMES = ["card", "hand", "fan", "pile", "deck", "die", "seat", "rule", "choices", "card-picker", "odds", "grid"]
FINGER = 44
"""What a finger finds, in pixels of the page."""


@pytest.fixture
def there(come: Come) -> Person:
    return looks_at_them(come("Mo", DESK))


def looks_at_them(person: Person) -> Person:
    person.page.goto(f"{person.house.address}elements")
    expect(person.page.get_by_role("heading", name="Elements of a view")).to_be_visible()
    expect(living(person, "grid").get_by_role("button").first).to_be_visible()
    return person


def living(person: Person, name: str) -> Locator:
    return person.region(f"ch-{name}").locator(".living")


def element(person: Person, name: str) -> Locator:
    """The one that can be tried."""
    return living(person, name).locator(f"ch-{name}").first


def said(person: Person, name: str) -> Locator:
    return person.region(f"ch-{name}").get_by_role("status")


def test_each_is_shown_living_and_what_one_chooses_is_told(there: Person):
    for name in NAMES:
        expect(element(there, name)).to_be_visible()
    hand = living(there, "hand")
    expect(there.button("jack of spades", hand)).to_have_attribute("aria-pressed", "true")
    there.hand.press(there.button("7 of hearts", hand))
    expect(said(there, "hand")).to_have_text('choose {"card":"H7"}')
    expect(there.button("7 of hearts", hand)).to_have_attribute("aria-pressed", "true")
    there.button("ace of clubs", hand).press("Enter")
    expect(said(there, "hand")).to_have_text('choose {"card":"H7"}')
    there.button("column 3, row 1", living(there, "grid")).press("Enter")
    expect(said(there, "grid")).to_have_text('choose {"x":2,"y":0,"card":null}')
    there.button("column 2, row 2", living(there, "grid")).press("Enter")
    expect(said(there, "grid")).to_have_text('choose {"x":2,"y":0,"card":null}')
    there.hand.press(there.button("king of hearts", living(there, "card-picker")))
    expect(said(there, "card-picker")).to_have_text('choose {"card":"HK"}')
    there.hand.press(there.button("Take a card", living(there, "choices")))
    expect(said(there, "choices")).to_have_text('answer {"do":"take"}')
    there.hand.press(living(there, "rule").get_by_role("button"))
    expect(there.dialog(re.compile("^H-3"))).to_contain_text("The highest card wins the round")


def test_screen_readers_are_told_what_is_seen(there: Person):
    seats = living(there, "seat")
    expect(seats.locator("ch-seat")).to_have_text(
        [re.compile("Ada.*is here"), re.compile("בן.*away"), "Player 3 open", "Player 4 (Bold bot)"]
    )
    expect(seats.locator("bdi")).to_have_text(["Ada", "בן", "Player 3", "Player 4 (Bold bot)"])
    there.region("ch-seat").get_by_label("bare").check()
    expect(seats.locator("ch-seat").first).to_have_text("Ada")
    expect(seats.locator("bdi")).to_have_count(3)
    fans = living(there, "fan")
    expect(fans.get_by_role("img", name="Ben’s hand 6 cards face down")).to_be_visible()  # noqa: RUF001
    expect(fans.get_by_role("list", name="A straight").get_by_role("img", name="ace of spades")).to_be_visible()
    piles = living(there, "pile").get_by_role("group", name="Discards")
    expect(piles.get_by_role("img")).to_have_count(1)
    expect(piles).to_contain_text("5")
    expect(living(there, "die").get_by_role("img", name="a die of 20 sides, showing 17")).to_be_visible()


@pytest.mark.soak
def test_what_is_written_in_its_attributes_is_tried_and_shown(there: Person):
    card = there.region("ch-card")
    card.get_by_label("card", exact=True).fill("SA")
    expect(card.get_by_role("img", name="ace of spades")).to_be_visible()
    card.get_by_label("mini").check()
    expect(element(there, "card")).to_have_css("width", "34px")
    card.get_by_label("turned").check()
    expect(card.get_by_role("img", name="ace of spades")).to_have_count(0)
    expect(card.locator("pre")).to_contain_text('<ch-card card="SA" turned mini></ch-card>')
    choices = there.region("ch-choices")
    choices.get_by_label("leave-out").fill("take pass")
    expect(there.button("Take a card", living(there, "choices"))).to_have_count(0)
    expect(there.button("Bet", living(there, "choices"))).to_be_visible()
    there.region("ch-odds").get_by_label("share").fill("1")
    expect(element(there, "odds")).to_contain_text("100%")
    expect(there.region("ch-grid").locator("pre")).to_contain_text("{ x: 0, y: 0, card: 'H7' },")


def test_attributes_and_properties_change_what_is_shown(there: Person):
    card = element(there, "card")
    assert card.evaluate("card => card.dataset.card") == "H7"
    card.evaluate("card => card.setAttribute('card', 'SA')")
    expect(card.get_by_role("img", name="ace of spades")).to_be_visible()
    card.evaluate("card => { card.turned = true }")
    expect(card.get_by_role("img", name="a card face down")).to_be_visible()
    assert card.evaluate("card => card.hasAttribute('turned')"), "a style sheet sees it"
    card.evaluate("card => { card.turned = false; card.card = null }")
    expect(card.get_by_role("img", name="a card face down")).to_be_visible()
    assert card.evaluate("card => card.dataset.card ?? null") is None
    hand = element(there, "hand")
    hand.evaluate("hand => (hand.cards = ['C2', 'C3'])")
    expect(hand.get_by_role("button")).to_have_count(2)
    hand.evaluate("hand => (hand.cards = 'C2 C3 C4')")
    expect(hand.get_by_role("button")).to_have_count(3)
    hand.evaluate("hand => (hand.cards = null)")
    expect(hand.get_by_role("button")).to_have_count(0)
    wrong = hand.evaluate("hand => { try { hand.cards = 7 } catch (error) { return String(error) } }")
    assert wrong == "TypeError: <ch-hand>: “cards” is a list, not 7."
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


@pytest.mark.soak
def test_the_same_card_may_lie_twice(there: Person):
    for name in ("hand", "fan", "pile"):
        element(there, name).evaluate("one => (one.cards = ['H7', 'H7', 'S2', 'H7'])")
        expect(element(there, name).locator("[data-card='H7']")).to_have_count(3)
    element(there, "grid").evaluate("grid => (grid.cells = [{ x: 0, y: 0, card: 'H7' }, { x: 0, y: 0, card: 'H7' }])")
    expect(element(there, "grid").get_by_role("button")).to_have_count(2)


def test_what_goes_wrong_in_one_is_told_to_its_place(there: Person):
    there.forgiven.append("none of the places")
    element(there, "grid").evaluate("grid => (grid.cells = [null])")
    expect(said(there, "grid")).to_contain_text("TypeError")
    there.page.evaluate("document.body.append(document.createElement('ch-card'))")
    expect(there.page.locator("body > ch-card")).to_be_empty()
    expect(element(there, "hand").get_by_role("button")).to_have_count(5)


def test_cards_and_places_are_gone_about_by_arrows(there: Person):
    hand, grid = living(there, "hand"), living(there, "grid")
    for start, key, end in (
        (there.button("7 of hearts", hand), "ArrowRight", there.button("jack of spades", hand)),
        (there.button("jack of spades", hand), "ArrowLeft", there.button("7 of hearts", hand)),
        (there.button("7 of hearts", hand), "ArrowLeft", there.button("7 of hearts", hand)),
        (there.button("7 of spades, column 2, row 1", grid), "ArrowDown", there.button("column 2, row 2", grid)),
        (there.button("column 3, row 1", grid), "ArrowLeft", there.button("7 of spades, column 2, row 1", grid)),
    ):
        start.press(key)
        expect(end).to_be_focused()


@pytest.mark.soak
def test_the_focus_stays_when_its_card_goes_or_nothing_can_be_chosen_for_a_while(there: Person):
    hand = living(there, "hand")
    there.button("jack of spades", hand).focus()
    element(there, "hand").evaluate("hand => (hand.cards = ['H7', 'D4', 'CA'])")
    expect(there.button("4 of diamonds", hand)).to_be_focused()
    element(there, "hand").evaluate("hand => (hand.cards = ['C2', 'H7', 'D4', 'CA'])")
    expect(there.button("4 of diamonds", hand)).to_be_focused()
    element(there, "hand").evaluate("hand => (hand.chooses = false)")
    expect(hand.get_by_role("button")).to_have_count(0)
    element(there, "hand").evaluate("hand => (hand.chooses = true)")
    expect(there.button("4 of diamonds", hand)).to_be_focused()


def house_with(view: str, folder: Path) -> House:
    """A house whose game has this view."""
    page = folder / "written" / "page"
    page.mkdir(parents=True)
    (page / "index.js").write_text(view)
    return House(folder, install_with_page(folder, page))


VIEW = """export default {
  contract: 1,
  middle(place, table) {
    place.innerHTML = '<ch-deck></ch-deck><ch-hand></ch-hand><ch-card></ch-card>'
    const [deck, hand, alone] = place.children
    const update = () => {
      const { deck_left, round, players } = table.view
      const cards = players.flatMap(({ card }) => (card ? [card] : []))
      deck.left = deck_left
      hand.cards = round === 1 ? cards : []
      alone.card = round === 1 ? null : cards[0]
    }
    update()
    return { update }
  },
}
"""


@pytest.mark.soak
def test_cards_fly_to_the_elements_that_show_them(come: Come, tmp_path: Path):
    with house_with(VIEW, tmp_path) as house:
        table = Made(house)
        gm, ada = come("Mo", DESK, house=house), come("Ada", house=house, reduced_motion="no-preference")
        ada.page.add_init_script(FLOWN)
        ada.opens_link(table.links["ada"])
        ada.sits_down()
        gm.opens_link(table.links["gm"])
        for where in ("ch-hand [data-card]", "ch-card[data-card]"):
            ada.does(ada.button("Take a card", ada.choices))
            card = ada.page.locator(where).get_attribute("data-card")
            ada.page.wait_for_function("card => window.flown.some(([flown]) => flown === card)", arg=card)
            gm.catches_up(ada.number)
            gm.does(gm.button("Take a card", gm.choices))
            ada.catches_up(gm.number)
            expect(ada.page.locator("ch-hand [data-card], ch-card[data-card]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["dark", *in_soak("light")])
def test_they_are_for_everyone(come: Come, scheme: str):
    ada = looks_at_them(come("Ada", PHONE, color_scheme=scheme))
    element(ada, "fan").evaluate(
        "fan => { fan.cards = 'H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK HA S2 S3'.split(' '); fan.chooses = true }"
    )
    element(ada, "grid").evaluate(
        "grid => (grid.cells = Array.from({ length: 12 }, (_, x) => ({ x, y: 0, card: x % 2 ? 'H7' : null })))"
    )
    expect(living(ada, "fan").get_by_role("button")).to_have_count(15)
    expect(living(ada, "grid").get_by_role("button")).to_have_count(12)
    assert_accessible(ada.page, f"elements, {scheme}")
    assert_fits(ada.page, f"elements, {scheme}")
    assert ada.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    for button in ada.page.locator(".living button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= FINGER - 0.5, button.get_attribute("aria-label")
    ada.screenshot(f"elements-{scheme}")


ANEW = """export default {
  contract: 1,
  middle(place, table) {
    const update = () => {
      place.replaceChildren(
        ...table.view.players.map(({ card }) => {
          const hand = document.createElement('ch-hand')
          hand.cards = card ? [card] : []
          hand.label = 'made'
          return hand
        }),
      )
    }
    update()
    return { update }
  },
}
"""


@pytest.mark.soak
def test_elements_made_anew_at_each_change_show_what_they_were_given(come: Come, tmp_path: Path):
    with house_with(ANEW, tmp_path) as house:
        table = Made(house)
        ada = come("Ada", house=house, reduced_motion="no-preference")
        ada.opens_link(table.links["ada"])
        ada.sits_down()
        hands = ada.page.get_by_role("list", name="made")
        expect(hands).to_have_count(2)
        ada.does(ada.button("Take a card", ada.choices))
        ada.screenshot("anew")
        expect(hands.locator("[data-card]").get_by_role("img")).to_have_count(1)
