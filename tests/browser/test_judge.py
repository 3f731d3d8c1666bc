"""A layout of real cards, tapped in and judged; and tables with other decks than the standard one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.hands import is_focused
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person, Table

pytestmark = pytest.mark.browser

PACK = """\
name = "Three sizes"

[beside]
all = [{ attribute = "size", differs_by = 1 }]

[above]
all = [{ attribute = "mood", equal = true }]

[cards]
rex = { name = "Old Rex", size = 1, mood = "sleepy", wags = 3 }
lou = { name = "Lady Lou", size = 2, mood = "brave", wags = 0 }
max = { name = "Mad Max", size = 3, mood = "brave", wags = 9 }
any = { name = "Anybody", wild = true, mood = "brave" }
"""


def looks(person: Person, moment: str) -> None:
    assert_accessible(person.page, moment)
    assert_fits(person.page, moment)
    person.screenshot(f"judge-{moment}")


def opens_judge(person: Person) -> None:
    person.comes()
    person.hand.press(person.opens_more("Dogpile").get_by_role("link", name="Check a layout"))
    expect(person.page.get_by_role("heading", name="Check a layout")).to_be_visible()


def verdict(person: Person) -> Locator:
    return person.page.get_by_role("status").first


def layout(person: Person) -> Locator:
    return person.region("The layout")


def reasons(person: Person) -> Locator:
    return person.page.get_by_role("list", name="Why").get_by_role("listitem")


def taps(person: Person, *cards: str) -> None:
    """Cards that don't lie there yet."""
    for card in cards:
        person.hand.press(person.button(card, person.page.get_by_role("group", name="Cards not on the table yet")))


def types(person: Person, *cards: str) -> None:
    field = person.page.get_by_role("textbox")
    for card in cards:
        field.fill(card)
        field.press("Enter")


def goes_to(person: Person, place: str) -> None:
    """A cell of the layout, by what it is beside or what lies there."""
    person.hand.press(person.button(re.compile(place), layout(person)))


def test_a_physical_layout_is_tapped_in_on_a_phone_judged_and_mended(come: Come) -> None:
    ada = come("Ada")
    opens_judge(ada)
    expect(verdict(ada)).to_contain_text("Lay the cards")
    taps(ada, "queen of spades")
    expect(verdict(ada)).to_contain_text("A Pack Leader alone strays")
    taps(ada, "jack of hearts", "the red joker", "9 of clubs")
    expect(verdict(ada)).to_contain_text("Legal. 4 cards, one pack.")
    expect(reasons(ada)).to_have_text(re.compile(r"The red joker counts as the 10 of \w+\."))
    expect(ada.button(re.compile("The red joker, at .* counts as the 10 of"), layout(ada))).to_be_visible()

    goes_to(ada, "^Room for a card, below the jack of hearts")
    taps(ada, "king of spades")
    expect(verdict(ada)).to_contain_text("One contact is not legal.")
    expect(reasons(ada).first).to_contain_text(
        re.compile("The king of spades and the jack of hearts.*the suit must be the same")
    )
    expect(ada.button(re.compile("^Not legal: The king of spades"), layout(ada))).to_be_visible()
    looks(ada, "illegal-phone")
    ada.hand.press(ada.button(re.compile("^Why. DG-12"), reasons(ada).first))
    expect(ada.dialog(re.compile("^DG-12"))).to_be_visible()
    ada.closes(re.compile("^DG-12"))

    goes_to(ada, "^King of spades, at")
    taps(ada, "king of hearts")
    expect(verdict(ada)).to_contain_text("Legal. 5 cards, one pack.")
    lies_apart(ada)
    ada.page.reload()
    expect(verdict(ada)).to_contain_text("2 separate shapes")
    expect(ada.button("queen of spades")).to_have_count(0)
    ada.hand.press(ada.button("Clear"))
    expect(verdict(ada)).to_contain_text("Lay the cards")
    ada.hand.press(ada.button("Undo"))
    expect(verdict(ada)).to_contain_text("2 separate shapes")
    goes_to(ada, "^2 of clubs, at")
    ada.hand.press(ada.button("Remove"))
    expect(verdict(ada)).to_contain_text("Legal. 5 cards, one pack.")
    ada.screenshot("judge-legal-phone")


