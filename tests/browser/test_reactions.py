"""Presence and reactions: colours and portraits, who is away and back, and signs that players send."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Come
from tests.browser.looking import assert_accessible, assert_fits
from tests.browser.people import DESK, Person, Table
from tests.browser.test_places import box
from tests.browser.test_seats import at_the_table, bots_everywhere

pytestmark = pytest.mark.browser

THROW = "React"
FINGER = 44


DRAWN = """all => all.map((one) => {
  const { fill, stroke } = getComputedStyle(one)
  return [one.querySelector('path').getAttribute('d'), one.matches('.mark') ? fill : stroke]
})"""
"""A sign is filled in the corner of a portrait, and an outline where a seat is open."""


def signs_of_seats(person: Person) -> Locator:
    return at_the_table(person).locator("svg:last-of-type")


def marks(person: Person) -> list[tuple[str, str]]:
    """The sign and the colour of each seat, as they are drawn."""
    found: list[list[str]] = signs_of_seats(person).evaluate_all(DRAWN)
    return [(sign, colour) for sign, colour in found]


def signs(person: Person) -> Locator:
    return person.page.get_by_role("group", name=THROW).get_by_role("button")


def thrown(person: Person) -> Locator:
    return person.page.get_by_role("listitem").filter(has_text="Hats off")


@pytest.mark.soak
def test_everybody_has_a_mark_of_their_own_and_throws_signs_for_all_to_see(come: Come, sit_down: Callable[..., Table]):
    gm, ada, ben, screen = sit_down("Ada", "Ben", screen=True).everybody
    for person in (gm, ada, ben, screen):
        expect(signs_of_seats(person)).to_have_count(5)
    seen = marks(gm)
    assert len(set(seen)) == len({sign for sign, _ in seen}) == len({colour for _, colour in seen}) == 5
    assert seen == marks(ada) == marks(ben) == marks(screen)
    expect(at_the_table(ben).filter(has_text="Ben")).to_contain_text("(you)")
    expect(screen.button(THROW)).to_have_count(0)
    ada.hand.press(ada.button(THROW))
    expect(signs(ada)).to_have_count(6)
    for number in range(6):
        assert min(box(signs(ada).nth(number))[side] for side in ("width", "height")) >= FINGER
    assert_accessible(ada.page, "signs to throw")
    ada.hand.press(ada.button("Hats off"))
    for person in (ada, gm, ben, screen):
        expect(thrown(person)).to_contain_text("Ada")
        person.screenshot(f"thrown-{person.name}")
    assert_fits(ada.page, "signs to throw")
    for person in (ada, gm, screen):
        expect(thrown(person)).to_have_count(0)
    ada.page.keyboard.press("Escape")
    expect(signs(ada)).to_have_count(0)
    expect(ada.button(THROW)).to_be_focused()
    ben.page.goto("about:blank")
    expect(at_the_table(gm).filter(has_text="Ben")).to_contain_text("away")
    ben.page.go_back()
    expect(at_the_table(gm).filter(has_text="Ben")).to_contain_text("is back")
    gm.screenshot("is-back")
    assert marks(gm) == seen
    expect(at_the_table(gm).filter(has_text="is back")).to_have_count(0)


@pytest.mark.soak
def test_nothing_is_thrown_in_silence_and_a_bots_seat_is_taken_over_by_the_code(come: Come):
    gm, ada = come("Mo", DESK), come("Ada")
    bots_everywhere(gm)
    link = gm.link_for_all()
    gm.goes_to_table()
    expect(at_the_table(gm).filter(has_text="Player 1")).to_contain_text("played by a bot")
    ada.opens_link(link)
    expect(ada.page.get_by_role("list", name="Seats")).to_contain_text("a bot plays")
    assert_accessible(ada.page, "bots' seats")
    ada.screenshot("door-bots")
    ada.hand.write(ada.page.get_by_role("textbox", name="Your name"), "Ada")
    ada.hand.tick(ada.page.get_by_role("radio", name=re.compile("^Player 2")))
    ada.hand.press(ada.button(re.compile("^Join as Player 2 The bot hands over to you")))
    expect(at_the_table(gm).filter(has_text="Ada")).to_contain_text("is here")
    expect(ada.page.get_by_text("bot plays for you")).to_have_count(0)
    gm.hand.press(gm.button("Ada", gm.region("Who begins?")))
    gm.does(gm.button("Start"))
    ada.catches_up(gm.number)
    expect(ada.question).to_contain_text(re.compile("lay", re.IGNORECASE))
    ada.hand.press(ada.button(THROW))
    expect(ada.page.get_by_text("Reactions are off")).to_be_visible()
    expect(signs(ada)).to_have_count(0)
    ada.screenshot("silence")
