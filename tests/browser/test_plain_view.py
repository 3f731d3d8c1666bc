"""The view that any game gets for nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import DESK, House, Person, Table, come_to_match
from tests.walkthrough import install_highest

pytestmark = pytest.mark.browser


@pytest.fixture
def highest_house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, env=install_highest(tmp_path)) as house:
        yield house


def test_the_walk_throughs_game_is_played_by_two_with_no_edit_anywhere(highest_house: House, come: Come):
    gm, ada = come("Mo", DESK, house=highest_house), come("Ada", house=highest_house)
    gm.comes()
    expect(gm.region("Games").get_by_role("button", name="Card initiative")).to_be_visible()
    expect(gm.region("Games").get_by_role("button", name="Highest card wins")).to_contain_text("One card each.")
    gm.makes_table_with(game="Highest card wins", Players=1, Rounds=1)
    ada.opens_link(gm.link_for("Player 1"))
    ada.sits_down()
    gm.goes_to_table()

    expect(ada.question).to_contain_text("Round 1: take a card.")
    for person, other, left in ((ada, gm, 51), (gm, ada, 52)):
        assert person.may() == ["Take a card"]
        person.does(person.button("Take a card", person.choices))
        other.catches_up(person.number)
        for either in (gm, ada):
            expect(either.page.locator(".summary")).to_have_text(re.compile(rf"Round 1\s*Cards in the deck {left}"))
            expect(either.page.get_by_role("table", name="Players").get_by_role("row")).to_have_count(3)
            either.sees_in_story(re.compile(f"{seat_of(person)} takes", re.IGNORECASE))
        come_to_match(gm.table.aria_snapshot, ada.table.aria_snapshot)
        assert person.may() == [], "a card has been turned up: nothing to take back"
        gm.screenshot(f"highest-{left}-desk")
        ada.screenshot(f"highest-{left}-phone")
    for person in (gm, ada):
        expect(person.question).to_contain_text("The game is over.")
        person.sees_in_story("That was the last round.")


def seat_of(person: Person) -> str:
    return "the game master" if person.name == "Mo" else person.name


def test_card_initiative_can_be_played_in_the_plain_view_too(sit_down: Callable[..., Table]):
    table = sit_down("Ada")
    gm, ada = table.everybody
    for person in table.everybody:
        menu = person.opens_menu()
        person.hand.tick(menu.get_by_role("checkbox", name="Plain view"))
        person.closes(re.compile("."))
        expect(person.region("Deck")).to_have_count(0)
    adding = gm.region("At any time").get_by_role("group").filter(has=gm.page.get_by_text("Card", exact=True)).first
    gm.hand.press(adding.locator("summary"))
    form = adding.get_by_role("form")
    gm.hand.write(form.get_by_role("textbox", name="Name"), "Nan")
    gm.hand.press(gm.button("ace of spades", form))
    gm.hand.select(form.get_by_role("combobox", name="Played by"), "Ada")
    gm.screenshot("plain-form-desk")
    gm.does(form.get_by_role("button", name=re.compile("^Add somebody")))
    ada.catches_up(gm.number)
    ada.sees_in_story("Nan joins the fight with")
    gm.chooses("start")
    ada.catches_up(gm.number)
    for _ in range(6):
        if gm.choice("start").count():
            break
        ada.chooses(table.now())
        gm.catches_up(ada.number)
    ada.screenshot("plain-phone")
    ada.sees_in_story("Round 1 is over.")
    expect(ada.table).to_contain_text("Nan")