def lies_apart(ada: Person) -> None:
    """A card on a place far from all others: no room is marked there."""
    box = layout(ada).bounding_box()
    assert box
    ada.page.touchscreen.tap(box["x"] + 12, box["y"] + box["height"] - 12)
    expect(ada.page.get_by_role("heading", name="Next: by itself")).to_be_visible()
    taps(ada, "2 of clubs")
    expect(verdict(ada)).to_contain_text("The cards form 2 separate shapes, not one.")
    expect(reasons(ada).filter(has_text="Shape")).to_have_text(["1 Shape 1: 5 cards", "2 Shape 2: one card"])
    ada.screenshot("judge-pieces-phone")


@pytest.mark.soak
def test_a_layout_is_typed_moved_and_read_without_a_mouse(come: Come) -> None:
    gm = come("Mo", DESK)
    gm.forgiven.append("status of 400")
    gm.page.goto(f"{gm.house.address}judge")
    types(gm, "7h", "8h", "9h", "8h")
    expect(gm.page.get_by_role("alert")).to_have_text("The 8 of hearts is already on the table.")
    field = gm.page.get_by_role("textbox")
    field.press("ArrowDown")
    types(gm, "bj")
    expect(verdict(gm)).to_contain_text("2 separate shapes")
    joker = gm.button(re.compile("^The black joker, at"), layout(gm))
    while not is_focused(gm.button(re.compile("^Room for a card, right of the black joker"), layout(gm))):
        gm.page.keyboard.press("Shift+Tab")
    gm.page.keyboard.press("ArrowLeft")
    expect(joker).to_be_focused()
    gm.page.keyboard.press("Shift+ArrowLeft")
    expect(verdict(gm)).to_contain_text("Legal. 4 cards, one pack.")
    expect(joker).to_be_focused()
    gm.page.keyboard.press("ArrowDown")
    gm.page.keyboard.type("2h")
    gm.page.keyboard.press("Enter")
    expect(verdict(gm)).to_contain_text("Legal. 5 cards, one pack.")
    looks(gm, "desk")

    gm.hand.press(gm.button("As text…"))
    sheet = gm.dialog("The layout as text")
    text = sheet.get_by_role("textbox")
    assert {one["card"] for one in json.loads(text.input_value())} == {"H7", "H8", "H9", "BJ", "H2"}
    with gm.page.expect_download() as started:
        gm.hand.press(sheet.get_by_role("link", name="Save as a file"))
    saved = Path(started.value.path()).read_text("utf-8")
    assert saved == text.input_value()
    text.fill('[{"card": "SQ", "x": 0, "y": 0}, {"card": "SK", "x": 0, "y": 0}]')
    gm.hand.press(gm.button("Lay it out", sheet))
    expect(sheet.get_by_role("alert")).to_have_text("Two cards lie on the cell (0, 0): SQ and SK.")
    text.fill('[{"card": "SQ", "x": 500, "y": 500}, {"card": "SK", "x": 500, "y": 501}]')
    gm.hand.press(gm.button("Lay it out", sheet))
    expect(sheet).to_be_hidden()
    expect(verdict(gm)).to_contain_text("Legal. 2 cards, one pack.")
    expect(gm.button(re.compile("^King of spades, at .500, 501"), layout(gm))).to_be_in_viewport()


@pytest.mark.soak
def test_a_layout_of_dogs_is_found_by_what_they_have(come: Come) -> None:
    gm = come("Mo", DESK)
    gm.page.goto(f"{gm.house.address}judge/dogpile")
    types(gm, "QS")
    gm.hand.press(gm.button("Deck Standard deck"))
    gm.hand.tick(gm.page.get_by_role("radio", name="120 dogs"))
    gm.page.keyboard.press("Escape")
    expect(verdict(gm)).to_contain_text("Lay the cards")
    field = gm.page.get_by_role("textbox")
    field.fill("pug 1 brave")
    field.press("Enter")
    expect(gm.button(re.compile("^Sir Snufflet, at"), layout(gm))).to_be_visible()
    types(gm, "pug")
    expect(gm.page.get_by_role("alert")).to_contain_text("8 cards match")
    types(gm, "tabitha", "terrier 2 brave")
    expect(reasons(gm).filter(has_text="Tabitha counts as")).to_be_visible()
    gm.screenshot("judge-dogs-desk")
    gm.hand.press(gm.button("Undo"))
    gm.page.reload()
    expect(gm.button("Deck 120 dogs")).to_be_visible()
    expect(gm.button(re.compile("^Sir Snufflet, at"), layout(gm))).to_be_visible()


def options(gm: Person) -> Locator:
    """How Dogpile is to be played, at the front door."""
    gm.comes()
    here = gm.opens_more("Dogpile")
    gm.hand.press(here.get_by_text("House rules"))
    return here


@pytest.mark.soak
def test_a_table_with_a_deck_of_ones_own(come: Come, sit_down: Callable[..., Table]) -> None:
    gm = come("Mo", DESK)
    gm.forgiven.append("status of 400")
    here = options(gm)
    deck = here.get_by_role("group", name="The deck", exact=True).first
    expect(deck.get_by_role("radio", name="120 dogs")).to_be_visible()
    gm.hand.tick(deck.get_by_role("radio", name="Custom…"))
    gm.hand.press(gm.button("Create table", here))
    expect(gm.dialog("Invite players")).to_have_count(0)

    broken = PACK.replace("size = 2", 'size = "two"').replace("differs_by", "difers_by")
    gives(deck, "mine.toml", broken)
    mistakes = deck.get_by_role("listitem")
    expect(mistakes).to_have_count(3)
    expect(mistakes.first).to_have_text(re.compile("^Line 4: .*difers_by is an unknown field; did you mean differs_by"))
    expect(mistakes.last).to_have_text(re.compile("^Line 11: cards.lou.size must be a number"))
    deck.scroll_into_view_if_needed()
    looks(gm, "deck-mistakes")
    gives(deck, "mine.toml", PACK)
    expect(deck).to_contain_text("Three sizes: 4 cards")
    gm.hand.tick(here.get_by_role("radio", name="Rounds"))
    gm.hand.write(here.get_by_role("spinbutton", name="Rounds"), "1")
    gm.hand.write(here.get_by_role("spinbutton", name="Cards in a hand"), "3")
    gm.hand.write(here.get_by_role("spinbutton", name="Players"), "1")
    gm.hand.press(gm.button("Create table", here))
    expect(here.get_by_role("alert").last).to_contain_text("Choose smaller hands, or fewer players.")
    gm.hand.press(here.get_by_role("checkbox", name="The host plays"))
    gm.hand.press(gm.button("Create table", here))
    sit_down("Ada", gm=gm)
    gm.does(gm.button("Start"))
    gm.sees_in_story(re.compile("The Pack Leader is (Old Rex|Lady Lou|Mad Max|Anybody)"))
    gm.screenshot("own-deck-desk")


def gives(group: Locator, name: str, content: str) -> None:
    group.get_by_label("Choose a file…").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    )


@pytest.mark.soak
def test_a_table_of_dogs_is_shown_by_name(come: Come, sit_down: Callable[..., Table]) -> None:
    gm = come("Mo", DESK)
    here = options(gm)
    gm.hand.tick(here.get_by_role("radio", name="120 dogs"))
    gm.hand.write(here.get_by_role("spinbutton", name="Players"), "1")
    gm.hand.press(gm.button("Create table", here))
    (ada,) = sit_down("Ada", gm=gm).players
    gm.does(gm.button("Start"))
    ada.catches_up(gm.number)
    expect(ada.story.first).to_contain_text("The Pack Leader is")
    ada.screenshot("dogs-hand-phone")
